// Independence of the cut: random mechanisms with loops, and the same ones with another joint of a
// loop cut, have the same motion, the same reactions (also the non-unique ones of minimum norm, for
// any weights), and the same uniqueness flags. Springs, dampers, dry friction and efforts stay with
// their joints in the loop and in the tree.
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "tests/support/random_closed_robot.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/spatial/conventions.hpp"

namespace trammel::moved_cut_test {
namespace {

JointDescription& said_of(Description& description, const std::string& name) {
  return *std::ranges::find(description.joints, name, &JointDescription::name);
}
const Closure& closure_of(const Model& model, const std::string& name) {
  return *std::ranges::find_if(model.closures(), [&](const Closure& closure) {
    return closure.named && model[*closure.named].name == name;
  });
}

std::vector<JointId> way_to_ground(const Model& model, BodyId body) {
  std::vector<JointId> way;
  while (const std::optional<JointId> inboard = model[body].inboard) {
    way.push_back(*inboard);
    body = model[*inboard].is_reversed ? model[*inboard].child : model[*inboard].parent;
  }
  return way;
}

// A joint of the tree on the first loop that may be cut instead. A weld is excluded: in the tree it
// would merge two bodies, and leave rods with both ends on one body. The angle of a loop joint is
// determined within half a turn of the rest angle of its spring: its turn must be within that
// range.
std::optional<std::string> another_joint(const RandomClosedRobot& robot) {
  const NamedJoint& closing = robot.model[*robot.model.find_joint("loop0")];
  if (closing.kind == JointKind::fixed) return std::nullopt;
  const std::vector<JointId> one = way_to_ground(robot.model, closing.parent),
                             other = way_to_ground(robot.model, closing.child);
  std::vector<JointId> round;
  for (const auto& [way, opposite] : {std::pair(&one, &other), std::pair(&other, &one)})
    for (const JointId id : *way)
      if (std::ranges::find(*opposite, id) == opposite->end()) round.push_back(id);
  for (const JointId id : round) {
    const NamedJoint& joint = robot.model[id];
    if (joint.role != NamedJoint::Role::tree || joint.nv == 6) continue;
    const JointOptions& how = robot.description.joints[std::size_t(joint.description)].options;
    bool is_near = true;
    for (int k = 0; !how.stiffness.empty() && k < joint.nq; ++k)
      is_near &=
          std::abs(robot.state.q[std::size_t(joint.q_start + k)] - how.rest[0].constant()) < 3;
    if (is_near) return joint.name;
  }
  return std::nullopt;
}

// A mechanism at a state, with efforts by joint name.
struct Mechanism {
  explicit Mechanism(const Description& description)
      : model(build_model(description)), workspace(model), state(neutral_state(model)) {}

