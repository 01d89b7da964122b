#include "trammel/write/model/topology.hpp"

#include <fmt/format.h>

#include "trammel/model/topology.hpp"

namespace trammel {

std::string topology_class(const Model& model) {
  const Topology graph = topology(model);
  if (graph.kind == Topology::Kind::nothing_moves) return "nothing that moves";
  const std::string text = graph.floats ? "floating " : "";
  const std::size_t loops = graph.loops.size();
  if (loops > 0)
    return text + fmt::format("mechanism with {} {}", loops, loops == 1 ? "loop" : "loops");
  if (graph.floats && graph.nodes == 2) return text + "body";
  if (graph.kind == Topology::Kind::tree) return text + "tree";
  return text + (graph.floats ? "chain" : "serial chain");
}

}  // namespace trammel
