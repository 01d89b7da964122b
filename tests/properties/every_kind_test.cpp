// Every kind of the joint table in a mechanism, between hinges, also with parent and child
// exchanged: mass matrix by definition, forward against inverse dynamics, power against energy,
// derivatives against differences, batches; and the same motion if the joint closes a loop.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/support/joint_samples.hpp"
#include "tests/support/plain_mechanics.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/batch.hpp"
#include "trammel/dynamics/derivatives.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/read/load.hpp"
#include "trammel/write/model/toml.hpp"

namespace trammel::every_kind_test {
namespace {

std::vector<JointKind> moving_kinds() {
  std::vector<JointKind> kinds;
  for (const JointKind kind : joint_kinds)
    if (kind != JointKind::fixed) kinds.push_back(kind);
  return kinds;
}

Solid some_solid(Random& random) {
  const SymMat3<double> I =
      rotate(exponential_rotation(random.vector(2)), SymMat3<double>{0.02, 0, 0, 0.03, 0, 0.04});
  const Vec3<double> com = random.vector(0.1);
  return {.mass = random(0.5, 1.5),
          .com = {com.x, com.y, com.z},
          .inertia = {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz}};
}
Placement some_place(Random& random) {
  const Vec3<double> p = random.vector(0.3), r = random.vector(3);
  return {{p.x, p.y, p.z}, {r.x, r.y, r.z}};
}

class EveryKind : public testing::TestWithParam<JointKind> {
 protected:
  // ground - hinge - a - KIND - b - KIND, exchanged - c - hinge - d
  static Description chain() {
    Random random(11);
    Description given(traits(GetParam()).name);
    for (const char* body : {"a", "b", "c", "d"}) given.body(body, some_solid(random));
    const auto hinge = [&](const char* name, const char* parent, const char* child) {
      given.joint(
          name, JointKind::revolute, parent, child,
          {.at = some_place(random), .child_at = some_place(random), .axis = {0, 0.6, 0.8}});
    };
    const auto sample = [&](const char* name, const char* parent, const char* child) {
      JointDescription joint = joint_sample(GetParam(), name, parent, child).joint;
      joint.options.at = some_place(random);
      joint.options.child_at = some_place(random);
      given.joints.push_back(joint);
    };
    hinge("first", "ground", "a");
    sample("forth", "a", "b");
    sample("back", "c", "b");
    hinge("last", "c", "d");
    return given;
  }
  EveryKind() : model(build_model(chain())), workspace(model), state(neutral_state(model)) {
    Random random(5);
    // below 90 degrees: a gimbal and a constant-velocity joint are regular there
    std::vector<double> far = random.numbers(model.nv());
    const std::vector<double> start = state.q;
    integrate(model, start, far, state.q);
    state.v = random.numbers(model.nv());
    tau = random.numbers(model.nv());
  }
  std::vector<double> accelerations(const State& at) {
    std::vector<double> a(std::size_t(model.nv()));
    const Status status = forward_dynamics(model, at, {.tau = tau}, workspace, a);
    EXPECT_TRUE(status.ok()) << status.message();
    return a;
  }

