#include "model_doubts.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "trammel/model/build/names.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/model/units.hpp"

namespace trammel::cli {

namespace {

bool has_key(const ItemPlace& place, std::string_view key) {
  return std::ranges::find(place.keys, key, [](const auto& known) {
           return std::string_view(known.first);
         }) != place.keys.end();
}
// A URDF must state mass and inertia: zeros there are not a decision of the author.
bool is_given(const ItemPlace& place, std::string_view key) {
  return has_key(place, key) && !has_key(place, "inertial");
}

class MassDoubts {
 public:
  MassDoubts(const Model& model, std::vector<Diagnostic>& warnings)
      : model_(model),
        value_(evaluate_at_nominal(model.description())),
        kinds_(dof_kinds(model)),
        warnings_(warnings) {}

  void check() {
    const std::size_t n = model_.bodies().size();
    std::vector<bool> can_rotate(n, false);
    for (std::size_t i = 1; i < n; ++i) {
      const Body& body = model_.bodies()[i];
      can_rotate[i] = can_rotate[std::size_t(body.parent)];
      for (int f = body.v_start; f < body.v_end; ++f)
        if (kinds_[std::size_t(f)] == DofKind::turn) can_rotate[i] = true;
    }
    for (std::size_t k = 0; k < model_.description().bodies.size(); ++k) {
      const auto i = std::size_t(model_.named_bodies()[k + 1].tree_body);
      if (i > 0) check(model_.description().bodies[k], i, can_rotate[i]);
    }
  }

 private:
  // Checked together with all bodies fixed to it: a point mass on a body with inertia is no reason
  // for a warning.
  void check(const BodyDescription& body, std::size_t i, bool can_rotate) {
    const Inertia<double>& I = model_.numbers().bodies[i].inertia;
    const double mass = value_(body.solid.mass);
    const double about_origin = trace(I.rotational);
    if (I.mass > 0 && mass > 0 && can_rotate) {
      const double about_center = about_origin - 2 * dot(I.first_moment, I.first_moment) / I.mass;
      // 1e-12: the difference of these terms has a rounding error of 1e-16 relative to them
      if (about_center > 1e-12 * about_origin || is_given(body.place, "inertia")) return;
      warn(body.place,
           fmt::format("body '{}' has mass {:.6g} and no inertia, and it can rotate", body.name,
                       mass),
           has_key(body.place, "inertial")
               ? "give its <inertia>; where it lies on a joint's axis, nothing resists that joint"
               : "give its inertia; a point mass is meant by inertia = [0, 0, 0]");
    } else if (I.mass == 0 && has_key(body.place, "inertia") && trace(body) > 0) {
      if (is_given(body.place, "mass")) return;
      warn(body.place,
           fmt::format("body '{}' has inertia and no mass: no force of gravity acts on it",
                       body.name),
           has_key(body.place, "inertial")
               ? "give its <mass>"
               : "give its mass; a rotor that has none is meant by mass = 0");
    }
  }
  double trace(const BodyDescription& body) const {
    const SymMat3<Expr>& I = body.solid.inertia;
    return value_(I.xx) + value_(I.yy) + value_(I.zz);
  }
  static double trace(const SymMat3<double>& I) { return I.xx + I.yy + I.zz; }
  void warn(const Place& place, std::string fact, std::string hint) {
    warnings_.push_back({Severity::warning, place, std::move(fact), std::move(hint)});
  }

  const Model& model_;
  const Values<double> value_;
  const std::vector<DofKind> kinds_;
  std::vector<Diagnostic>& warnings_;
};

void warn_about_motions(const Model& model, std::vector<Diagnostic>& warnings) {
  std::set<std::string> moved;  // joints with an input
  for (const InputDescription& input : model.description().inputs)
    moved.insert(coordinate_named(input.joint, model.description()).joint);
  for (const NamedJoint& joint : model.joints()) {
    if (joint.drive != Drive::motion || moved.contains(joint.name)) continue;
    const ItemPlace& place = model.description().joints[std::size_t(joint.description)].place;
    warnings.push_back(
        {Severity::warning, place.of("drive"),
         fmt::format("joint '{}' is driven by motion, and no motion is given for it", joint.name),
         fmt::format("give one, as in [input.{0}] joint = \"{0}\", ramp = {{ to = 1, over = 2 }}; "
                     "eval takes it from --v and --a",
                     joint.name)});
  }
}

}  // namespace

void warn_about_model(const Model& model, std::vector<Diagnostic>& warnings) {
  MassDoubts(model, warnings).check();
  warn_about_motions(model, warnings);
}

}  // namespace trammel::cli
