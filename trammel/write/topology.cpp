#include "trammel/write/topology.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace trammel {

std::string topology_class(const Model& model) {
  const auto bodies = model.bodies();
  std::vector<int> children(bodies.size());
  bool floats = bodies.size() > 1;
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    ++children[std::size_t(bodies[i].parent)];
    if (bodies[i].parent == 0)
      floats &= std::holds_alternative<Free>(bodies[i].joint) ||
                std::holds_alternative<FreeFromAfar>(bodies[i].joint);
  }
  const auto loops = std::ranges::count(model.joints(), NamedJoint::Role::loop, &NamedJoint::role);
  if (bodies.size() == 1) return "nothing that moves";
  const bool is_chain = std::ranges::all_of(children, [](int count) { return count <= 1; });
  const bool is_one_body = bodies.size() == 2 && floats;
  std::string text = floats ? "floating " : "";
  if (loops > 0)
    return text + fmt::format("mechanism with {} {}", loops, loops == 1 ? "loop" : "loops");
  return text + (is_one_body ? "body" : is_chain ? (floats ? "chain" : "serial chain") : "tree");
}

}  // namespace trammel
