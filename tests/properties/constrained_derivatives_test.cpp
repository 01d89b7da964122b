// Derivatives of constrained accelerations along the motions that loops and wheels allow: implicit
// differentiation, in closed form and with Dual numbers, against differences between neighboring
// closed states, and against each other.
#include "trammel/constraint/system/constrained_derivatives.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/support/differences.hpp"
#include "tests/support/element_pairs.hpp"
#include "tests/support/how_many.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "tests/support/state_and_inputs.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/constraint/solver/acceleration_derivatives.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/system/closed_form_derivatives.hpp"
#include "trammel/read/load.hpp"

namespace trammel::constrained_derivatives_test {
namespace {

// Neighboring states, found by assembly and by solving J v for the velocities: independent of the
// code under test.
class Beside {
 public:
  Beside(StateAndInputs& here, const OrthogonalComplement& basis) : here_(here), basis_(basis) {
    J_ = jacobian(here.state);
    u_.resize(basis.T.cols(), basis.T.rows());
    u_.setZero();
    if (basis.independent.empty()) u_ = basis.T.transpose();
    for (std::size_t k = 0; k < basis.independent.size(); ++k)
      u_(Eigen::Index(k), basis.independent[k]) = 1;
  }

  // State at a distance `way` along column k, with u unchanged except for `faster` added to u_k.
  State at(Eigen::Index k, double way, double faster) {
    State there = here_.state;
    const Eigen::VectorXd step = way * basis_.T.col(k);
    integrate(here_.model, here_.state.q, {step.data(), std::size_t(step.size())}, there.q);
    if (here_.model.has_constraints()) {
      const Status status = project_position(here_.model, there, here_.workspace);
      EXPECT_TRUE(status.ok()) << status.message();
    }
    // the rows and u determine all velocities; prescribed joints have their prescribed ones
    const Eigen::Map<const Eigen::VectorXd> v(here_.state.v.data(), here_.model.nv());
    const Eigen::MatrixXd J = jacobian(there);
    Eigen::MatrixXd rows(J.rows() + u_.rows(), J.cols());
    rows << J, u_;
    Eigen::VectorXd wanted(rows.rows());
    wanted << J_ * v, u_ * v;
    wanted[J.rows() + k] += faster;
    const Eigen::VectorXd now = rows.completeOrthogonalDecomposition().solve(wanted);
    there.v.assign(now.begin(), now.end());
    for (int f = 0; f < here_.model.nv(); ++f)  // exactly, without rounding
      if (here_.model.prescription(f) == Drive::locked) there.v[std::size_t(f)] = 0;
    return there;
  }

 private:
  Eigen::MatrixXd jacobian(State there) {
    std::ranges::fill(there.v, 0.0);  // may not satisfy the rows yet
    Eigen::MatrixXd J(0, here_.model.nv());
    if (!here_.model.has_constraints()) {
      for (int f = 0; f < here_.model.nv(); ++f)
        if (here_.model.is_prescribed(f)) {
          J.conservativeResize(J.rows() + 1, Eigen::NoChange);
          J.row(J.rows() - 1) = Eigen::RowVectorXd::Unit(here_.model.nv(), f);
        }
      return J;
    }
    const Status status = constraint_jacobian(here_.model, there, here_.workspace, J);
    EXPECT_TRUE(status.ok()) << status.message();
    return J;
  }

