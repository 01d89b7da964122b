// Batches of closed mechanisms: inverse dynamics, reactions and projection of many states are those
// of the single functions, bitwise equal for any number of threads, and a state does not affect the
// others.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tests/support/random_closed_robot.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/solver/recursive_solver.hpp"
#include "trammel/constraint/system/constraint_evaluation.hpp"
#include "trammel/dynamics/batch.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"
#include "trammel/read/load.hpp"

namespace trammel::batches_with_loops_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

State state_of(const Eigen::MatrixXd& q, const Eigen::MatrixXd& v, int s) {
  State state;
  state.q.assign(q.col(s).begin(), q.col(s).end());
  state.v.assign(v.col(s).begin(), v.col(s).end());
  return state;
}
std::span<const double> span(const Eigen::VectorXd& x) { return {x.data(), std::size_t(x.size())}; }

// Closed states near one another, efforts, and the accelerations under these.
struct ManyStates {
  ManyStates(const Model& model_, const State& around, int count_)
      : model(model_),
        count(count_),
        q(model.nq(), count),
        v(model.nv(), count),
        tau(model.nv(), count),
        a(model.nv(), count) {
    Workspace workspace(model);
    Random random(5);
    for (int s = 0; s < count; ++s) {
      State state = around;
      std::vector<double> away(state.v.size());
      for (double& x : away) x = 0.05 * random();
      integrate(model, around.q, away, state.q);
      for (double& x : state.v) x = random();
      EXPECT_TRUE(assemble(model, state, workspace).ok());
      q.col(s) = Eigen::Map<Eigen::VectorXd>(state.q.data(), model.nq());
      v.col(s) = Eigen::Map<Eigen::VectorXd>(state.v.data(), model.nv());
      for (int k = 0; k < model.nv(); ++k) tau(k, s) = random();
      const Eigen::VectorXd effort = tau.col(s);
      const Status status = forward_dynamics(model, state, {.tau = span(effort)}, workspace,
                                             {&a(0, s), std::size_t(model.nv())});
      EXPECT_TRUE(status.ok()) << status.message();
    }
  }
  Eigen::MatrixXd efforts(int threads, Status& status) const {
    BatchWorkspace workspace(model, threads);
    Eigen::MatrixXd out = Eigen::MatrixXd::Constant(model.nv(), count, nan);
    status = inverse_dynamics_batch(model, {q, v}, a, workspace, out);
    return out;
  }
  Eigen::MatrixXd reactions(int threads, Status& status) const {
    BatchWorkspace workspace(model, threads);
    Eigen::MatrixXd out =
        Eigen::MatrixXd::Constant(6 * Eigen::Index(model.joints().size()), count, nan);
    status = reactions_batch(model, {q, v}, tau, workspace, out);
    return out;
  }

  const Model& model;
  int count;
  Eigen::MatrixXd q, v, tau, a;
};

// Different methods (QR of blocks in lanes; rank decision and complete orthogonal decomposition):
// rounding times the condition of the rows, of random mechanisms some thousands.
constexpr double same = 1e-8;

// The batch fails where a single state does, with its reason; else both results are those of the
// rank decision at the state (drive_efforts).
void expect_same_efforts(const ManyStates& many) {
  Status status;
  const Eigen::MatrixXd efforts = many.efforts(1, status);
  Workspace workspace(many.model);
  for (int s = 0; s < many.count; ++s) {
    std::vector<double> one(std::size_t(many.model.nv()));
    const Eigen::VectorXd wanted = many.a.col(s);
    const Status alone = inverse_dynamics(many.model, state_of(many.q, many.v, s),
                                          {.a = span(wanted)}, workspace, one);
    if (!alone.ok()) {  // underactuated
      EXPECT_EQ(status.message(),
                "inverse_dynamics_batch: in state " + std::to_string(s) + " " +
                    alone.message().substr(std::string("inverse_dynamics: ").size()));
      return;
    }
    ASSERT_TRUE(status.ok()) << status.message();
    DriveEfforts dense;
    const Status decided = drive_efforts(many.model, state_of(many.q, many.v, s),
                                         {.a = span(wanted)}, workspace, dense);
    ASSERT_TRUE(decided.ok()) << decided.message();
    const double size = 1 + many.tau.col(s).lpNorm<Eigen::Infinity>();
    for (int f = 0; f < many.model.nv(); ++f) {
      EXPECT_NEAR(efforts(f, s), dense.tau[f], same * size) << s << " " << f;
      EXPECT_NEAR(one[std::size_t(f)], dense.tau[f], same * size) << s << " " << f;
    }
  }
  EXPECT_EQ(many.efforts(2, status), efforts);
}

