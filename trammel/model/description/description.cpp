#include "trammel/model/description/description.hpp"

#include "trammel/model/description/joint_table.hpp"

namespace trammel {

std::string to_string(JointKind kind) { return traits(kind).name; }

Expr Description::parameter(const std::string& symbol, double value, const ItemPlace& place) {
  parameters.push_back({symbol, value, place});
  return graph.symbol(symbol);
}

void Description::body(const std::string& body_name, const Solid& solid, const ItemPlace& place) {
  bodies.push_back({body_name, solid, place});
}

void Description::joint(const std::string& joint_name, JointKind kind, const std::string& parent,
                        const std::string& child, const JointOptions& options,
                        const ItemPlace& place) {
  joints.push_back({joint_name, kind, parent, child, options, place});
}

void Description::frame(const std::string& frame_name, const std::string& body_name,
                        const Placement& at, const ItemPlace& place) {
  frames.push_back({frame_name, body_name, at, place});
}

}  // namespace trammel
