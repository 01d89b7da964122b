// A robot in URDF terms: links, and joints of the supported types, as numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/model/model.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel {

struct UrdfOrigin {
  Vec3<double> xyz, rpy;
};

struct UrdfMimic {
  std::string joint;
  double multiplier = 1, offset = 0;
};

struct UrdfLimit {
  double lower = 0, upper = 0, effort = 0, velocity = 0;
  bool has_range = false;
};

struct UrdfJoint {
  std::string name, type, parent, child;
  UrdfOrigin origin = {};
  std::optional<Vec3<double>> axis = {};
  std::optional<UrdfLimit> limit = {};
  double damping = 0;
  std::optional<UrdfMimic> mimic = {};
};

// Loop joint of URDF+, with its frame on both links.
struct UrdfLoop {
  std::string name, type, predecessor, successor;
  UrdfOrigin at = {}, child_at = {};
  std::optional<Vec3<double>> axis = {};
};
// Coupling of URDF+: ratio times the sum of the coordinates from the nearest common ancestor link
// to the predecessor equals the sum of those to the successor.
struct UrdfCoupling {
  std::string name, predecessor, successor;
  double ratio = 1;
};

struct UrdfLink {
  std::string name;
  const BodyDescription* body = nullptr;  // null: massless and without shapes
};

struct UrdfRobot {
  std::vector<UrdfLink> links;  // the root first
  std::vector<UrdfJoint> joints;
  std::vector<UrdfLoop> loops;
  std::vector<UrdfCoupling> couplings;
};

// The type of a <loop>; empty if there is none for this kind of joint.
std::string urdf_loop_type(JointKind kind);

// Each change of form is a warning; a joint that URDF cannot express is an error.
UrdfRobot make_urdf_robot(const Model& model, const Values<double>& value, Diagnostics& report);

// Reports all parts of the model that URDF cannot express.
void report_what_is_lost(const Model& model, const Values<double>& value, Diagnostics& report);

}  // namespace trammel
