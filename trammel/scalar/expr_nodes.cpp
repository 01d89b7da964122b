#include "trammel/scalar/expr_nodes.hpp"

#include <bit>
#include <cmath>

#include "trammel/base/expects.hpp"

namespace trammel {

namespace {

struct Kind {
  std::string_view name;
  int arity;
};

// in the order of Op
constexpr Kind kinds[] = {{"constant", 0}, {"symbol", 0}, {"+", 2},    {"-", 2},    {"*", 2},
                          {"/", 2},        {"-", 1},      {"sqrt", 1}, {"sin", 1},  {"cos", 1},
                          {"tan", 1},      {"asin", 1},   {"acos", 1}, {"atan", 1}, {"atan2", 2},
                          {"exp", 1},      {"log", 1},    {"pow", 2},  {"abs", 1},  {"min", 2},
                          {"max", 2},      {"<", 2},      {"<=", 2},   {"==", 2},   {"select", 3}};
static_assert(std::size(kinds) == std::size_t(Op::select) + 1);

// bitwise, so that nan equals itself and -0 differs from 0
std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

bool is_equal(const Node& x, const Node& y) {
  return x.op == y.op && x.operand == y.operand && bits(x.constant) == bits(y.constant);
}

std::size_t hash(const Node& node) {
  std::uint64_t h = std::uint64_t(node.op);
  const auto mix = [&h](std::uint64_t word) {
    h = (h ^ word) * 0x9E3779B97F4A7C15u;
    h ^= h >> 32;
  };
  mix(bits(
      node.constant));  // first: its upper bits, all that 1.0 and 2.0 have, need the most mixing
  for (const int id : node.operand) mix(std::uint64_t(id));
  return std::size_t(h);
}

}  // namespace

int arity(Op op) { return kinds[std::size_t(op)].arity; }
std::string_view name(Op op) { return kinds[std::size_t(op)].name; }

int Nodes::add(const Node& node) {
  const std::size_t place = slot(node);
  if (table_[place] >= 0) return table_[place];

  const int id = size();
  Node added = node;
  added.is_suspect = !std::isfinite(node.constant);
  for (const int operand : node.operands()) {
    TRAMMEL_EXPECTS(operand >= 0 && operand < id);
    added.is_suspect |= (*this)[operand].is_suspect;
  }
  if (node.op == Op::div) {
    const Node& divisor = (*this)[node.operand[1]];
    added.is_suspect |= divisor.op == Op::constant && divisor.constant == 0;
  }

  nodes_.push_back(added);
  table_[place] = id;
  if (2 * nodes_.size() > table_.size()) grow();
  return id;
}

std::optional<int> Nodes::find(const Node& node) const {
  const int id = table_[slot(node)];
  return id >= 0 ? std::optional(id) : std::nullopt;
}

int Nodes::constant(double value) { return add({.op = Op::constant, .constant = value}); }

int Nodes::symbol(std::string_view name) {
  const auto [known, is_new] = symbol_nodes_.try_emplace(std::string(name), -1);
  if (is_new) {
    known->second = add({.op = Op::symbol, .operand = {int(symbols_.size()), -1, -1}});
    symbols_.push_back(known->first);
  }
  return known->second;
}

std::size_t Nodes::slot(const Node& node) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t place = hash(node) & mask;
  while (table_[place] >= 0 && !is_equal((*this)[table_[place]], node)) place = (place + 1) & mask;
  return place;
}

void Nodes::grow() {
  table_.assign(2 * table_.size(), -1);
  for (int id = 0; id < size(); ++id) table_[slot((*this)[id])] = id;
}

}  // namespace trammel
