// Constraints of a model: loop joints, constraints between frames, couplings, wheels and the
// terrain below them.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "trammel/model/build/model_builder.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/model/description/frames.hpp"
#include "trammel/model/description/joint_labels.hpp"
#include "trammel/model/description/joint_table.hpp"

namespace trammel {

// Loop joints, and constraints between frames, which are joints without a name.
void ModelBuilder::number_closures() {
  for (std::size_t k = 0; k < model_.joints_.size(); ++k) {
    const NamedJoint& joint = model_.joints_[k];
    if (joint.role != NamedJoint::Role::loop) continue;
    const JointDescription& what = description().joints[std::size_t(joint.description)];
    add_closure({fmt::format("loop joint '{}'", joint.name), JointId(int(k)), joint.parent,
                 joint.child, make_joint(what, false), 0, 0, 0, joint.place});
  }
  for (const ConstraintDescription& constraint : description().constraints) {
    if (!constraint.active) continue;
    const std::string name = fmt::format("constraint '{}'", constraint.name);
    const BodyId parent = body_of(constraint.frame), child = body_of(constraint.other_frame);
    // bodies fixed to each other count as two all the same: then every row is redundant
    if (parent == child)
      diagnostics_.error(constraint.place,
                         fmt::format("{} is between two places of one body", name),
                         "name frames of two bodies that can move against each other");
    else if (constraint.kind == ConstraintDescription::Kind::distance)
      model_.rods_.push_back({name, parent, child, constraint.place});
    else if (constraint.kind == ConstraintDescription::Kind::curve)
      add_point_on_curve(constraint, name, parent, child);
    else
      add_closure({name, std::nullopt, parent, child,
                   constraint.kind == ConstraintDescription::Kind::point ? Joint(Spherical{})
                                                                         : Joint(Compound{}),
                   0, 0, 0, constraint.place});
  }
}

void ModelBuilder::add_point_on_curve(const ConstraintDescription& constraint,
                                      const std::string& name, BodyId parent, BodyId child) {
  const Values<double> value = evaluate_at_nominal(description());
  const CurveDescription& curve = constraint.curve;
  std::variant<Curve, CurveMistake> made;
  if (curve.points.empty()) {
    Curve::Formulas formulas{curve.x,           curve.y,         curve.z,     {},
                             value(curve.from), value(curve.to), curve.closed};
    for (const auto& [symbol, number] : curve.with)
      formulas.names.emplace_back(symbol, value(number));
    made = Curve::of_formulas(formulas);
  } else {
    std::vector<Vec3<double>> points;
    for (const Vec3<Expr>& point : curve.points) points.push_back(value_of(point, value));
    made = Curve::through(points, curve.closed);
  }
  if (const auto* mistake = std::get_if<CurveMistake>(&made))
    diagnostics_.error(constraint.place.of(mistake->key),
                       fmt::format("{}: its curve {}", name, mistake->fact), mistake->hint);
  else
    model_.frame_constraints_.push_back(
        {name, parent, child, constraint.kind, constraint.place, std::move(std::get<Curve>(made))});
}

void ModelBuilder::add_closure(Closure closure) {
  closure.q_start = model_.loop_nq_;
  closure.v_start = model_.loop_nv_;
  closure.constant_start = constants_;
  constants_ += constant_count(closure.joint);
  model_.has_restricted_loops_ |= is_restricted(closure.joint);
  std::visit(
      [&](const auto& joint) {
        model_.loop_nq_ += joint.nq();
        model_.loop_nv_ += joint.nv();
      },
      closure.joint);
  model_.closure_drives_.resize(std::size_t(model_.loop_nv_),
                                closure.named ? model_[*closure.named].drive : Drive::none);
  model_.closures_.push_back(std::move(closure));
}

void ModelBuilder::number_couplings() {
  int factors = 0;
  for (const CouplingDescription& coupling : description().couplings) {
    Coupling added{fmt::format("coupling '{}'", coupling.name), {}, factors, coupling.place};
    for (const auto& [name, factor] : coupling.terms) {
      const std::string& term = name;
      const CoordinateName meant = coordinate_named(term, description());
      const JointId id = *model_.find_joint(meant.joint);
      const NamedJoint& joint = model_[id];
      const int count = dofs(description().joints[std::size_t(joint.description)]);
      const bool is_loop = joint.role == NamedJoint::Role::loop;
      const auto complain = [&](const std::string& hint) {
        diagnostics_.error(
            coupling.place.of("terms"),
            fmt::format("{} couples joint '{}', which has {} coordinates", added.name, term, count),
            hint);
      };
      if (count != 1 && has_quaternion(joint.kind)) {
        complain("couple joints with one coordinate: revolute, prismatic or screw");
        continue;
      }
      if (count != 1 && (meant.k < 0 || meant.k >= count)) {
        complain(fmt::format(
            "say which one: \"{}\" is the first",
            name_with_label(
                joint.name,
                coordinate_label(description().joints[std::size_t(joint.description)], 0))));
        continue;
      }
      const int k = std::max(meant.k, 0);
      added.terms.push_back({is_loop ? model_.closure_of(id) : -1, is_loop ? k : joint.q_start + k,
                             is_loop ? k : joint.v_start + k});
    }
    factors += int(coupling.terms.size());
    model_.couplings_.push_back(std::move(added));
  }
}

void ModelBuilder::shape_terrains() {
  const Values<double> value = evaluate_at_nominal(description());
  for (const TerrainDescription& terrain : description().terrains) {
    if (terrain.height.empty()) {
      std::vector<std::vector<double>> heights;
      for (const std::vector<Expr>& line : terrain.heights)
        heights.push_back(values_of(line, value));
      model_.terrains_.push_back(
          Terrain::of_grid({value(terrain.from[0]), value(terrain.spacing[0])},
                           {value(terrain.from[1]), value(terrain.spacing[1])}, heights));
      continue;
    }
    std::vector<std::pair<std::string, double>> names;
    for (const auto& [name, number] : terrain.with) names.emplace_back(name, value(number));
    auto shaped = Terrain::of_formula(terrain.height, names);
    if (const auto* mistake = std::get_if<ParseError>(&shaped))
      diagnostics_.error(terrain.place.of("height"),
                         fmt::format("terrain '{}': height: {}", terrain.name, mistake->message),
                         mistake->hint.empty()
                             ? "it is a formula of x and y, and of the names that `with` tells"
                             : mistake->hint);
    else
      model_.terrains_.push_back(std::move(std::get<Terrain>(shaped)));
  }
}

// the body of a frame, a body or a terrain
BodyId ModelBuilder::floor_of(const std::string& on) const {
  for (const TerrainDescription& terrain : description().terrains)
    if (terrain.name == on) return body_of(terrain.on);
  return body_of(on);
}

void ModelBuilder::number_wheels() {
  const Values<double> value = evaluate_at_nominal(description());
  for (std::size_t k = 0; k < description().wheels.size(); ++k) {
    const WheelDescription& wheel = description().wheels[k];
    const BodyId floor = floor_of(wheel.on), body = *model_.find_body(wheel.body);
    if (model_[floor].tree_body == model_[body].tree_body)
      diagnostics_.error(wheel.place.of("on"),
                         fmt::format("wheel '{}' cannot move against '{}', on which it is to roll",
                                     wheel.name, wheel.on),
                         "let it roll on a body that its own body can move against");
    Wheel added{fmt::format("wheel '{}'", wheel.name),
                floor,
                body,
                wheel.kind,
                wheel.touches,
                wheel.place,
                int(k)};
    for (std::size_t t = 0; t < description().terrains.size(); ++t)
      if (description().terrains[t].name == wheel.on) added.terrain = int(t);
    if (wheel.friction) added.friction = value(*wheel.friction);
    if (wheel.roller_radius) added.roller_radius = value(*wheel.roller_radius);
    model_.wheels_.push_back(std::move(added));
  }
}

}  // namespace trammel
