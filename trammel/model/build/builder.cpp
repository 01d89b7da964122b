#include "trammel/model/build/builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "trammel/model/build/checks.hpp"
#include "trammel/model/build/coupling_checks.hpp"
#include "trammel/model/build/expansions.hpp"
#include "trammel/model/build/motors.hpp"
#include "trammel/model/build/names.hpp"
#include "trammel/model/build/spanning_tree.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/model/description/frames.hpp"
#include "trammel/model/description/joint_table.hpp"

namespace trammel {

class ModelBuilder {
 public:
  ModelBuilder(const Description& description, Diagnostics found, const BuildOptions& options)
      : diagnostics_(std::move(found)), options_(options) {
    model_.description_ = description;
  }

  Model build() {
    add_casters(model_.description_);
    add_moving_ground(model_.description_);
    add_rotors(model_.description_, diagnostics_);
    check_parameter_names(description(), diagnostics_);
    names_ = resolve_names(description(), diagnostics_);
    check_numbers(description(), options_, diagnostics_);
    find_tree();
    if (diagnostics_.has_errors()) throw ModelError(std::move(diagnostics_));

    name_bodies();
    number_joints();
    number_bodies();
    name_frames();
    number_closures();
    number_couplings();
    shape_terrains();
    number_wheels();
    number_force_elements();
    if (!diagnostics_.has_errors()) check_couplings(description(), diagnostics_);
    if (diagnostics_.has_errors()) throw ModelError(std::move(diagnostics_));
    make_nominal_numbers();
    number_element_states();
    warn_of_massless_dofs();
    model_.warnings_ = diagnostics_.list();
    return std::move(model_);
  }

 private:
  const Description& description() const { return model_.description_; }

  // Spanning tree over the joints with valid names; items with an error of their own count as
  // connected.
  void find_tree() {
    std::vector<Edge> edges;
    for (std::size_t k = 0; k < description().joints.size(); ++k) {
      const JointDescription& joint = description().joints[k];
      const ResolvedNames::Ends& ends = names_.joints[k];
      if (ends.are_sound())
        edges.push_back({ends.parent, ends.child, dofs(joint), joint.options.cut,
                         joint.options.drive != Drive::none});
    }
    for (const int body : names_.doubtful) edges.push_back({0, body});
    tree_ = find_spanning_tree(int(description().bodies.size()) + 1, edges);

    for (const auto& [first, size] : tree_.islands) {
      const BodyDescription& body = description().bodies[std::size_t(first) - 1];
      const std::string more = size > 2   ? fmt::format(" and {} more are", size - 1)
                               : size > 1 ? " and 1 more are"
                                          : " is";
      diagnostics_.error(body.place,
                         fmt::format("body '{}'{} not connected to ground", body.name, more),
                         "connect it with a joint, for example a free joint from ground");
    }
  }

  void name_bodies() {
    model_.named_bodies_.push_back({"ground", 0, std::nullopt, {}});
    for (const BodyDescription& body : description().bodies)
      model_.named_bodies_.push_back({body.name, 0, std::nullopt, body.place});
    model_.body_names_ = NameIndex(model_.named_bodies_);
  }

  // tree joints in the order of q, then fixed ones, then loop joints
  void number_joints() {
    using Role = NamedJoint::Role;
    std::vector<JointId> id_of_step(tree_.outward.size());
    for (const Role role : {Role::tree, Role::fixed})
      for (std::size_t s = 0; s < tree_.outward.size(); ++s) {
        const auto& [k, is_reversed, inboard, outboard] = tree_.outward[s];
        const bool is_fixed = description().joints[std::size_t(k)].kind == JointKind::fixed;
        if (is_fixed != (role == Role::fixed)) continue;
        id_of_step[s] = JointId(int(model_.joints_.size()));
        add_joint(k, role, is_reversed);
        model_.named_bodies_[std::size_t(outboard)].inboard = id_of_step[s];
      }
    model_.outward_joints_ = std::move(id_of_step);
    for (const int k : tree_.loops) add_joint(k, Role::loop, false);
    model_.joint_names_ = NameIndex(model_.joints_);
  }
  void add_joint(int k, NamedJoint::Role role, bool is_reversed) {
    const JointDescription& joint = description().joints[std::size_t(k)];
    const ResolvedNames::Ends& ends = names_.joints[std::size_t(k)];
    NamedJoint named;
    named.name = joint.name;
    named.kind = joint.kind;
    named.role = role;
    named.parent = BodyId(ends.parent);
    named.child = BodyId(ends.child);
    named.is_reversed = is_reversed;
    named.description = k;
    named.drive = joint.options.drive;
    named.place = joint.place;
    model_.joints_.push_back(std::move(named));
  }

