// A constraint whose rows lie in the span of the others on the whole manifold changes nothing:
// accelerations, mobility, efforts and motion stay the same, and reactions that are unique with it
// and without it agree. Each family is put into random mechanisms: rods, gears, points and welds
// separately; then every joint gets the constraint that its own rows span.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/how_many.hpp"
#include "tests/support/placement_of.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "tests/support/same_mechanics.hpp"

namespace trammel::redundant_constraint_test {
namespace {

using Kind = ConstraintDescription::Kind;

// Makes the state of the robot the start of its description.
void start_at(const Model& model, const State& state, Description& description) {
  description.start_positions.clear();
  for (const NamedJoint& joint : model.joints()) {
    if (joint.role != NamedJoint::Role::tree || joint.nv == 0) continue;
    StartDescription position{.joint = joint.name}, velocity{.joint = joint.name};
    for (int k = 0; k < joint.nq; ++k)
      position.values.emplace_back(state.q[std::size_t(joint.q_start + k)]);
    for (int k = 0; k < joint.nv; ++k)
      velocity.values.emplace_back(state.v[std::size_t(joint.v_start + k)]);
    description.start_positions.push_back(position);
    description.velocity_guesses.push_back(velocity);
  }
}

// A tree or, alternately, a closed mechanism, with its random numbers.
struct Base {
  explicit Base(int seed) : random(seed + 31000) {
    if (seed % 2 == 0) {
      RandomRobot robot(seed, {.bodies = 3 + seed % 7, .only_fixed_base = seed % 4 == 0});
      description = robot.description;
      start_at(robot.model, robot.state, description);
    } else {
      RandomClosedRobot robot(seed);
      description = robot.description;
      State state = robot.state;
      start_at(robot.model, state, description);
    }
    const Model model = build_model(description);
    bodies = description.bodies.size();
    for (std::size_t j = 0; j < description.joints.size(); ++j) {
      const auto id = model.find_joint(description.joints[j].name);
      if (!id || model[*id].role != NamedJoint::Role::tree) continue;
      if (model[*id].nv == 1) single.push_back(j);
      if (description.joints[j].kind == JointKind::revolute) hinges.push_back(j);
    }
  }
  const std::string& some_body() {
    return description.bodies[std::size_t(random.below(int(bodies)))].name;
  }
  Vec3<Expr> some_point() {
    const Vec3<double> p = random.vector(0.3);
    return {p.x, p.y, p.z};
  }

  Random random;
  Description description;
  std::size_t bodies = 0;
  // joints of the tree: with one degree of freedom, and revolute
  std::vector<std::size_t> single, hinges;
};

// The constraint that the rows of this joint span; empty if there is none.
std::optional<Kind> spanned_by(JointKind kind) {
  switch (kind) {
    case JointKind::revolute:
    case JointKind::universal:
    case JointKind::spherical: return Kind::point;
    case JointKind::fixed: return Kind::weld;
    default: return {};
  }
}

void add_spanned(Description& description, const JointDescription& joint, Kind kind) {
  const std::string here = joint.name + " here", there = joint.name + " there";
  description.frame(here, joint.parent, joint.options.at);
  description.frame(there, joint.child, joint.options.child_at);
  description.constraints.push_back(
      {.name = joint.name + " again", .kind = kind, .frame = here, .other_frame = there});
}

// Adds to every joint the constraint its rows span, and to every coupling its multiple.
int add_all_spanned(Description& description) {
  int added = 0;
  const std::vector<JointDescription> joints = description.joints;
  for (const JointDescription& joint : joints)
    if (const std::optional<Kind> kind = spanned_by(joint.kind)) {
      add_spanned(description, joint, *kind);
      ++added;
    }
  const auto couplings = description.couplings;
  for (auto again : couplings) {
    again.name += " again";
    for (auto& [joint, factor] : again.terms) factor = Expr(-1.7) * factor;
    again.offset = Expr(-1.7) * again.offset;
    description.couplings.push_back(again);
    ++added;
  }
  return added;
}

class RedundantConstraint : public testing::Test {
 protected:
  // Adds to every joint the constraint its rows span. Compares accelerations and mobility of all
  // robots, everything for some.
  void compare_spanned(const Description& one, const State& state, const std::vector<double>& tau,
                       int seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Description more = one;
    if (add_all_spanned(more) == 0) return;
    SameMechanics both(one, more, state);
    if (seed % 10 == 0) {
      both.compare(tau);
    } else {
      std::vector<double> a;
      both.compare_accelerations(tau, a);
      if (!HasFatalFailure()) both.compare_mobility();
    }
    ++compared_;
  }

