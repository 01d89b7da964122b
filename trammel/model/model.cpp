#include "trammel/model/model.hpp"

#include "trammel/model/build/parameters.hpp"
#include "trammel/model/description/joint_labels.hpp"

#include <algorithm>
#include <stdexcept>

namespace trammel {

namespace {

template <class Id> std::optional<Id> as_id(const std::optional<int>& found) {
  return found ? std::optional(Id(*found)) : std::nullopt;
}

void expect_within(const char* call, int k, const char* what, int count) {
  if (k < 0 || k >= count)
    throw std::invalid_argument(std::string(call) + ": k = " + std::to_string(k) +
                                ", the model has " + what + " = " + std::to_string(count));
}

}  // namespace

std::optional<BodyId> Model::find_body(std::string_view name) const {
  return as_id<BodyId>(body_names_.find(named_bodies_, name));
}
std::optional<JointId> Model::find_joint(std::string_view name) const {
  return as_id<JointId>(joint_names_.find(joints_, name));
}
std::optional<FrameId> Model::find_frame(std::string_view name) const {
  return as_id<FrameId>(frame_names_.find(frames_, name));
}

std::string Model::coordinate_name(int k) const {
  expect_within("coordinate_name", k, "nq", nq_);
  const std::span tree_joints(joints_.data(), bodies_.size() - 1);
  const NamedJoint& joint =
      *(std::ranges::upper_bound(tree_joints, k, {}, &NamedJoint::q_start) - 1);
  return name_with_label(
      joint.name,
      coordinate_label(description_.joints[std::size_t(joint.description)], k - joint.q_start));
}
std::string Model::dof_name(int k) const {
  expect_within("dof_name", k, "nv", nv_);
  const std::span tree_joints(joints_.data(), bodies_.size() - 1);
  const NamedJoint& joint =
      *(std::ranges::upper_bound(tree_joints, k, {}, &NamedJoint::v_start) - 1);
  return name_with_label(joint.name, dof_label(description_.joints[std::size_t(joint.description)],
                                               k - joint.v_start));
}

std::vector<std::string> Model::constraint_names() const {
  std::vector<std::string> names;
  for (const Closure& closure : closures_) names.push_back(closure.name);
  for (const Rod& rod : rods_) names.push_back(rod.name);
  for (const FrameConstraint& constraint : frame_constraints_) names.push_back(constraint.name);
  for (const Wheel& wheel : wheels_) names.push_back(wheel.name);
  for (const Coupling& coupling : couplings_) names.push_back(coupling.name);
  return names;
}

int Model::closure_of(JointId joint) const {
  // those of joints come first, in the order of the joints
  const auto found = std::ranges::partition_point(closures_, [&](const Closure& closure) {
    return closure.named && index(*closure.named) < index(joint);
  });
  return found != closures_.end() && found->named == joint ? int(found - closures_.begin()) : -1;
}
std::string Model::closure_dof_name(int k) const {
  expect_within("closure_dof_name", k, "loop_nv", loop_nv_);
  const Closure& closure = *(std::ranges::upper_bound(closures_, k, {}, &Closure::v_start) - 1);
  const int entry = k - closure.v_start;
  if (!closure.named)  // a point: a spherical joint
    return name_with_label(closure.name, dof_label(point_as_joint(), entry));
  const NamedJoint& joint = (*this)[*closure.named];
  return name_with_label(joint.name,
                         dof_label(description_.joints[std::size_t(joint.description)], entry));
}
std::vector<std::string> Model::force_element_names() const {
  std::vector<std::string> names;
  for (const auto& elements : force_elements_)
    for (const ElementBodies& element : elements) names.push_back(element.name);
  // passive forces of closures are in the order of their degrees of freedom
  const Closure* last = nullptr;
  for (const PassiveNumbers<double>& element : numbers_->closure_passive) {
    const Closure& closure =
        *(std::ranges::upper_bound(closures_, element.v, {}, &Closure::v_start) - 1);
    if (&closure != last) names.push_back("the spring or damper of " + closure.name);
    last = &closure;
  }
  return names;
}

const Vec3<double>& Model::gravity() const { return numbers_->gravity; }
const Inertia<double>& Model::inertia(BodyId body) const {
  return numbers_->own_inertia[std::size_t(index(body))];
}

Model Model::with_gravity(const Vec3<double>& gravity) const {
  Model changed = *this;
  changed.description_.gravity = gravity;
  ModelParameters<double> numbers = *numbers_;
  numbers.gravity = gravity;
  changed.numbers_ = std::make_shared<const ModelParameters<double>>(std::move(numbers));
  return changed;
}

}  // namespace trammel