  StateAndInputs& here_;
  const OrthogonalComplement& basis_;
  Eigen::MatrixXd J_, u_;
};

void expect_slopes(StateAndInputs& here,
                   const OrthogonalComplementOptions& options = {.orthonormal = true}) {
  OrthogonalComplement basis;
  Status status =
      orthogonal_complement(here.model, here.state, here.inputs(), here.workspace, basis, options);
  ASSERT_TRUE(status.ok()) << status.message();
  ConstrainedDerivatives found;
  status =
      constrained_derivatives(here.model, here.state, here.inputs(), basis, here.workspace, found);
  ASSERT_TRUE(status.ok()) << status.message();

  Beside beside(here, basis);
  const auto largest = [](const Eigen::MatrixXd& x) {
    return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
  };
  const Eigen::VectorXd before = here.accelerations(here.state);
  const double size = 1 + largest(before) + largest(found.dq) + largest(found.dv);
  const double step = 2.5e-3;
  for (Eigen::Index k = 0; k < basis.T.cols(); ++k) {
    const Eigen::VectorXd by_q =
        slope_at_zero([&](double h) { return here.accelerations(beside.at(k, h, 0)); }, step);
    const Eigen::VectorXd by_v =
        slope_at_zero([&](double h) { return here.accelerations(beside.at(k, 0, h)); }, step);
    // loops are closed to 1e-12, which the step turns into 4e-10; step^6 is far less
    EXPECT_LT(largest(found.dq.col(k) - by_q), 2e-8 * size) << k;
    EXPECT_LT(largest(found.dv.col(k) - by_v), 2e-9 * size) << k;
  }
  // accelerations are linear in the efforts
  if (here.model.nv() == 0) return;
  const double more = 0.5;
  here.tau[0] += more;
  EXPECT_LT(largest(here.accelerations(here.state) - before - more * found.dtau.col(0)),
            1e-9 * (size + largest(found.dtau)));
}

// A wrench in the axes of a body.
void add_wrench(StateAndInputs& x) {
  FrameRef place = frame_ref(x.model, x.model.named_bodies().back().name);
  place.X_UA.p = {0.1, 0.2, 0.3};
  x.wrenches = {{place, {{-0.1, 0.4, 0.2}, {0.5, -1.0, 0.7}}, Axes::body}};
}

class DerivativesOfGallery : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(models, DerivativesOfGallery, testing::ValuesIn(gallery_names()),
                         [](const auto& name) { return name.param; });

TEST_P(DerivativesOfGallery, are_those_between_closed_states) {
  StateAndInputs here(load_model("@" + GetParam()));
  ASSERT_NO_FATAL_FAILURE(here.start());
  expect_slopes(here);
  // without efforts along loop joints, which only Dual numbers take: in closed form
  here.loop_tau.clear();
  add_wrench(here);
  expect_slopes(here);
}

// Every kind of loop joint, points, rods, couplings, locked joints and prescribed motions, springs
// and dampers in the tree and in loops, wheels: with external wrenches, on a moving ground.
class DerivativesOfElements : public testing::TestWithParam<element_pairs::Pair> {};
// except the contact, which barely touches: a deep one is tested below
std::vector<element_pairs::Pair> smooth_pairs() {
  std::vector<element_pairs::Pair> list = element_pairs::pairs();
  std::erase_if(list, [](const auto& pair) { return pair.label == "contact"; });
  return list;
}
INSTANTIATE_TEST_SUITE_P(elements, DerivativesOfElements, testing::ValuesIn(smooth_pairs()),
                         [](const auto& pair) { return pair.param.label; });

TEST_P(DerivativesOfElements, are_those_between_closed_states) {
  const element_pairs::Pair& pair = GetParam();
  StateAndInputs here(build_model(pair.with));
  here.state.q = pair.q_of(true);
  for (std::size_t k = 0; k < here.state.v.size(); ++k)
    here.state.v[k] = 0.5 * std::cos(1.0 + 2.0 * double(k));
  ASSERT_NO_FATAL_FAILURE(here.close());
  FrameRef place = frame_ref(here.model, here.model.named_bodies().back().name);
  place.X_UA.p = {0.1, 0.2, 0.3};
  here.wrenches = {{place, {{0.3, -0.2, 0.5}, {1.0, 2.0, -1.0}}, Axes::world},
                   {place, {{-0.1, 0.4, 0.2}, {0.5, -1.0, 0.7}}, Axes::body}};
  here.ground = {{{0.1, -0.2, 0.3}, {0.2, 0.1, -0.1}}, {{0.4, 0.1, -0.2}, {-0.3, 0.2, 0.5}}};
  expect_slopes(here);
  here.loop_tau.clear();
  here.wrenches.erase(here.wrenches.begin());  // the one in world axes
  expect_slopes(here);
}

// With a basis of independent joints, u is their velocities.
TEST(constrained_derivatives, of_independent_joints) {
  for (const char* name : {"@four_bar", "@me_3", "@r_ex2", "@bennett"}) {
    SCOPED_TRACE(name);
    StateAndInputs here(load_model(name));
    ASSERT_NO_FATAL_FAILURE(here.start());
    expect_slopes(here, {});
  }
}

// A ball pressed into its floor that slides, carried by a loop: deep enough to touch in all states
// that are evaluated.
TEST(constrained_derivatives, of_contacts_and_springs) {
  Description description = element_pairs::chain();
  description.joints.push_back(element_pairs::loop_joint(JointKind::cylindrical));
  description.joints.back().options.stiffness = {4.0, 30.0};
  description.joints.back().options.damping = {0.3, 0.2};
  const Vec3<double> center = element_pairs::pose_in_chain("b3").p;
  description.frame("floor", "ground", {.xyz = {0.0, 0.0, center.z - 0.2}});
  description.frame("ball", "b3", {});
  description.contacts.push_back({.name = "touch",
                                  .body = "b3",
                                  .on = "floor",
                                  .radius = 0.4,
                                  .stiffness = 500.0,
                                  .dissipation = 0.4,
                                  .friction = 0.6,
                                  .slip_speed = 0.05});
  description.frame("far", "ground", {.xyz = {0.5, 0.4, 0.3}});
  description.springs.push_back({.name = "pull",
                                 .frame = "far",
                                 .other_frame = "ball",
                                 .stiffness = 50.0,
                                 .length = 0.3,
                                 .damping = 0.7});
  StateAndInputs here(build_model(description));
  here.state.q = element_pairs::chain_q;
  for (std::size_t k = 0; k < here.state.v.size(); ++k)
    here.state.v[k] = 0.2 * std::cos(1.0 + 2.0 * double(k));
  ASSERT_NO_FATAL_FAILURE(here.close());
  expect_slopes(here);
}

TEST(constrained_derivatives, refuse_a_basis_of_another_model) {
  StateAndInputs here(load_model("@four_bar"));
  ASSERT_NO_FATAL_FAILURE(here.start());
  ConstrainedDerivatives out;
  OrthogonalComplement other;
  other.T = Eigen::MatrixXd::Identity(2, 2);
  EXPECT_NE(constrained_derivatives(here.model, here.state, {}, other, here.workspace, out)
                .message()
                .find("of another model"),
            std::string::npos);
}

// Both are implicit derivatives, exact to rounding; the condition of the loops takes up to six
// digits.
constexpr double tolerance = 1e-9;

void expect_near(const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected, const char* what) {
  ASSERT_EQ(found.rows(), expected.rows()) << what;
  ASSERT_EQ(found.cols(), expected.cols()) << what;
  EXPECT_LE(max_abs(found - expected), tolerance * (1 + max_abs(expected))) << what;
}

// False if the closed form does not apply at this state.
bool agrees_with_duals(StateAndInputs& x, const OrthogonalComplement* given) {
  const Inputs inputs = x.inputs();
  const EvalContext context("constrained_derivatives", x.model, x.state, inputs, x.workspace,
                            Constraints::honored, Forces::acting);
  EXPECT_TRUE(context.ok()) << context.status().message();
  ConstrainedDerivatives found;
  if (!derivatives_in_closed_form(context, x.workspace, given, found)) return false;
  RowBasis basis;
  EXPECT_TRUE(row_basis(x.model, x.state, x.workspace, basis).ok());
  const EvalContext again("constrained_derivatives", x.model, x.state, inputs, x.workspace,
                          Constraints::honored, Forces::acting);
  const AccelerationDerivatives by_duals(again, x.workspace, basis, found.T);
  EXPECT_TRUE(by_duals.status().ok()) << by_duals.status().message();
  const Eigen::MatrixXd& T = found.T;
  const Eigen::Index n = T.cols();

  const Eigen::MatrixXd J = by_duals.rows().jacobian();
  EXPECT_EQ(n, x.model.nv() - basis.rank());
  expect_near(J * T, Eigen::MatrixXd::Zero(J.rows(), n), "J T");
  expect_near(J * found.v_by_q, -by_duals.rates(T), "J v_by_q");
  Eigen::MatrixXd u = T.transpose() * found.v_by_q;  // does not change
  if (given != nullptr && !given->independent.empty())
    u = found.v_by_q(given->independent, Eigen::all);
  expect_near(u, Eigen::MatrixXd::Zero(n, n), "u");
  if (given == nullptr) expect_near(T.transpose() * T, Eigen::MatrixXd::Identity(n, n), "T^T T");

  Eigen::MatrixXd dq = Eigen::MatrixXd::Zero(T.rows(), 2 * n), dv = dq, a_dot;
  dq.leftCols(n) = T;
  dv.leftCols(n) = found.v_by_q;
  dv.rightCols(n) = T;
  EXPECT_TRUE(by_duals.along(dq, dv, a_dot).ok());
  expect_near(found.dq, a_dot.leftCols(n), "dq");
  expect_near(found.dv, a_dot.rightCols(n), "dv");
  expect_near(found.dtau, by_duals.by_efforts(), "dtau");
  return true;
}

// Trees of all joints, with springs and dampers in them, closed by loop joints whose wrenches are
// constant in a body, by rods and by couplings; half of them with redundant rows, a third on a
// floating base.
TEST(constrained_derivatives, of_random_mechanisms_in_closed_form_agree_with_dual_numbers) {
  const int seeds = how_many(60);
  int closed_forms = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE(seed);
    const RandomClosedRobot robot(seed, seed % 3 == 0, RandomClosedRobot::kinds_in_lanes());
    StateAndInputs x(build_model(robot.description));
    x.state = robot.state;
    x.loop_tau.clear();  // efforts along loop joints are forces between bodies
    if (seed % 2 == 0) {
      add_wrench(x);
      x.ground = {{{0.1, -0.2, 0.3}, {0.2, 0.1, -0.1}}, {{0.4, 0.1, -0.2}, {-0.3, 0.2, 0.5}}};
    }
    OrthogonalComplement independent;
    ASSERT_TRUE(orthogonal_complement(x.model, x.state, x.inputs(), x.workspace, independent).ok());
    closed_forms += int(agrees_with_duals(x, nullptr)) + int(agrees_with_duals(x, &independent));
  }
  // the others are near singular poses, or have rows of uncertain rank
  EXPECT_GT(closed_forms, seeds);
}

TEST(constrained_derivatives, of_everyday_mechanisms_in_closed_form_agree_with_dual_numbers) {
  for (const char* name : {"@four_bar", "@six_bar", "@excavator", "@delta_robot",
                           "@stewart_platform", "@leg_with_rods"}) {
    SCOPED_TRACE(name);
    StateAndInputs x(load_model(name));
    ASSERT_NO_FATAL_FAILURE(x.start());
    OrthogonalComplement orthonormal, independent;
    ASSERT_TRUE(orthogonal_complement(x.model, x.state, x.inputs(), x.workspace, orthonormal,
                                      {.orthonormal = true})
                    .ok());
    ASSERT_TRUE(orthogonal_complement(x.model, x.state, x.inputs(), x.workspace, independent).ok());
    x.loop_tau.clear();
    EXPECT_TRUE(agrees_with_duals(x, nullptr));
    EXPECT_TRUE(agrees_with_duals(x, &orthonormal));
    EXPECT_TRUE(agrees_with_duals(x, &independent));
  }
}

}  // namespace
}  // namespace trammel::constrained_derivatives_test