  void push(const std::map<std::string, std::vector<double>>& efforts) {
    tau.assign(std::size_t(model.nv()), 0);
    loop_tau.assign(std::size_t(model.loop_nv()), 0);
    for (const auto& [name, numbers] : efforts) {
      const NamedJoint& joint = model[*model.find_joint(name)];
      const bool is_tree = joint.role == NamedJoint::Role::tree;
      std::ranges::copy(numbers, is_tree ? tau.begin() + joint.v_start
                                         : loop_tau.begin() + closure_of(model, name).v_start);
    }
  }
  void ask(const std::map<std::string, double>& weights, double length) {
    ConstrainedAnswer answer;
    Status status = constrained_dynamics(model, state, inputs(), workspace, answer);
    ASSERT_TRUE(status.ok()) << status.message();
    a.assign(answer.a.begin(), answer.a.end());
    const double least = answer.basis.least();
    tolerance = std::max(1e-9, 1e-14 / (least * least));  // rule of tests/README.md
    status = constrained_reactions(model, state, inputs(), workspace, carried);
    ASSERT_TRUE(status.ok()) << status.message();
    StressWeights stress{.length = length};
    for (const NamedJoint& joint : model.joints()) stress.joints.push_back(weights.at(joint.name));
    status = constrained_reactions(model, state, inputs(), workspace, weighted,
                                   ConstraintSolver::automatic, stress);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  Inputs inputs() const { return {.tau = tau, .loop_tau = loop_tau}; }
  Motion<double> acceleration_of(const std::string& body) {
    Kinematics moving(model);
    EXPECT_TRUE(kinematics(model, state, {.a = a}, workspace, moving).ok());
    return acceleration(model, moving, frame_ref(model, body), Axes::world);
  }

  Model model;
  Workspace workspace;
  State state;
  std::vector<double> tau, loop_tau, a;
  UniqueReactions carried, weighted;
  double tolerance = 0;
};

// Returns the number of reaction components that are not unique.
int expect_alike(Mechanism& one, Mechanism& other) {
  const double tolerance = std::max(one.tolerance, other.tolerance);
  const auto list = [](const auto& six) {
    const std::array<double, 6> numbers = angular_first(six);
    return Eigen::Matrix<double, 6, 1>(numbers.data());
  };
  double fastest = 1, largest = 1;
  for (const double x : one.a) fastest = std::max(fastest, std::abs(x));
  for (const Force<double>& F : one.carried.force)
    largest = std::max(largest, list(F).cwiseAbs().maxCoeff());
  for (const NamedBody& body : one.model.named_bodies())
    EXPECT_LT((list(one.acceleration_of(body.name)) - list(other.acceleration_of(body.name)))
                  .cwiseAbs()
                  .maxCoeff(),
              tolerance * fastest)
        << body.name;
  EXPECT_NEAR(one.carried.length, other.carried.length, 1e-14 * one.carried.length);
  int chosen = 0;
  for (std::size_t j = 0; j < one.model.joints().size(); ++j) {
    const std::string& name = one.model.joints()[j].name;
    const auto k = std::size_t(index(*other.model.find_joint(name)));
    EXPECT_EQ(one.carried.is_unique[j], other.carried.is_unique[k]) << name;
    const auto apart = [&](const UniqueReactions& a, const UniqueReactions& b) {
      return (list(a.force[j]) - list(b.force[k])).cwiseAbs().maxCoeff();
    };
    EXPECT_LT(apart(one.carried, other.carried), tolerance * largest) << name;
    EXPECT_LT(apart(one.weighted, other.weighted), tolerance * largest) << name << ", weighted";
    for (std::size_t c = 0; c < 6; ++c) {
      if (one.carried.is_unique[j][c])
        EXPECT_NEAR(list(one.carried.force[j])[Eigen::Index(c)],
                    list(one.weighted.force[j])[Eigen::Index(c)], tolerance * largest)
            << name << " " << c;
      else
        ++chosen;
    }
  }
  return chosen;
}

// Cuts `name` instead of "loop0". Start values go with the joints of the tree.
Description with_moved_cut(const Mechanism& before, Description description,
                           const std::string& name, const LoopMotion& loops) {
  said_of(description, "loop0").options.cut = false;
  said_of(description, name).options.cut = true;
  std::erase_if(description.start_positions,
                [&](const auto& start) { return start.joint == name; });
  StartDescription start{.joint = "loop0"};
  const int q_start = closure_of(before.model, "loop0").q_start;
  for (int k = 0; k < coordinates(said_of(description, "loop0")); ++k)
    start.values.emplace_back(loops.q[q_start + k]);
  if (!start.values.empty()) description.start_positions.push_back(start);
  return description;
}

TEST(MovedCut, changes_only_which_joints_have_coordinates) {
  int moved = 0, rubbing = 0, chosen = 0;
  for (int seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    RandomClosedRobot robot(seed, seed % 3 == 0);
    const std::optional<std::string> name = another_joint(robot);
    if (!name) continue;  // the number of robots with such a joint is checked below
    ++moved;
    SCOPED_TRACE(*name);
    Description description = robot.description;
    for (const std::string& joint : {std::string("loop0"), *name}) {
      JointDescription& rubs = said_of(description, joint);
      if (rubs.kind == JointKind::fixed || has_quaternion(rubs.kind)) continue;
      rubs.options.friction = {0.7};
      rubs.options.friction_speed = {0.2};
      ++rubbing;
    }
    Mechanism before(description);
    before.state = robot.state;
    LoopMotion loops;
    ASSERT_TRUE(loop_motion(before.model, before.state, before.workspace, loops).ok());

    Mechanism after(with_moved_cut(before, description, *name, loops));
    EXPECT_EQ(after.model[*after.model.find_joint(*name)].role, NamedJoint::Role::loop);
    EXPECT_NE(after.model[*after.model.find_joint("loop0")].role, NamedJoint::Role::loop);
    std::map<std::string, std::vector<double>> efforts;
    for (const NamedJoint& joint : after.model.joints()) {
      if (joint.role != NamedJoint::Role::tree) continue;
      efforts[joint.name] = robot.open.random.numbers(joint.nv);
      const double *q = loops.q.data(), *v = loops.v.data();
      if (joint.name == "loop0") {
        const Closure& closure = closure_of(before.model, "loop0");
        q += closure.q_start, v += closure.v_start;
      } else {
        const NamedJoint& same = before.model[*before.model.find_joint(joint.name)];
        q = before.state.q.data() + same.q_start, v = before.state.v.data() + same.v_start;
      }
      std::copy_n(q, joint.nq, after.state.q.begin() + joint.q_start);
      std::copy_n(v, joint.nv, after.state.v.begin() + joint.v_start);
    }
    efforts[*name] = robot.open.random.numbers(dofs(said_of(description, *name)));
    before.push(efforts);
    after.push(efforts);
    std::map<std::string, double> weights;
    for (const NamedJoint& joint : before.model.joints())
      weights[joint.name] = 0.3 + std::abs(robot.open.random());
    before.ask(weights, 0.37);
    after.ask(weights, 0.37);
    if (HasFatalFailure()) return;
    chosen += expect_alike(before, after);
  }
  EXPECT_GT(chosen, 1000);
  EXPECT_GT(moved, 120);
  EXPECT_GT(rubbing, 120);
}

}  // namespace
}  // namespace trammel::moved_cut_test
