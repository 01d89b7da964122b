#include "trammel/model/description/description.hpp"

namespace trammel {

std::string to_string(JointKind kind) {
  switch (kind) {
    case JointKind::fixed: return "fixed";
    case JointKind::revolute: return "revolute";
    case JointKind::prismatic: return "prismatic";
    case JointKind::screw: return "screw";
    case JointKind::cylindrical: return "cylindrical";
    case JointKind::universal: return "universal";
    case JointKind::spherical: return "spherical";
    case JointKind::planar: return "planar";
    case JointKind::free: return "free";
    case JointKind::compound: return "compound";
  }
  return "unknown";
}

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