std::array<double, 6> six_of(const Force<double>& F) {
  return {F.moment.x, F.moment.y, F.moment.z, F.force.x, F.force.y, F.force.z};
}
void expect_same_reactions(const ManyStates& many) {
  Status status;
  const Eigen::MatrixXd forces = many.reactions(1, status);
  ASSERT_TRUE(status.ok()) << status.message();
  Workspace workspace(many.model);
  for (int s = 0; s < many.count; ++s) {
    const Eigen::VectorXd effort = many.tau.col(s);
    std::vector<Force<double>> one;
    const Status alone =
        reactions(many.model, state_of(many.q, many.v, s), {.tau = span(effort)}, workspace, one);
    ASSERT_TRUE(alone.ok()) << alone.message();
    UniqueReactions dense;
    const Status decided =
        constrained_reactions(many.model, state_of(many.q, many.v, s), {.tau = span(effort)},
                              workspace, dense, ConstraintSolver::null_space);
    ASSERT_TRUE(decided.ok()) << decided.message();
    const double size = 1 + forces.col(s).lpNorm<Eigen::Infinity>();
    for (std::size_t j = 0; j < one.size(); ++j) {
      const std::array<double, 6> six = six_of(one[j]), expected = six_of(dense.force[j]);
      for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_NEAR(forces(Eigen::Index(6 * j + k), s), expected[k], same * size)
            << s << " joint " << many.model.joints()[j].name << " " << k;
        EXPECT_NEAR(six[k], expected[k], same * size)
            << s << " joint " << many.model.joints()[j].name << " " << k;
      }
    }
  }
  EXPECT_EQ(many.reactions(2, status), forces);
}

TEST(BatchesWithLoops, random_mechanisms_have_the_efforts_and_reactions_of_single_calls) {
  // all kinds of loop joints, rods, couplings; odd seeds have redundant rows
  for (const int seed : {1, 2, 3, 4, 5, 9}) {
    SCOPED_TRACE(seed);
    RandomClosedRobot robot(seed, seed % 3 == 0);
    const ManyStates many(robot.model, robot.state, 9);
    expect_same_efforts(many);
    expect_same_reactions(many);
  }
  for (int seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    RandomClosedRobot robot(seed, seed % 3 == 0, RandomClosedRobot::kinds_in_lanes());
    const ManyStates many(robot.model, robot.state, 9);
    expect_same_efforts(many);
    expect_same_reactions(many);
  }
}

TEST(BatchesWithLoops, mechanisms_of_the_gallery_have_those_of_single_calls) {
  for (const char* name : {"four_bar", "r_ex2", "me_5", "f2", "e_05", "s_t08"}) {
    SCOPED_TRACE(name);
    const Model model = load_model(std::string("@") + name);
    Workspace workspace(model);
    State start;
    ASSERT_TRUE(assembled_start(model, workspace, start).ok());
    const ManyStates many(model, start, 7);
    expect_same_efforts(many);
    expect_same_reactions(many);
  }
}