  // One body of the tree for each joint that moves; bodies on fixed joints are merged into it.
  void number_bodies() {
    model_.bodies_.resize(1);
    int constants = 0;
    for (const auto& [k, is_reversed, inboard, outboard] : tree_.outward) {
      NamedBody& named = model_.named_bodies_[std::size_t(outboard)];
      NamedJoint& joint = model_.joints_[std::size_t(index(*named.inboard))];
      const int parent = model_.named_bodies_[std::size_t(inboard)].tree_body;
      if (joint.role == NamedJoint::Role::fixed) {
        named.tree_body = parent;
        continue;
      }
      const JointDescription& what = description().joints[std::size_t(k)];
      joint.body = named.tree_body = int(model_.bodies_.size());
      joint.q_start = model_.nq_, joint.nq = coordinates(what);
      joint.v_start = model_.nv_, joint.nv = dofs(what);
      model_.bodies_.push_back(
          {parent, model_.nq_, model_.nv_, constants, make_joint(what, is_reversed)});
      if (has_quaternion(what.kind)) model_.quaternion_starts_.push_back(model_.nq_);
      if (is_restricted(model_.bodies_.back().joint))
        model_.restricted_bodies_.push_back(joint.body);
      model_.nq_ += joint.nq;
      model_.nv_ += joint.nv;
      model_.bodies_.back().v_end = model_.nv_;
      const Body& carries = model_.bodies_[std::size_t(parent)];
      for (int l = joint.v_start; l < model_.nv_; ++l)
        model_.inboard_dofs_.push_back(l > joint.v_start ? l - 1 : carries.v_end - 1);
      constants += constant_count(model_.bodies_.back().joint);
      prescribe(joint);
    }
    constants_ = constants;
    mark_last_children();
    share_slots();
    take_fingerprint();
  }
  void prescribe(const NamedJoint& joint) {
    const bool is_prescribed = joint.drive == Drive::motion || joint.drive == Drive::locked;
    model_.has_prescribed_joints_ |= is_prescribed;
    model_.prescribed_.insert(model_.prescribed_.end(), std::size_t(joint.nv),
                              is_prescribed ? joint.drive : Drive::none);
  }
  void mark_last_children() {
    std::vector<Body>& bodies = model_.bodies_;
    for (std::size_t i = bodies.size() - 1; i > 0; --i) {
      Body& parent = bodies[std::size_t(bodies[i].parent)];
      bodies[i].is_last_child = !parent.has_children;
      parent.has_children = true;
    }
  }
  // FNV-1a hash over the parent, the joint type and the dof of each body.
  void take_fingerprint() {
    std::uint64_t hash = 14695981039346656037ULL;
    const auto add = [&](std::size_t number) { hash = (hash ^ number) * 1099511628211ULL; };
    for (const Body& body : model_.bodies_) {
      add(std::size_t(body.parent));
      add(body.joint.index());
      add(std::size_t(body.v_end));
    }
    model_.tree_fingerprint_ = hash;
  }
  void share_slots() {
    std::vector<Body>& bodies = model_.bodies_;
    int used = 0;
    std::vector<int> slots(bodies.size(), -1);
    for (std::size_t i = bodies.size(); i-- > 0;) {
      if (slots[i] < 0) slots[i] = used++;
      if (i > 0 && bodies[i].is_last_child) slots[std::size_t(bodies[i].parent)] = slots[i];
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies[i].slot = slots[i];
      bodies[i].parent_slot = slots[std::size_t(bodies[i].parent)];
    }
  }

  void name_frames() {
    for (std::size_t k = 0; k < description().frames.size(); ++k)
      model_.frames_.push_back({description().frames[k].name, BodyId(names_.frames[k])});
    model_.frame_names_ = NameIndex(model_.frames_);
  }

