#include "trammel/constraint/mobility/lengths.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trammel/model/description/description_parameters.hpp"

namespace trammel {

Lengths::Lengths(const Model& model) : model_(model) {
  const Description& description = model.description();
  const Values<double> value = evaluate_at_nominal(description);
  const auto at = [&](const Placement& placement) {
    const auto& [x, y, z] = placement.xyz;
    return Vec3<double>{value(x), value(y), value(z)};
  };
  for (const NamedJoint& joint : model.joints()) {
    if (joint.kind == JointKind::fixed) continue;
    const JointDescription& what = description.joints[std::size_t(joint.description)];
    const auto name = [&](BodyId body) {
      return fmt::format("the place of joint '{}' on {}", joint.name,
                         body == ground ? "ground" : "body '" + model[body].name + "'");
    };
    // only relative placements on a body matter: the placement of its own tree joint stays fixed
    const bool is_loop = joint.role == NamedJoint::Role::loop;
    if (is_loop || !joint.is_reversed)
      add_place(Kind::on_parent, std::size_t(joint.description), at(what.options.at),
                name(joint.parent));
    if (is_loop || joint.is_reversed)
      add_place(Kind::on_child, std::size_t(joint.description), at(what.options.child_at),
                name(joint.child));
  }
  for (std::size_t k = 0; k < description.constraints.size(); ++k) {
    const ConstraintDescription& constraint = description.constraints[k];
    for (const std::string& end : {constraint.frame, constraint.other_frame}) {
      const auto frame = std::ranges::find(description.frames, end, &FrameDescription::name);
      if (frame == description.frames.end()) continue;  // the end is the origin of a body
      const std::string name = fmt::format("the place of frame '{}'", end);
      if (std::ranges::find(names_, name) == names_.end())
        add_place(Kind::frame, std::size_t(frame - description.frames.begin()), at(frame->at),
                  name);
    }
    if (constraint.kind != ConstraintDescription::Kind::distance) continue;
    numbers_.push_back({Kind::distance, k, 0, places(), value(constraint.distance)});
    names_.push_back(fmt::format("the distance of constraint '{}'", constraint.name));
  }
}

void Lengths::add_place(Kind kind, std::size_t item, const Vec3<double>& xyz, std::string name) {
  const double nominal[] = {xyz.x, xyz.y, xyz.z};
  for (int axis = 0; axis < 3; ++axis)
    numbers_.push_back({kind, item, axis, places(), nominal[axis]});
  names_.push_back(std::move(name));
}

std::vector<int> Lengths::of_place(int place) const {
  std::vector<int> found;
  for (int k = 0; k < count(); ++k)
    if (numbers_[std::size_t(k)].place == place) found.push_back(k);
  return found;
}

Expr& Lengths::number(Description& description, const Number& which) {
  const auto part = [&](Vec3<Expr>& xyz) -> Expr& {
    return which.axis == 0 ? xyz.x : which.axis == 1 ? xyz.y : xyz.z;
  };
  switch (which.kind) {
    case Kind::on_parent: return part(description.joints[which.item].options.at.xyz);
    case Kind::on_child: return part(description.joints[which.item].options.child_at.xyz);
    case Kind::frame: return part(description.frames[which.item].at.xyz);
    case Kind::distance: break;
  }
  return description.constraints[which.item].distance;
}

Description Lengths::changed(const Eigen::VectorXd& by) const {
  Description description = model_.description();
  for (int k = 0; k < count(); ++k)
    if (by[k] != 0) {
      const Number& which = numbers_[std::size_t(k)];
      number(description, which) = which.nominal + by[k];
    }
  return description;
}

std::vector<LengthChange> Lengths::changes(const Eigen::VectorXd& by) const {
  std::vector<LengthChange> all;
  for (int place = 0; place < places(); ++place) {
    LengthChange change{.name = names_[std::size_t(place)]};
    Eigen::Vector3d parts = Eigen::Vector3d::Zero();
    bool is_distance = false;
    for (const int k : of_place(place)) {
      parts[numbers_[std::size_t(k)].axis] = by[k];
      is_distance = numbers_[std::size_t(k)].kind == Kind::distance;
    }
    change.by = is_distance ? parts.x() : parts.norm();
    if (!is_distance && change.by > 0) {
      const Eigen::Vector3d along = parts / change.by;
      change.along = {along.x(), along.y(), along.z()};
    }
    all.push_back(change);
  }
  std::ranges::stable_sort(all, std::greater<>{},
                           [](const LengthChange& change) { return std::abs(change.by); });
  std::erase_if(all, [most = std::abs(all.front().by)](const LengthChange& change) {
    return std::abs(change.by) <= 0.01 * most;
  });
  return all;
}

}  // namespace trammel