// A door on two hinges, and a planar four-bar with a drive on one joint: redundant rows, and a
// component with fewer drives than degrees of freedom of its tree.
Model door() {
  Description description("door");
  description.body("door", box(10.0, {0.8, 0.04, 2.0}, {0.4, 0.0, 1.0}));
  description.joint("lower", JointKind::revolute, "ground", "door", {.axis = {0.0, 0.0, 1.0}});
  description.joint("upper", JointKind::revolute, "ground", "door",
                    {.at = {{0.0, 0.0, 1.8}},
                     .child_at = {{0.0, 0.0, 1.8}},
                     .axis = {0.0, 0.0, 1.0},
                     .cut = true});
  return build_model(description);
}

// Law: the hinges of a door at rest share its weight and the moment of its weight, and the
// reactions of least norm balance it.
TEST(BatchesWithLoops, hinges_of_a_door_balance_its_weight) {
  const Model model = door();
  const ManyStates many(model, neutral_state(model), 8);
  expect_same_efforts(many);
  expect_same_reactions(many);
  ManyStates still(model, neutral_state(model), 3);
  still.v.setZero();
  still.tau.setZero();
  Status status;
  const Eigen::MatrixXd forces = still.reactions(1, status);
  ASSERT_TRUE(status.ok()) << status.message();
  for (int s = 0; s < still.count; ++s) {
    EXPECT_NEAR(forces(5, s) + forces(11, s), 10 * 9.81, 1e-9);  // along the axes
    EXPECT_NEAR(forces(5, s), forces(11, s), 1e-9);              // alike, by symmetry of the norm
  }
}

// Law: the efforts that inverse dynamics returns produce the accelerations.
TEST(BatchesWithLoops, efforts_of_a_batch_produce_its_motion) {
  for (const int seed : {2, 3, 5, 8, 13}) {
    SCOPED_TRACE(seed);
    RandomClosedRobot robot(seed, false, RandomClosedRobot::kinds_in_lanes());
    const ManyStates many(robot.model, robot.state, 16);
    Status status;
    const Eigen::MatrixXd efforts = many.efforts(1, status);
    ASSERT_TRUE(status.ok()) << status.message();
    BatchWorkspace workspace(robot.model);
    Eigen::MatrixXd a(robot.model.nv(), many.count);
    ASSERT_TRUE(forward_dynamics_batch(robot.model, {many.q, many.v}, efforts, workspace, a).ok());
    for (int s = 0; s < many.count; ++s)
      EXPECT_LT((a.col(s) - many.a.col(s)).lpNorm<Eigen::Infinity>(),
                same * (1 + many.a.col(s).lpNorm<Eigen::Infinity>()))
          << s;
  }
}

// States off the manifold by some thousandths, projected together and one by one.
class Projection : public testing::Test {
 protected:
  static void disturb(const Model& model, Eigen::MatrixXd& q, Eigen::MatrixXd& v, double size) {
    Random random(11);
    for (int s = 0; s < q.cols(); ++s) {
      std::vector<double> away(std::size_t(model.nv())), moved(std::size_t(model.nq()));
      for (double& x : away) x = size * random();
      const Eigen::VectorXd before = q.col(s);
      integrate(model, span(before), away, moved);
      q.col(s) = Eigen::Map<Eigen::VectorXd>(moved.data(), model.nq());
      for (int f = 0; f < model.nv(); ++f) v(f, s) += size * random();
    }
  }
  static void expect_same(const Model& model, const State& around, int count) {
    const ManyStates many(model, around, count);
    Eigen::MatrixXd q = many.q, v = many.v;
    disturb(model, q, v, 3e-4);
    Eigen::MatrixXd together_q = q, together_v = v;
    BatchWorkspace one(model, 1), two(model, 2);
    const Status status = project_to_manifold_batch(model, together_q, together_v, one);
    ASSERT_TRUE(status.ok()) << status.message();
    Workspace workspace(model);
    for (int s = 0; s < count; ++s) {
      State alone = state_of(q, v, s);
      ASSERT_TRUE(
          workspace->constrained->project_to_manifold(model, alone, workspace, 1e-13, {}).ok());
      // both are closed to 1e-13; condition of the rows, some thousands
      for (int k = 0; k < model.nq(); ++k)
        EXPECT_NEAR(together_q(k, s), alone.q[std::size_t(k)], 1e-9) << s;
      for (int k = 0; k < model.nv(); ++k)
        EXPECT_NEAR(together_v(k, s), alone.v[std::size_t(k)], 1e-9) << s;
      // the least displacement of all, up to second order in it: a public function, another method
      State least = state_of(q, v, s);
      ASSERT_TRUE(project_position(model, least, workspace).ok());
      for (int k = 0; k < model.nq(); ++k)
        EXPECT_NEAR(together_q(k, s), least.q[std::size_t(k)], 1e-4) << s;
    }
    ASSERT_TRUE(project_to_manifold_batch(model, q, v, two).ok());
    EXPECT_EQ(q, together_q);
    EXPECT_EQ(v, together_v);
  }
};

