// The engine against dense maximal coordinates (tests/support/maximal_kkt.hpp).
#include "tests/support/maximal_kkt.hpp"

#include <gtest/gtest.h>

#include <iostream>

#include <fmt/format.h>

#include "tests/support/how_many.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/read/gallery.hpp"
#include "trammel/read/load.hpp"

namespace trammel::maximal_kkt_test {
namespace {

void expect_agreement(const Model& model, const State& state, const Inputs& inputs,
                      Workspace& workspace) {
  const MaximalKkt plain(model, state, inputs, workspace);
  ConstrainedAnswer answer;
  Status status = constrained_dynamics(model, state, inputs, workspace, answer);
  ASSERT_TRUE(status.ok()) << status.message();
  // 1e-9, or 1e-14 times the square of the condition number if that is larger
  const double least = answer.basis.least(), tolerance = std::max(1e-9, 1e-14 / (least * least));
  SCOPED_TRACE(testing::Message() << "tolerance " << tolerance);

  std::vector<double> a(std::size_t(model.nv()));
  status = forward_dynamics(model, state, inputs, workspace, a);
  ASSERT_TRUE(status.ok()) << status.message();
  const double size = 1 + plain.a.cwiseAbs().maxCoeff();
  for (int k = 0; k < model.nv(); ++k)
    EXPECT_NEAR(a[std::size_t(k)], plain.a[k], tolerance * size)
        << "acceleration of " << model.dof_name(k);

  UniqueReactions reactions;
  Workspace fresh(model);  // without results of earlier calls
  status = constrained_reactions(model, state, inputs, fresh, reactions);
  ASSERT_TRUE(status.ok()) << status.message();
  double largest_force = 1;
  for (const Vector6& F : plain.carried)
    largest_force = std::max(largest_force, F.cwiseAbs().maxCoeff());
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const Vector6 F = column(reactions.force[j]);
    Vector6 miss = F - plain.carried[j];
    // redundant wheels: this reference leaves the wheel forces out of its minimum norm
    for (int k = 0; k < 6; ++k)
      if (!model.wheels().empty() && !plain.is_unique[j][k]) miss[k] = 0;
    EXPECT_LT(miss.cwiseAbs().maxCoeff(), tolerance * largest_force)
        << "joint " << model.joints()[j].name << " carries " << F.transpose() << ", not "
        << plain.carried[j].transpose();
    for (int k = 0; k < 6; ++k)
      EXPECT_EQ(reactions.is_unique[j][std::size_t(k)], plain.is_unique[j][k])
          << "component " << k << " of joint " << model.joints()[j].name;
  }
  EXPECT_EQ(answer.basis.redundant(), plain.redundant);
}

class EveryClosedRobot : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, EveryClosedRobot, testing::Range(1, 1 + how_many(200)));

TEST_P(EveryClosedRobot, is_as_maximal_coordinates_say) {
  RandomClosedRobot robot(GetParam(), GetParam() % 3 == 0);
  expect_agreement(robot.model, robot.state, {.tau = robot.tau}, robot.workspace);
}

std::vector<std::string> closed_models() {
  std::vector<std::string> names;
  for (const GalleryModel& entry : gallery())
    if (load_model("@" + std::string(entry.name)).has_constraints()) names.emplace_back(entry.name);
  return names;
}
class EveryClosedModel : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(gallery, EveryClosedModel, testing::ValuesIn(closed_models()),
                         [](const auto& model) { return model.param; });

TEST_P(EveryClosedModel, is_as_maximal_coordinates_say) {
  const Model model = load_model("@" + GetParam());
  // points on curves have closed forms instead: tests/properties/point_on_curve_test.cpp
  if (!model.frame_constraints().empty()) return;
  // constant-velocity joints have closed forms instead: tests/reference/constant_velocity_test.cpp
  for (const NamedJoint& joint : model.joints())
    if (!MaximalKkt::knows(joint.kind)) return;
  Workspace workspace(model);
  State state;
  const Status status = assembled_start(model, workspace, state);
  ASSERT_TRUE(status.ok()) << status.message();
  Random random(1);
  const std::vector<double> tau = random.numbers(model.nv());
  expect_agreement(model, state, {.tau = tau}, workspace);
  // and moving: a random velocity, made consistent; at a bifurcation most velocities belong to no
  // motion
  Mobility mobility;
  ASSERT_TRUE(trammel::mobility(model, state, workspace, mobility).ok());
  if (mobility.verdict == Mobility::Verdict::bifurcation) return;
  state.v = random.numbers(model.nv());
  for (int f = 0; f < model.nv(); ++f)
    if (model.prescription(f) == Drive::locked) state.v[std::size_t(f)] = 0;
  ASSERT_TRUE(assemble(model, state, workspace).ok());
  expect_agreement(model, state, {.tau = tau}, workspace);
}

// Tolerance: 1e-9, or 1e-14 times the square of the condition number if that is larger. The error
// of each solver is printed and stored with the result.
TEST_P(EveryClosedModel, is_the_same_by_every_solver) {
  const Model model = load_model("@" + GetParam());
  Workspace workspace(model);
  State state;
  ASSERT_TRUE(assembled_start(model, workspace, state).ok());
  Random random(2);
  const std::vector<double> tau = random.numbers(model.nv());
  ConstrainedAnswer kkt;
  const Status by_kkt =
      constrained_dynamics(model, state, {.tau = tau}, workspace, kkt, ConstraintSolver::kkt);
  ASSERT_TRUE(by_kkt.ok()) << by_kkt.message();
  const double least = kkt.basis.least(), tolerance = std::max(1e-9, 1e-14 / (least * least));
  const double size = 1 + (kkt.a.size() > 0 ? kkt.a.cwiseAbs().maxCoeff() : 0);
  std::string told = fmt::format("{}: tolerance {:.1e}", GetParam(), tolerance);
  for (const ConstraintSolver solver :
       {ConstraintSolver::automatic, ConstraintSolver::schur, ConstraintSolver::null_space,
        ConstraintSolver::star, ConstraintSolver::cluster, ConstraintSolver::sparse}) {
    ConstrainedAnswer answer;
    const Status status =
        constrained_dynamics(model, state, {.tau = tau}, workspace, answer, solver);
    const std::string name = to_string(solver);
    if (!status) {
      // star and cluster need loops of their own kind, schur an inertia in every degree of freedom
      // of the tree
      EXPECT_TRUE(solver == ConstraintSolver::star || solver == ConstraintSolver::cluster ||
                  solver == ConstraintSolver::schur)
          << name << ": " << status.message();
      EXPECT_NE(status.message().find("'" + name + "'"), std::string::npos) << status.message();
      told += fmt::format(", {} is not applicable", name);
      continue;
    }
    const double miss = kkt.a.size() > 0 ? (answer.a - kkt.a).cwiseAbs().maxCoeff() / size : 0;
    EXPECT_LE(miss, tolerance) << name;
    told += fmt::format(", {} {:.1e}", name, miss);
  }
  std::cout << told << "\n";
  RecordProperty("solvers", told);
}

}  // namespace
}  // namespace trammel::maximal_kkt_test
