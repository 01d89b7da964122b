#include "trammel/model/build/parameters.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "trammel/model/description/description_parameters.hpp"
#include "trammel/model/description/frames.hpp"
#include "trammel/model/description/joint_table.hpp"
#include "trammel/model/model.hpp"
#include "trammel/model/simd/small_chain.hpp"
#include "trammel/scalar/dual.hpp"
#include "trammel/scalar/pack.hpp"

namespace trammel {

namespace {

// One outward pass over the joints of the tree, fixed ones included.
template <Scalar P> class ParameterMaker {
 public:
  ParameterMaker(const Model& model, std::span<const P> parameters)
      : model_(model),
        description_(model.description()),
        value_(evaluate_numbers<P>(description_, parameters)),
        nominal_(evaluate_at_nominal(description_)) {}

  ModelParameters<P> make() {
    numbers_.gravity = value_of(description_.gravity, value_);
    weigh_bodies();
    place_bodies();
    add_carried();
    for (const NamedJoint& joint : model_.joints()) {
      if (joint.role != NamedJoint::Role::tree) continue;
      add_constants(joint);
      add_passive(joint, joint.q_start, joint.v_start, numbers_.passive);
    }
    for (const NamedJoint& joint : model_.joints())
      numbers_.X_CM.push_back(pose_of(description(joint).options.child_at, value_));
    for (const FrameDescription& frame : description_.frames)
      numbers_.X_UF.push_back(pose_of(frame.at, value_));
    add_closures();
    add_couplings();
    add_wheels();
    add_force_elements();
    if constexpr (std::same_as<P, double>) {
      numbers_.small_chain = small_chain_parameters(model_, numbers_.bodies);
      numbers_.packed_chains = find_packed_chains(model_, numbers_.bodies);
    }
    return std::move(numbers_);
  }

 private:
  const JointDescription& description(const NamedJoint& joint) const {
    return description_.joints[std::size_t(joint.description)];
  }

  // each named body alone; ground is massless
  void weigh_bodies() {
    numbers_.own_inertia.reserve(model_.named_bodies().size());
    numbers_.own_inertia.push_back({});
    for (const BodyDescription& body : description_.bodies) {
      const SymMat3<Expr>& I = body.solid.inertia;
      numbers_.own_inertia.push_back(inertia_about_com<P>(
          value_(body.solid.mass), value_of(body.solid.com, value_),
          {value_(I.xx), value_(I.xy), value_(I.xz), value_(I.yy), value_(I.yz), value_(I.zz)}));
    }
  }

  // joint frame in the parent, and the user's frame in the tree body, of each body
  void place_bodies() {
    numbers_.bodies.resize(model_.bodies().size());
    numbers_.X_BU.assign(model_.named_bodies().size(), Pose<P>::identity());
    for (const JointId id : model_.outward_joints()) {
      const NamedJoint& joint = model_[id];
      const JointOptions& options = description(joint).options;
      const Pose<P> at = pose_of(options.at, value_), child_at = pose_of(options.child_at, value_);
      const Pose<P>& inboard = joint.is_reversed ? child_at : at;
      const Pose<P>& outboard = joint.is_reversed ? at : child_at;
      Pose<P>& X_BU_child = X_BU(joint.is_reversed ? joint.parent : joint.child);
      const Pose<P> X_PI = X_BU(joint.is_reversed ? joint.child : joint.parent) * inboard;

      if (joint.role == NamedJoint::Role::fixed) {
        X_BU_child = X_PI * inverse(outboard);
      } else {
        const Pose<P> T{joint_turn(joint), {}};
        numbers_.bodies[std::size_t(joint.body)].X_PF = X_PI * T;
        X_BU_child = inverse(outboard * T);
      }
    }
  }
  Pose<P>& X_BU(BodyId body) { return numbers_.X_BU[std::size_t(index(body))]; }

  void add_carried() {
    for (std::size_t k = 1; k < model_.named_bodies().size(); ++k) {
      Inertia<P>& inertia =
          numbers_.bodies[std::size_t(model_.named_bodies()[k].tree_body)].inertia;
      inertia = inertia + to_parent(numbers_.X_BU[k], numbers_.own_inertia[k]);
    }
  }

  // T: rotation from the user's joint frame to the one whose z is the axis
  Mat3<P> joint_turn(const NamedJoint& joint) const {
    const JointOptions& options = description(joint).options;
    const JointTraits of = traits(joint.kind);
    const double sign = joint.is_reversed && of.flips_when_reversed ? -1 : 1;
    switch (of.axes) {
      case JointAxes::none:
      case JointAxes::per_motion: return Mat3<P>::identity();
      case JointAxes::two: return turn_to_axes(options.axis, options.axis2);
      case JointAxes::one: {
        const Vec3<double> start = start_for(value_of(options.axis, nominal_));
        return turn_to_axes(sign * options.axis, {start.x, start.y, start.z});
      }
    }
    return Mat3<P>::identity();
  }
  // constant axes are rotated in double and converted to P
  Mat3<P> turn_to_axes(const Vec3<Expr>& axis, const Vec3<Expr>& start) const {
    if (is_constant(axis) && is_constant(start))
      return turn_to(value_of(axis, nominal_), value_of(start, nominal_));
    return turn_to(value_of(axis, value_), value_of(start, value_));
  }

  void add_constants(const NamedJoint& joint) {
    if (traits(joint.kind).has_pitch)
      numbers_.constants.push_back(value_(description(joint).options.pitch));
    if (traits(joint.kind).axes != JointAxes::per_motion) return;
    for (const JointStep& step : description(joint).options.motions) {
      if (!Compound::is_oblique(step_of(step))) continue;
      const Vec3<P> axis = unit(step.axis);
      numbers_.constants.insert(numbers_.constants.end(), {axis.x, axis.y, axis.z});
    }
  }
  Vec3<P> unit(const Vec3<Expr>& axis) const {
    if (is_constant(axis)) return normalized(value_of(axis, nominal_));
    return normalized(value_of(axis, value_));
  }

  // loop joints, then constraints in the order of the description
  void add_closures() {
    for (const Closure& closure : model_.closures()) {
      if (!closure.named) continue;
      const NamedJoint& joint = model_[*closure.named];
      const JointOptions& options = description(joint).options;
      const Mat3<P> turn = joint_turn(joint);
      const Pose<P> T{turn, {}};
      numbers_.closures.push_back({X_BU(joint.parent) * pose_of(options.at, value_) * T,
                                   X_BU(joint.child) * pose_of(options.child_at, value_) * T,
                                   turn});
      add_constants(joint);
      add_passive(joint, closure.q_start, closure.v_start, numbers_.closure_passive);
    }
    for (const ConstraintDescription& constraint : description_.constraints) {
      if (!constraint.active) continue;
      const Pose<P> X_PF = place_of(constraint.frame), X_CM = place_of(constraint.other_frame);
      using enum ConstraintDescription::Kind;
      switch (constraint.kind) {
        case distance:
          numbers_.rods.push_back({X_PF.p, X_CM.p, value_(constraint.distance)});
          break;
        case point:
        case weld: numbers_.closures.push_back({X_PF, X_CM, Mat3<P>::identity()}); break;
        case curve: numbers_.frame_constraints.push_back({X_PF, X_CM}); break;
      }
    }
  }
  // pose of a frame or body in its tree body
  Pose<P> place_of(const std::string& frame_or_body) {
    if (const auto frame = model_.find_frame(frame_or_body))
      return X_BU(model_[*frame].body) * numbers_.X_UF[std::size_t(index(*frame))];
    return X_BU(*model_.find_body(frame_or_body));
  }

  void add_couplings() {
    for (const CouplingDescription& coupling : description_.couplings) {
      for (const auto& [joint, factor] : coupling.terms)
        numbers_.coupling_factors.push_back(value_(factor));
      numbers_.coupling_offsets.push_back(value_(coupling.offset));
    }
  }

  // the wheels of Model::wheels(), in its order
  void add_wheels() {
    for (const Wheel& wheel : model_.wheels()) {
      const WheelDescription& what = description_.wheels[std::size_t(wheel.description)];
      const Vec3<double> start = start_for(value_of(what.axis, nominal_));
      const Pose<P> T{turn_to_axes(what.axis, {start.x, start.y, start.z}), {}};
      const auto [sine, cosine] = sin_cos(P(value_(what.roller_angle)));
      numbers_.wheels.push_back({place_of(wheel.terrain < 0 ? what.on : terrain(wheel).on),
                                 X_BU(wheel.child) * pose_of(what.at, value_) * T,
                                 value_(what.radius), cosine, sine});
    }
  }
  const TerrainDescription& terrain(const Wheel& wheel) const {
    return description_.terrains[std::size_t(wheel.terrain)];
  }
  void add_force_elements() {
    each_force_element_kind(description_, [&](auto kind, const auto& descriptions) {
      auto& numbers = std::get<kind>(force_element_lists(numbers_));
      using Numbers = typename std::decay_t<decltype(numbers)>::value_type;
      for (std::size_t k = 0; k < descriptions.size(); ++k) {
        const auto& element = descriptions[k];
        const auto [parent, child] = element.ends();
        // the ball of a contact is on a body, not on a frame
        const Pose<P> X_CM = requires { element.body; }
        ? X_BU(model_.force_elements(kind)[k].child) : place_of(*child);
        numbers.push_back(Numbers::of(element, place_of(*parent), X_CM, value_));
      }
    });
  }

  // dof with a spring, a damper or friction, unless these are identically zero
  void add_passive(const NamedJoint& joint, int q_start, int v_start,
                   std::vector<PassiveNumbers<P>>& out) {
    const JointOptions& options = description(joint).options;
    for (int k = 0; k < dofs(description(joint)); ++k) {
      const Expr stiffness = entry(options.stiffness, k), damping = entry(options.damping, k);
      const Expr friction = entry(options.friction, k);
      if (is_same(stiffness, 0.0) && is_same(damping, 0.0) && is_same(friction, 0.0)) continue;
      out.push_back({q_start + k, v_start + k, value_(stiffness), value_(entry(options.rest, k)),
                     value_(damping), value_(friction),
                     value_(entry(options.friction_speed, k, default_friction_speed))});
    }
  }
  // one entry may be for all
  static Expr entry(const std::vector<Expr>& list, int k, double otherwise = 0) {
    if (list.empty()) return otherwise;
    return list.size() == 1 ? list[0] : list[std::size_t(k)];
  }

  const Model& model_;
  const Description& description_;
  Values<P> value_;
  Values<double> nominal_;
  ModelParameters<P> numbers_;
};

Pose<float> to_float(const Pose<double>& X) { return {X.R, X.p}; }
Inertia<float> to_float(const Inertia<double>& I) {
  return {float(I.mass), I.first_moment, I.rotational};
}

// Sums of products are computed in double; only the result is rounded.
ModelParameters<float> to_float(const ModelParameters<double>& numbers) {
  ModelParameters<float> result;
  for (const auto& body : numbers.bodies)
    result.bodies.push_back({to_float(body.X_PF), to_float(body.inertia)});
  for (const double constant : numbers.constants) result.constants.push_back(float(constant));
  const auto add_passive = [](const auto& from, auto& to) {
    for (const auto& [q, v, stiffness, rest, damping, friction, slow] : from)
      to.push_back(
          {q, v, float(stiffness), float(rest), float(damping), float(friction), float(slow)});
  };
  add_passive(numbers.passive, result.passive);
  add_passive(numbers.closure_passive, result.closure_passive);
  for (const auto& inertia : numbers.own_inertia) result.own_inertia.push_back(to_float(inertia));
  for (const auto& X : numbers.X_BU) result.X_BU.push_back(to_float(X));
  for (const auto& X : numbers.X_UF) result.X_UF.push_back(to_float(X));
  for (const auto& X : numbers.X_CM) result.X_CM.push_back(to_float(X));
  for (const auto& [X_PF, X_CM, turn] : numbers.closures)
    result.closures.push_back({to_float(X_PF), to_float(X_CM), turn});
  for (const auto& [on_parent, on_child, length] : numbers.rods)
    result.rods.push_back({on_parent, on_child, float(length)});
  for (const auto& [X_PF, X_CM] : numbers.frame_constraints)
    result.frame_constraints.push_back({to_float(X_PF), to_float(X_CM)});
  for (const auto& [X_PF, X_CM, radius, cosine, sine] : numbers.wheels)
    result.wheels.push_back(
        {to_float(X_PF), to_float(X_CM), float(radius), float(cosine), float(sine)});
  each_force_element_kind(numbers, [&](auto kind, const auto& list) {
    for (const auto& element : list)
      std::get<kind>(force_element_lists(result)).push_back(element.to_float());
  });
  for (const double factor : numbers.coupling_factors)
    result.coupling_factors.push_back(float(factor));
  for (const double offset : numbers.coupling_offsets)
    result.coupling_offsets.push_back(float(offset));
  result.gravity = numbers.gravity;
  return result;
}

}  // namespace

template <Scalar P>
ModelParameters<P> make_numbers(const Model& model, std::span<const P> parameters) {
  if (parameters.size() != model.parameters().size())
    throw std::invalid_argument("make_numbers: " + std::to_string(parameters.size()) +
                                " values were given, the model has " +
                                std::to_string(model.parameters().size()) + " parameters");
  if constexpr (std::same_as<P, float>) {
    const std::vector<double> wide(parameters.begin(), parameters.end());
    return to_float(make_numbers<double>(model, wide));
  } else {
    return ParameterMaker<P>(model, parameters).make();
  }
}

#define INSTANTIATE(P) \
  template ModelParameters<P> make_numbers<P>(const Model&, std::span<const P>);
INSTANTIATE(double)
INSTANTIATE(float)
INSTANTIATE(Expr)
INSTANTIATE(Dual<native_lanes>)
INSTANTIATE(Pack<native_lanes>)
#undef INSTANTIATE

}  // namespace trammel