TEST_F(Projection, equals_single_projections_for_every_size_of_a_batch) {
  for (const int seed : {1, 2, 3, 5, 8, 9, 12, 13, 16}) {
    SCOPED_TRACE(seed);
    RandomClosedRobot robot(
        seed, seed % 3 == 0,
        seed == 16 ? RandomClosedRobot::kinds() : RandomClosedRobot::kinds_in_lanes());
    for (const int count : {1, 7, 8, 64}) {
      SCOPED_TRACE(count);
      if (count == 64 && seed > 3) continue;
      expect_same(robot.model, robot.state, count);
    }
  }
}

TEST_F(Projection, wheels_and_redundant_hinges_are_projected_as_one_by_one) {
  for (const char* name : {"four_bar", "s_t08", "e_05"}) {
    SCOPED_TRACE(name);
    const Model model = load_model(std::string("@") + name);
    Workspace workspace(model);
    State start;
    ASSERT_TRUE(assembled_start(model, workspace, start).ok());
    expect_same(model, start, 5);
  }
  const Model model = door();
  expect_same(model, neutral_state(model), 5);
}

TEST_F(Projection, a_wrong_state_stays_and_does_not_disturb_the_others) {
  RandomClosedRobot robot(3, false, RandomClosedRobot::kinds_in_lanes());
  const ManyStates many(robot.model, robot.state, 21);
  Eigen::MatrixXd q = many.q, v = many.v;
  disturb(robot.model, q, v, 1e-3);
  Eigen::MatrixXd right_q = q, right_v = v;
  BatchWorkspace workspace(robot.model);
  ASSERT_TRUE(project_to_manifold_batch(robot.model, right_q, right_v, workspace).ok());
  q(0, 4) = nan;
  v(0, 11) = nan;
  const Eigen::MatrixXd given_q = q, given_v = v;
  EXPECT_EQ(project_to_manifold_batch(robot.model, q, v, workspace).message(),
            "project_to_manifold_batch: in state 4 q[0], of joint '" +
                robot.model.coordinate_name(0) + "', is nan: give it a finite number");
  for (int s = 0; s < q.cols(); ++s) {
    if (s == 4 || s == 11) {
      EXPECT_TRUE(std::ranges::equal(q.col(s), given_q.col(s), [](double a, double b) {
        return a == b || (std::isnan(a) && std::isnan(b));
      }));
      continue;
    }
    EXPECT_EQ(q.col(s), right_q.col(s)) << s;  // to the last bit
    EXPECT_EQ(v.col(s), right_v.col(s)) << s;
  }
}

