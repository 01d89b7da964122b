#include "trammel/constraint/kinds/blocks.hpp"

namespace trammel {

namespace {

template <ConstraintBlock... Kinds>
std::vector<Block> blocks_in_order(const Model& model, std::type_identity<std::variant<Kinds...>>) {
  std::vector<Block> blocks;
  const auto append = [&](const auto& all) { blocks.insert(blocks.end(), all.begin(), all.end()); };
  (append(Kinds::all(model)), ...);
  return blocks;
}

}  // namespace

std::vector<Block> constraint_blocks(const Model& model) {
  return blocks_in_order(model, std::type_identity<Block>{});
}

}  // namespace trammel
