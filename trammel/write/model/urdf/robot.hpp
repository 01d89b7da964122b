// A robot in URDF terms: links, and joints of the supported types, as numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/model/model.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel::urdf {

struct Origin {
  Vec3<double> xyz, rpy;
};

struct Mimic {
  std::string joint;
  double multiplier = 1, offset = 0;
};

struct Limit {
  double lower = 0, upper = 0, effort = 0, velocity = 0;
  bool has_range = false;
};

struct Joint {
  std::string name, type, parent, child;
  Origin origin = {};
  std::optional<Vec3<double>> axis = {};
  std::optional<Limit> limit = {};
  double damping = 0;
  std::optional<Mimic> mimic = {};
};

// Loop joint of URDF+, with its frame on both links.
struct Loop {
  std::string name, type, predecessor, successor;
  Origin at = {}, child_at = {};
  std::optional<Vec3<double>> axis = {};
};
// Coupling of URDF+: ratio times the sum of the coordinates from the nearest common ancestor link
// to the predecessor equals the sum of those to the successor.
struct Coupling {
  std::string name, predecessor, successor;
  double ratio = 1;
};

struct Link {
  std::string name;
  const BodyDescription* body = nullptr;  // null: massless and without shapes
};

struct Robot {
  std::vector<Link> links;  // the root first
  std::vector<Joint> joints;
  std::vector<Loop> loops;
  std::vector<Coupling> couplings;
};

// The type of a <loop>; empty if there is none for this kind of joint.
std::string loop_type(JointKind kind);

// Each change of form is a warning; a joint that URDF cannot express is an error.
Robot make_robot(const Model& model, const Values<double>& value, Diagnostics& report);

// Reports all parts of the model that URDF cannot express.
void report_losses(const Model& model, const Values<double>& value, Diagnostics& report);

}  // namespace trammel::urdf