// A state far from the manifold fails alone, with the reason of the single function.
TEST_F(Projection, a_state_that_cannot_be_projected_is_named_and_unchanged) {
  Description description("arm");
  description.body("arm", box(1.0, {1.0, 0.1, 0.1}, {0.5, 0.0, 0.0}));
  description.joint("shoulder", JointKind::revolute, "ground", "arm", {.axis = {0.0, 0.0, 1.0}});
  description.body("rail", box(1.0, {0.1, 0.1, 0.1}));
  description.joint("slide", JointKind::prismatic, "ground", "rail", {.axis = {1.0, 0.0, 0.0}});
  description.frame("tip", "arm", {.xyz = {1.0, 0.0, 0.0}});
  description.constraints.push_back({.name = "rod",
                                     .kind = ConstraintDescription::Kind::distance,
                                     .frame = "tip",
                                     .other_frame = "rail",
                                     .distance = 0.5});
  description.start_positions.push_back({.joint = "shoulder", .values = {0.2}});
  const Model model = build_model(description);
  Workspace single(model);
  State start;
  ASSERT_TRUE(assembled_start(model, single, start).ok());
  const ManyStates many(model, start, 12);
  Eigen::MatrixXd q = many.q, v = many.v;
  q.col(6) << 0.5, 1e7;
  const Eigen::MatrixXd given = q;
  State alone = state_of(q, v, 6);
  const Status why = single->constrained->project_to_manifold(model, alone, single, 1e-13, {});
  BatchWorkspace workspace(model);
  const Status status = project_to_manifold_batch(model, q, v, workspace);
  EXPECT_EQ(status.ok(), why.ok());
  if (!why.ok()) {
    EXPECT_TRUE(status.message().starts_with("project_to_manifold_batch: in state 6 "))
        << status.message();
    EXPECT_EQ(q.col(6), given.col(6));
  }
  for (int s = 0; s < q.cols(); ++s)
    EXPECT_LT((q.col(s) - given.col(s)).norm(), s == 6 ? 1e9 : 1e-9) << s;
}

// Regular states take the path through the lanes: no state is left to the single functions.
TEST(BatchesWithLoops, regular_states_are_solved_in_lanes) {
  const auto expect_sure = [](const Model& model, const State& around) {
    const ManyStates many(model, around, 16);
    Workspace workspace(model);
    const kernel::Batch batch{model, model.numbers(), many.count, many.q.data(), many.v.data()};
    const auto unsure = [&](const auto& ask) {
      std::vector<char> is_sure(std::size_t(many.count), 0);
      ask(std::span<char>(is_sure));
      return std::ranges::count(is_sure, char(0));
    };
    Eigen::MatrixXd tau = many.tau, q = many.q, v = many.v,
                    forces(6 * Eigen::Index(model.joints().size()), many.count);
    EXPECT_EQ(unsure([&](std::span<char> is_sure) {
                workspace->constrained->inverse_dynamics_batch(batch, many.a.data(), workspace,
                                                               tau.data(), is_sure);
              }),
              0);
    // reactions need accelerations: those of immobile mechanisms are left to the dense solvers
    std::vector<double> a(std::size_t(many.a.size()));
    EXPECT_EQ(unsure([&](std::span<char> is_sure) {
                workspace->constrained->reactions_batch(batch, many.tau.data(), workspace,
                                                        forces.data(), is_sure);
              }),
              unsure([&](std::span<char> is_sure) {
                workspace->constrained->forward_dynamics_batch(batch, many.tau.data(), workspace,
                                                               a.data(), is_sure);
              }));
    EXPECT_EQ(unsure([&](std::span<char> is_sure) {
                workspace->constrained->project_to_manifold_batch(
                    model, many.count, q.data(), v.data(), 1e-13, workspace, is_sure);
              }),
              0);
  };
  for (const int seed : {1, 2, 3, 5, 8, 9, 12, 13}) {
    SCOPED_TRACE(seed);
    RandomClosedRobot robot(seed, seed % 3 == 0, RandomClosedRobot::kinds_in_lanes());
    expect_sure(robot.model, robot.state);
  }
  for (const char* name : {"four_bar", "r_ex2"}) {
    SCOPED_TRACE(name);
    const Model model = load_model(std::string("@") + name);
    Workspace workspace(model);
    State start;
    ASSERT_TRUE(assembled_start(model, workspace, start).ok());
    expect_sure(model, start);
  }
  const Model hinged = door();
  expect_sure(hinged, neutral_state(hinged));
}