  void compare(const Description& one, const Description& two, Random& random, int seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    SameMechanics both(one, two);
    if (HasFailure()) return;
    const std::vector<double> tau = random.numbers(both.one.nv());
    std::vector<double> a(tau.size());
    // an inertia is missing: nothing to compare
    if (!forward_dynamics(both.one, both.state, {.tau = tau}, both.one_workspace, a).ok()) return;
    both.compare(tau);
    if (HasFatalFailure()) return;
    if (seed % 5 == 0) both.compare_linearizations(tau);
    if (seed % 8 < 2) SameMechanics::compare_motions(one, two, 0.05);
    shared_ += both.shared;
    ++compared_;
  }

  int compared_ = 0, shared_ = 0;
};

// A rod between two bodies that are fixed to each other, by a joint or by a weld. (Between two
// points of one body it is refused by name.)
TEST_F(RedundantConstraint, of_a_rod_inside_a_rigid_body_changes_nothing) {
  for (int seed = 1; seed <= how_many(40); ++seed) {
    Base base(seed);
    Description one = base.description;
    const std::string body = base.some_body();
    const Vec3<double> p = base.random.vector(0.3), q = base.random.vector(0.3);
    one.frame("left eye", body, {.xyz = {p.x, p.y, p.z}});
    one.body("attached", {.mass = 0.3, .inertia = {0.01, 0.0, 0.0, 0.01, 0.0, 0.01}});
    if (seed % 4 < 2) {
      one.joint("glue", JointKind::fixed, body, "attached", {});
    } else {
      // attached by a weld, a constraint of six rows; its only joint is a free one
      one.joint("attached", JointKind::free, "ground", "attached", {});
      one.constraints.push_back(
          {.name = "weld", .kind = Kind::weld, .frame = body, .other_frame = "attached"});
    }
    one.frame("right eye", "attached", {.xyz = {q.x, q.y, q.z}});
    Description two = one;
    two.constraints.push_back({.name = "needless rod",
                               .kind = Kind::distance,
                               .frame = "left eye",
                               .other_frame = "right eye",
                               .distance = norm(p - q)});
    compare(one, two, base.random, seed);
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(compared_, how_many(40) - 5);
}

// A parallelogram on a body of the mechanism, with a second rod parallel to its coupler.
TEST_F(RedundantConstraint, of_a_second_rod_of_a_parallelogram_changes_nothing) {
  for (int seed = 1; seed <= how_many(40); ++seed) {
    Base base(seed);
    Description one = base.description;
    const std::string body = base.some_body();
    const double crank = base.random(0.2, 0.5), length = base.random(0.3, 0.8);
    const double angle = base.random(0.4, 2.6), part = base.random(0.3, 0.8);
    const Vec3<double> turned = base.random.vector(2);
    const Mat3<double> R = exponential_rotation(turned);
    const Vec3<double> at = base.random.vector(0.2), along = R * Vec3<double>{length, 0, 0};
    const Solid bar{
        .mass = 0.4, .com = {0.1, 0.0, 0.0}, .inertia = {0.01, 0.0, 0.0, 0.01, 0.0, 0.01}};
    for (const char* name : {"near", "far", "coupler"}) one.body(name, bar);
    one.joint("near", JointKind::revolute, body, "near",
              {.at = placement_of({R, at}), .axis = {0.0, 0.0, 1.0}});
    one.joint("far", JointKind::revolute, body, "far",
              {.at = placement_of({R, at + along}), .axis = {0.0, 0.0, 1.0}});
    one.joint("knee", JointKind::revolute, "near", "coupler",
              {.at = {.xyz = {crank, 0.0, 0.0}}, .axis = {0.0, 0.0, 1.0}});
    one.joint("foot", JointKind::revolute, "far", "coupler",
              {.at = {.xyz = {crank, 0.0, 0.0}},
               .child_at = {.xyz = {length, 0.0, 0.0}},
               .axis = {0.0, 0.0, 1.0},
               .cut = true});
    for (const auto& [joint, value] : {std::pair("near", angle), {"far", angle}, {"knee", -angle}})
      one.start_positions.push_back({joint, {value}, {}});
    Description two = one;
    two.frame("near eye", "near", {.xyz = {part * crank, 0.0, 0.0}});
    two.frame("far eye", "far", {.xyz = {part * crank, 0.0, 0.0}});
    two.constraints.push_back({.name = "needless rod",
                               .kind = Kind::distance,
                               .frame = "near eye",
                               .other_frame = "far eye",
                               .distance = length});
    compare(one, two, base.random, seed);
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(compared_, how_many(40) - 5);
  EXPECT_GT(shared_, 0);  // the force of the coupler is no longer unique
}

// Gears a:b and b:c, and between a and c the ratio that follows from them.
TEST_F(RedundantConstraint, of_a_gear_ratio_through_a_third_gear_changes_nothing) {
  int geared = 0;
  for (int seed = 2; seed <= 2 * how_many(120); seed += 2) {  // trees
    Base base(seed);
    if (base.single.size() < 3) continue;
    ++geared;
    Description one = base.description;
    const auto value = [&](std::size_t j) {
      const auto& starts = one.start_positions;
      const std::string& name = one.joints[base.single[j]].name;
      return std::ranges::find(starts, name, &StartDescription::joint)->values[0].constant();
    };
    const double r = base.random(0.5, 3), s = base.random(-3, -0.5);
    const std::string a = one.joints[base.single[0]].name, b = one.joints[base.single[1]].name,
                      c = one.joints[base.single[2]].name;
    one.couplings.push_back({"a:b", {{a, 1.0}, {b, -r}}, value(0) - r * value(1), {}});
    one.couplings.push_back({"b:c", {{b, 1.0}, {c, -s}}, value(1) - s * value(2), {}});
    Description two = one;
    two.couplings.push_back(
        {"a:c", {{a, 2.0}, {c, -2 * r * s}}, 2 * (value(0) - r * s * value(2)), {}});
    compare(one, two, base.random, seed);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(geared, how_many(120) / 5);
  EXPECT_GE(compared_, geared - 3);
}

// A point on the axis of a revolute joint constrained once more, and once again.
TEST_F(RedundantConstraint, of_points_on_the_axis_of_a_hinge_changes_nothing) {
  int hinged = 0;
  for (int seed = 1; seed <= how_many(40); ++seed) {
    Base base(seed);
    if (base.hinges.empty()) continue;
    ++hinged;
    Description one = base.description, two = one;
    const JointDescription& hinge = one.joints[base.hinges[0]];
    const auto numbers = [](const Vec3<Expr>& x) {
      return Vec3<double>{x.x.constant(), x.y.constant(), x.z.constant()};
    };
    const auto pose = [&](const Placement& placement) {
      const Vec3<double> rpy = numbers(placement.rpy);
      return Pose<double>{rotation_rpy(sin_cos(rpy.x), sin_cos(rpy.y), sin_cos(rpy.z)),
                          numbers(placement.xyz)};
    };
    for (int k = 0; k < 2; ++k) {
      const Vec3<double> on_axis = base.random(-0.5, 0.5) * numbers(hinge.options.axis);
      const Vec3<double> p = pose(hinge.options.at) * on_axis;
      const Vec3<double> c = pose(hinge.options.child_at) * on_axis;
      const std::string number = std::to_string(k);
      two.frame("pin" + number, hinge.parent, {.xyz = {p.x, p.y, p.z}});
      two.frame("hole" + number, hinge.child, {.xyz = {c.x, c.y, c.z}});
      two.constraints.push_back({.name = "point" + number,
                                 .kind = Kind::point,
                                 .frame = "pin" + number,
                                 .other_frame = "hole" + number});
    }
    compare(one, two, base.random, seed);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(hinged, how_many(40) / 2);
  EXPECT_GE(compared_, hinged - 5);
  EXPECT_GT(shared_, 0);
}

// Welds between welded bodies: by a joint, by a constraint, through a third body.
TEST_F(RedundantConstraint, of_a_weld_between_welded_bodies_changes_nothing) {
  for (int seed = 1; seed <= how_many(40); ++seed) {
    Base base(seed);
    Description one = base.description;
    const std::string body = base.some_body();
    const Solid block{.mass = 0.3, .inertia = {0.01, 0.0, 0.0, 0.01, 0.0, 0.01}};
    one.body("second", block);
    one.body("third", block);
    const Placement at{.xyz = base.some_point(), .rpy = base.some_point()};
    if (seed % 2 == 0) {
      one.joint("glue", JointKind::fixed, body, "second", {.at = at});
    } else {
      // a free body, welded by a constraint
      one.frame("seat", body, at);
      one.joint("second", JointKind::free, "ground", "second", {});
      one.constraints.push_back(
          {.name = "weld", .kind = Kind::weld, .frame = "seat", .other_frame = "second"});
    }
    one.joint("third", JointKind::fixed, "second", "third", {.at = at});
    Description two = one;
    two.frame("seat of second", body, at);
    two.frame("seat of third", "second", at);
    two.constraints.push_back({.name = "weld again",
                               .kind = Kind::weld,
                               .frame = "seat of second",
                               .other_frame = "second"});
    two.constraints.push_back({.name = "weld third",
                               .kind = Kind::weld,
                               .frame = "seat of third",
                               .other_frame = "third"});
    compare(one, two, base.random, seed);
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(compared_, how_many(40) - 5);
}

// A body on two revolute joints with different axes cannot move; a second copy of the first joint
// of the mechanism is fixed to it.
TEST_F(RedundantConstraint, of_a_loop_through_a_body_that_cannot_move_changes_nothing) {
  int hinged = 0;
  for (int seed = 1; seed <= how_many(120); ++seed) {
    Base base(seed);
    std::size_t which = base.description.joints.size();
    for (const std::size_t j : base.hinges)
      if (base.description.joints[j].parent == "ground") which = j;
    if (which == base.description.joints.size()) continue;
    ++hinged;
    Description one = base.description;
    one.body("frame", {.mass = 2.0, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
    one.joint("left foot", JointKind::revolute, "ground", "frame", {.axis = {0.0, 0.0, 1.0}});
    const Placement aside{.xyz = {0.4, 0.1, 0.0}};
    one.joint("right foot", JointKind::revolute, "ground", "frame",
              {.at = aside, .child_at = aside, .axis = {0.0, 0.0, 1.0}, .cut = true});
    Description two = one;
    JointDescription again = one.joints[which];  // the frame coincides with ground
    again.name += " again";
    again.parent = "frame";
    again.options = {.at = again.options.at,
                     .child_at = again.options.child_at,
                     .axis = again.options.axis,
                     .cut = true};
    two.joints.push_back(again);
    compare(one, two, base.random, seed);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(hinged, 5);
  EXPECT_GE(compared_, hinged - 3);
}

// The point constraint that a revolute, universal or ball joint spans, a weld of fixed bodies, a
// multiple of a coupling: all at once.
TEST_F(RedundantConstraint, of_what_every_joint_of_random_trees_spans_changes_nothing) {
  for (int seed = 1; seed <= 300; ++seed) {
    const RandomRobot robot(seed, {.bodies = 1 + seed % 12});
    compare_spanned(robot.description, robot.state, robot.a, seed);
    if (HasFailure()) return;
  }
  EXPECT_GT(compared_, 200);
}

TEST_F(RedundantConstraint, of_what_every_joint_of_closed_mechanisms_spans_changes_nothing) {
  for (int seed = 1; seed <= 200; ++seed) {
    const RandomClosedRobot robot(seed);
    compare_spanned(robot.description, robot.state, robot.tau, seed);
    if (HasFailure()) return;
  }
  EXPECT_GT(compared_, 150);
}

// Simulation through all poses: the same path.
TEST_F(RedundantConstraint, of_what_every_joint_spans_changes_no_motion) {
  for (const char* name : {"double_pendulum", "six_axis_arm", "four_bar"}) {
    SCOPED_TRACE(name);
    const Description description = load_model(std::string("@") + name).description();
    Description more = description;
    ASSERT_GT(add_all_spanned(more), 0);
    SameMechanics::compare_motions(description, more, 0.4);
  }
}

}  // namespace
}  // namespace trammel::redundant_constraint_test