  Model model;
  Workspace workspace;
  State state;
  std::vector<double> tau;
};
INSTANTIATE_TEST_SUITE_P(kinds, EveryKind, testing::ValuesIn(moving_kinds()),
                         [](const auto& kind) { return to_string(kind.param); });

TEST_P(EveryKind, has_the_mass_matrix_of_its_definition) {
  Eigen::MatrixXd M(model.nv(), model.nv());
  ASSERT_TRUE(mass_matrix(model, state, workspace, M).ok());
  const Eigen::MatrixXd expected = PlainMechanics(model).mass_matrix(state.q);
  EXPECT_LT((M - expected).norm(), 1e-13 * expected.norm());
}

TEST_P(EveryKind, forward_dynamics_undoes_inverse_dynamics) {
  const std::vector<double> a = accelerations(state);
  std::vector<double> again(a.size());
  ASSERT_TRUE(inverse_dynamics(model, state, {.a = a}, workspace, again).ok());
  EXPECT_LT(difference_of(again, tau), 1e-11);  // rounding times the condition of M
}

// tau . v = d/dt (kinetic + potential energy), the energies by definition, by central differences
TEST_P(EveryKind, power_is_the_rate_of_energy) {
  const PlainMechanics plain(model);
  const std::vector<double> a = accelerations(state);
  const auto energy_after = [&](double h) {
    std::vector<double> q(state.q.size()), v(state.v), step(state.v);
    for (std::size_t k = 0; k < v.size(); ++k) {
      step[k] *= h;
      v[k] += h * a[k];
    }
    integrate(model, state.q, step, q);
    return plain.kinetic_energy(q, v) + plain.gravity_energy(q);
  };
  const double h = 1e-5;
  double power = 0, size = 1;
  for (std::size_t k = 0; k < tau.size(); ++k) {
    power += tau[k] * state.v[k];
    size += std::abs(a[k]);
  }
  // error of the difference: h^2 times third derivatives, and rounding over h
  EXPECT_NEAR((energy_after(h) - energy_after(-h)) / (2 * h), power, 1e-8 * size);
}

TEST_P(EveryKind, has_the_derivatives_that_differences_show) {
  DerivativeWorkspace room(model);
  Derivatives of;
  const std::vector<double> a = accelerations(state);
  ASSERT_TRUE(inverse_dynamics_derivatives(model, state, {.a = a}, workspace, room, of).ok());
  const auto efforts = [&](double h, int dof, bool by_velocity) {
    State at = state;
    std::vector<double> step(state.v.size()), out(state.v.size());
    step[std::size_t(dof)] = h;
    if (by_velocity)
      at.v[std::size_t(dof)] += h;
    else
      integrate(model, state.q, step, at.q);
    EXPECT_TRUE(inverse_dynamics(model, at, {.a = a}, workspace, out).ok());
    return Eigen::VectorXd(Eigen::Map<Eigen::VectorXd>(out.data(), model.nv()));
  };
  const double h = 1e-5;
  for (int k = 0; k < model.nv(); ++k) {
    const Eigen::VectorXd dq = (efforts(h, k, false) - efforts(-h, k, false)) / (2 * h);
    const Eigen::VectorXd dv = (efforts(h, k, true) - efforts(-h, k, true)) / (2 * h);
    EXPECT_LT((of.dq.col(k) - dq).norm(), 1e-8 * (1 + of.dq.norm())) << k;
    EXPECT_LT((of.dv.col(k) - dv).norm(), 1e-8 * (1 + of.dv.norm())) << k;
  }
}

TEST_P(EveryKind, moves_in_a_batch_as_alone) {
  const std::vector<double> a = accelerations(state);
  const int n = 9, nv = model.nv();
  const auto columns = [&](const std::vector<double>& x) -> Eigen::MatrixXd {
    return Eigen::Map<const Eigen::VectorXd>(x.data(), Eigen::Index(x.size())).replicate(1, n);
  };
  const Eigen::MatrixXd q = columns(state.q), v = columns(state.v), efforts = columns(tau);
  BatchWorkspace room(model, 1);
  Eigen::MatrixXd many(nv, n);
  ASSERT_TRUE(forward_dynamics_batch(model, {q, v}, efforts, room, many).ok());
  EXPECT_LT((many - columns(a)).norm(), 1e-10 * (1 + many.norm()));
}

TEST_P(EveryKind, is_written_and_read_back) {
  Diagnostics diagnostics;
  const Model again = build_model(read_description("written.toml", write_toml(model.description()),
                                                   ReadOptions{}, diagnostics));
  EXPECT_FALSE(diagnostics.has_errors());
  ASSERT_EQ(again.nv(), model.nv());
  Workspace room(again);
  Eigen::MatrixXd M(model.nv(), model.nv()), M_again(model.nv(), model.nv());
  ASSERT_TRUE(mass_matrix(model, state, workspace, M).ok());
  ASSERT_TRUE(mass_matrix(again, state, room, M_again).ok());
  EXPECT_LT((M - M_again).norm(), 1e-14 * M.norm());
}

// The same two bodies with the joint in the tree, and with body b on a free joint and the joint in
// a loop: all bodies have the same accelerations.
TEST_P(EveryKind, moves_the_same_as_tree_joint_and_as_loop_joint) {
  if (GetParam() == JointKind::free) return;  // closes nothing
  Random random(21);
  const Solid on_a = some_solid(random), on_b = some_solid(random);
  JointDescription joint = joint_sample(GetParam(), "joint", "a", "b").joint;
  joint.options.at = some_place(random);
  joint.options.child_at = some_place(random);
  const auto describe = [&](bool as_loop) {
    Description given("two bodies");
    given.body("a", on_a);
    given.body("b", on_b);
    given.joint("first", JointKind::revolute, "ground", "a", {.axis = {0, 0.6, 0.8}});
    JointDescription added = joint;
    added.options.cut = as_loop;
    given.joints.push_back(added);
    if (as_loop) given.joint("float", JointKind::free, "ground", "b");
    return given;
  };
  const Model tree = build_model(describe(false)), loop = build_model(describe(true));
  Workspace of_tree(tree), of_loop(loop);
  State q = neutral_state(tree);
  std::vector<double> far = random.numbers(tree.nv());
  const std::vector<double> start = q.q;
  integrate(tree, start, far, q.q);
  q.v = random.numbers(tree.nv());
  std::vector<double> a(std::size_t(tree.nv())), tau_tree(a.size());
  tau_tree[0] = 1.3;
  ASSERT_TRUE(forward_dynamics(tree, q, {.tau = tau_tree}, of_tree, a).ok());
  Kinematics at(tree);
  ASSERT_TRUE(kinematics(tree, q, {.a = a}, of_tree, at).ok());

  State p = neutral_state(loop);
  const Pose<double> X = pose(tree, at, frame_ref(tree, "b"));
  const Motion<double> V = velocity(tree, at, frame_ref(tree, "b"), Axes::body);
  const Quaternion<double> turned = quaternion(X.R);
  const NamedJoint &first = loop[*loop.find_joint("first")],
                   &floats = loop[*loop.find_joint("float")];
  p.q[std::size_t(first.q_start)] = q.q[0];
  p.v[std::size_t(first.v_start)] = q.v[0];
  const double pose_b[] = {turned.w, turned.x, turned.y, turned.z, X.p.x, X.p.y, X.p.z};
  const double twist_b[] = {V.angular.x, V.angular.y, V.angular.z,
                            V.linear.x,  V.linear.y,  V.linear.z};
  std::copy_n(pose_b, 7, p.q.begin() + floats.q_start);
  std::copy_n(twist_b, 6, p.v.begin() + floats.v_start);
  std::vector<double> a_loop(std::size_t(loop.nv())), tau_loop(a_loop.size());
  tau_loop[std::size_t(first.v_start)] = 1.3;
  for (const ConstraintSolver solver :
       {ConstraintSolver::automatic, ConstraintSolver::schur, ConstraintSolver::null_space,
        ConstraintSolver::kkt, ConstraintSolver::sparse}) {
    SCOPED_TRACE(to_string(solver));
    ConstrainedAnswer answer;
    const Status status = constrained_dynamics(loop, p, {.tau = tau_loop}, of_loop, answer, solver);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_NEAR(answer.a[first.v_start], a[0], 1e-10 * (1 + largest(a)));
    std::copy_n(answer.a.data(), a_loop.size(), a_loop.begin());
    Kinematics moved(loop);
    ASSERT_TRUE(kinematics(loop, p, {.a = a_loop}, of_loop, moved).ok());
    const Motion<double> A = acceleration(tree, at, frame_ref(tree, "b")),
                         A_loop = acceleration(loop, moved, frame_ref(loop, "b"));
    const double size = 1 + norm(A.angular) + norm(A.linear);
    EXPECT_LT(norm(A.angular - A_loop.angular) + norm(A.linear - A_loop.linear), 1e-10 * size);
  }
}

}  // namespace
}  // namespace trammel::every_kind_test