// A solver on too few rows: at these states one more row is independent than it takes. Its results
// would be those of a mechanism with an open loop.
TEST(BatchesWithLoops, a_row_that_is_not_redundant_at_a_state_is_noticed) {
  const Model model = load_model("@four_bar");
  Workspace workspace(model);
  State start;
  ASSERT_TRUE(assembled_start(model, workspace, start).ok());
  const ManyStates many(model, start, 9);
  RowBasis basis;
  ASSERT_TRUE(row_basis(model, start, workspace, basis).ok());
  ConstraintEvaluation evaluation(model);
  evaluation.evaluate(model, start.q, start.v, workspace);
  const kernel::Batch batch{model, model.numbers(), many.count, many.q.data(), many.v.data()};
  const std::vector<char> is_driven(std::size_t(model.nv()), 1);
  for (const bool is_complete : {true, false}) {
    if (!is_complete) basis.rows.pop_back();
    const auto solver = RecursiveSolver::make(model, basis, evaluation.rows.sparse_jacobian(),
                                              ConstraintSolver::automatic);
    ASSERT_NE(solver, nullptr);
    std::vector<char> is_sure(std::size_t(many.count));
    Eigen::MatrixXd tau = many.tau, forces(6 * Eigen::Index(model.joints().size()), many.count);
    solver->inverse_dynamics_batch(batch, is_driven, many.a.data(), tau.data(), is_sure);
    EXPECT_EQ(std::ranges::count(is_sure, char(is_complete)), many.count);
    solver->reactions_batch(batch, 1.0, many.tau.data(), forces.data(), is_sure);
    EXPECT_EQ(std::ranges::count(is_sure, char(is_complete)), many.count);
  }
}

// The message of the single function, with the state.
TEST(BatchesWithLoops, states_off_the_manifold_are_refused_as_alone) {
  const Model model = load_model("@four_bar");
  Workspace workspace(model);
  State start;
  ASSERT_TRUE(assembled_start(model, workspace, start).ok());
  ManyStates many(model, start, 20);
  many.q(0, 13) += 1e-3;
  for (const int threads : {1, 2}) {
    Status status;
    many.efforts(threads, status);
    EXPECT_TRUE(status.message().starts_with("inverse_dynamics_batch: in state 13 "))
        << status.message();
    EXPECT_NE(status.message().find("is violated by"), std::string::npos);
    many.reactions(threads, status);
    EXPECT_TRUE(status.message().starts_with("reactions_batch: in state 13 ")) << status.message();
    EXPECT_NE(status.message().find("is violated by"), std::string::npos);
  }
  many.q = ManyStates(model, start, 20).q;
  many.a.col(9).array() += 0.5;  // accelerations that open the loop
  Status status;
  many.efforts(1, status);
  EXPECT_TRUE(
      status.message().starts_with("inverse_dynamics_batch: in state 9 the accelerations violate "))
      << status.message();
}

// Results of a state do not depend on the states in the other lanes, even if these are singular or
// violate the constraints.
TEST(BatchesWithLoops, a_state_does_not_affect_its_neighbors) {
  RandomClosedRobot robot(5, false, RandomClosedRobot::kinds_in_lanes());
  const ManyStates many(robot.model, robot.state, 16);
  ManyStates other = many;
  other.q.col(3) = other.q.col(7);  // another closed state
  other.v.col(3) = other.v.col(7);
  other.a.col(3) = other.a.col(7);
  other.tau.col(3) = other.tau.col(7);
  Status status;
  Eigen::MatrixXd efforts = many.efforts(1, status), forces = many.reactions(1, status);
  Eigen::MatrixXd others = other.efforts(1, status), other_forces = other.reactions(1, status);
  for (Eigen::MatrixXd* x : {&efforts, &forces, &others, &other_forces}) x->col(3).setZero();
  EXPECT_EQ(efforts, others);
  EXPECT_EQ(forces, other_forces);
}

}  // namespace
}  // namespace trammel::batches_with_loops_test