  // Loop joints, and constraints between frames, which are joints without a name.
  void number_closures() {
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
  void add_point_on_curve(const ConstraintDescription& constraint, const std::string& name,
                          BodyId parent, BodyId child) {
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
      model_.frame_constraints_.push_back({name, parent, child, constraint.kind, constraint.place,
                                           std::move(std::get<Curve>(made))});
  }
  void add_closure(Closure closure) {
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
  BodyId body_of(const std::string& frame_or_body) const {
    if (const auto frame = model_.find_frame(frame_or_body)) return model_[*frame].body;
    return *model_.find_body(frame_or_body);
  }

  void number_couplings() {
    int factors = 0;
    for (const CouplingDescription& coupling : description().couplings) {
      Coupling added{fmt::format("coupling '{}'", coupling.name), {}, factors, coupling.place};
      for (const auto& [name, factor] : coupling.terms) {
        const std::string& term = name;
        const CoordinateName meant = coordinate_named(term);
        const JointId id = *model_.find_joint(meant.joint);
        const NamedJoint& joint = model_[id];
        const int count = dofs(description().joints[std::size_t(joint.description)]);
        const bool is_loop = joint.role == NamedJoint::Role::loop;
        const auto complain = [&](const char* hint) {
          diagnostics_.error(coupling.place.of("terms"),
                             fmt::format("{} couples joint '{}', which has {} coordinates",
                                         added.name, term, count),
                             hint);
        };
        if (count != 1 && has_quaternion(joint.kind)) {
          complain("couple joints with one coordinate: revolute, prismatic or screw");
          continue;
        }
        if (count != 1 && (meant.k < 0 || meant.k >= count)) {
          complain("say which one: \"wrist[0]\" is the first of joint 'wrist'");
          continue;
        }
        const int k = std::max(meant.k, 0);
        added.terms.push_back({is_loop ? model_.closure_of(id) : -1,
                               is_loop ? k : joint.q_start + k, is_loop ? k : joint.v_start + k});
      }
      factors += int(coupling.terms.size());
      model_.couplings_.push_back(std::move(added));
    }
  }

  void shape_terrains() {
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
  BodyId floor_of(const std::string& on) const {
    for (const TerrainDescription& terrain : description().terrains)
      if (terrain.name == on) return body_of(terrain.on);
    return body_of(on);
  }

  void number_wheels() {
    const Values<double> value = evaluate_at_nominal(description());
    for (std::size_t k = 0; k < description().wheels.size(); ++k) {
      const WheelDescription& wheel = description().wheels[k];
      const BodyId floor = floor_of(wheel.on), body = *model_.find_body(wheel.body);
      if (model_[floor].tree_body == model_[body].tree_body)
        diagnostics_.error(
            wheel.place.of("on"),
            fmt::format("wheel '{}' cannot move against '{}', on which it is to roll", wheel.name,
                        wheel.on),
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
  void number_force_elements() {
    each_force_element_kind(description(), [&](auto kind, const auto& descriptions) {
      for (const auto& element : descriptions) {
        const auto [parent_name, child_name] = element.ends();
        const BodyId parent = body_of(*parent_name);
        // the ball of a contact is on a body, not on a frame
        const BodyId child = requires { element.body; }
        ? *model_.find_body(*child_name) : body_of(*child_name);
        if (model_[parent].tree_body == model_[child].tree_body) refuse_one_body(element);
        model_.force_elements_[kind].push_back(
            {fmt::format("{} '{}'", element.kind, element.name), parent, child, element.place});
      }
    });
  }
  void refuse_one_body(const ContactDescription& contact) {
    diagnostics_.error(contact.place.of("on"),
                       fmt::format("contact '{}' cannot move against '{}', which it may touch",
                                   contact.name, contact.on),
                       "let it touch a body that its own body can move against");
  }
  template <class Element> void refuse_one_body(const Element& element) {
    diagnostics_.error(
        element.place.of("between"),
        fmt::format("{} '{}' is between two places of one body", element.kind, element.name),
        "name frames of two bodies that can move against each other");
  }
  // After the parameters: places of the elements' states in State::z.
  void number_element_states() {
    model_.has_force_elements_ = !model_.numbers_.closure_passive.empty();
    each_force_element_kind(model_.numbers_, [&](auto kind, const auto& list) {
      for (std::size_t k = 0; k < list.size(); ++k) {
        model_.has_force_elements_ = true;
        model_.force_elements_[kind][k].z_start = model_.nz_;
        model_.nz_ += nz_of(list[k]);
      }
    });
  }

  void make_nominal_numbers() {
    std::vector<double> nominal;
    for (const ParameterDescription& parameter : description().parameters)
      nominal.push_back(parameter.value);
    model_.numbers_ = make_numbers<double>(model_, nominal);

    const Values<double> value = evaluate_at_nominal(description());
    for (NamedJoint& joint : model_.joints_) {
      const JointOptions& options = description().joints[std::size_t(joint.description)].options;
      joint.X_PF = pose_of(options.at, value);
      joint.X_CM = pose_of(options.child_at, value);
      joint.limits = {.lower = values_of(options.limits.lower, value),
                      .upper = values_of(options.limits.upper, value),
                      .velocity = values_of(options.limits.velocity, value),
                      .effort = values_of(options.limits.effort, value),
                      .restitution = values_of(options.limits.restitution, value)};
      drop_exchanged_limits(joint.limits);
    }
    measure();
  }
  // If a lower limit exceeds the upper one, neither is used for that coordinate.
  static void drop_exchanged_limits(BasicJointLimits<double>& limits) {
    std::vector<double>&lower = limits.lower, &upper = limits.upper;
    if (lower.empty() || upper.empty()) return;
    const std::size_t count = std::max(lower.size(), upper.size());
    bool are_exchanged = false;
    for (std::size_t k = 0; k < count; ++k)
      are_exchanged |= lower[lower.size() == 1 ? 0 : k] > upper[upper.size() == 1 ? 0 : k];
    if (!are_exchanged) return;
    lower.resize(count, lower[0]), upper.resize(count, upper[0]);
    bool are_limits_left = false;
    for (std::size_t k = 0; k < count; ++k) {
      if (lower[k] > upper[k]) {
        lower[k] = -std::numeric_limits<double>::infinity();
        upper[k] = std::numeric_limits<double>::infinity();
      }
      are_limits_left |= std::isfinite(lower[k]) || std::isfinite(upper[k]);
    }
    if (!are_limits_left) lower.clear(), upper.clear(), limits.restitution.clear();
  }
  void measure() {
    double sum = 0;
    int count = 0;
    for (std::size_t i = 2; i < model_.bodies_.size(); ++i) {
      const double distance = norm(model_.numbers_.bodies[i].X_PF.p);
      sum += distance;
      count += distance > 0 ? 1 : 0;
    }
    // if all joints are at one point, the lengths of rods and curves are used
    if (count == 0)
      for (const auto& rod : model_.numbers_.rods) sum += rod.length, ++count;
    if (count == 0)
      for (const FrameConstraint& constraint : model_.frame_constraints_)
        sum += constraint.curve.length() / 4, ++count;
    if (sum > 0) model_.characteristic_length_ = sum / count;
  }

  // Massless links between bodies connected by a loop, a wheel or a coupling may be determined by
  // these constraints: that depends on the pose, and `trammel check` tests it at the initial state.
  void warn_of_massless_dofs() {
    const std::size_t n = model_.bodies_.size();
    std::vector<bool> has_inertia(n, false);
    for (std::size_t i = n - 1; i > 0; --i) {
      const Inertia<double>& I = model_.numbers_.bodies[i].inertia;
      if (I.mass > 0 || trace(I.rotational) > 0) has_inertia[i] = true;
      if (has_inertia[i]) has_inertia[std::size_t(model_.bodies_[i].parent)] = true;
    }
    for (std::size_t i = 1; i < n; ++i) {
      if (has_inertia[i] || is_constrained(int(i))) continue;
      const NamedJoint& joint = model_.joints_[i - 1];
      diagnostics_.warning(
          joint.place, fmt::format("joint '{}' moves nothing that has mass or inertia", joint.name),
          "give one of the bodies it moves a mass; without, only loops can determine its "
          "acceleration");
    }
  }

  // A constraint acts on the bodies that the joint of `body` moves, or its motion is prescribed.
  bool is_constrained(int body) const {
    const auto is_outboard = [&](BodyId id) {
      int i = model_[id].tree_body;
      while (i > body) i = model_.bodies_[std::size_t(i)].parent;
      return i == body;
    };
    const auto holds = [&](const auto& item) {
      return is_outboard(item.parent) != is_outboard(item.child);
    };
    const NamedJoint& joint = model_.joints_[std::size_t(body) - 1];
    const auto couples = [&](const Coupling& coupling) {
      return std::ranges::any_of(coupling.terms, [&](const Coupling::Term& term) {
        return term.closure < 0 && term.v >= joint.v_start && term.v < joint.v_start + joint.nv;
      });
    };
    return joint.drive == Drive::motion || joint.drive == Drive::locked ||
           std::ranges::any_of(model_.closures_, holds) ||
           std::ranges::any_of(model_.rods_, holds) ||
           std::ranges::any_of(model_.frame_constraints_, holds) ||
           std::ranges::any_of(model_.wheels_, holds) ||
           std::ranges::any_of(model_.couplings_, couples);
  }

  Model model_;
  Diagnostics diagnostics_;
  BuildOptions options_;
  ResolvedNames names_;
  SpanningTree tree_;
  int constants_ = 0;  // of joints and closures, so far
};

Model build_model(const Description& description, Diagnostics found, const BuildOptions& options) {
  return ModelBuilder(description, std::move(found), options).build();
}

Model rebuild_model(const Description& description, Diagnostics found) {
  return build_model(description, std::move(found), {.allow_nonphysical = true});
}

}  // namespace trammel
