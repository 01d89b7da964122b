// The filter over trees (R-63) [Rodriguez 1988, after its reference 3]: branched arms on a common
// torso grasp one object. Articulated inertias are summed over children, and the tips are coupled
// through the torso; the five stages stay.
#include "tests/reference/posed.hpp"
#include "tests/reference/rodriguez/five_stages.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/maximal_kkt.hpp"
#include "tests/support/placement_of.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"

namespace trammel::trees_test {
namespace {

// A tree of one-dof joints with its two recursions. From the engine: axis, shift, inertia and
// biases of each body; articulated inertias are computed here.
struct TreeSweeps {
  TreeSweeps(const Model& model, const State& state, Workspace& workspace)
      : n(int(model.bodies().size()) - 1) {
    const SpatialOperators O = operators_of(model, state, workspace);
    const SpatialBias biases = bias_of(model, state, workspace);
    EXPECT_EQ(model.nv(), n);
    Vector6 weight;  // of a body of unit inertia
    weight << Eigen::Vector3d::Zero(), column(model.gravity());
    for (int i = 0; i < n; ++i) {
      parent.push_back(model.bodies()[std::size_t(i + 1)].parent - 1);
      h.push_back(O.H.block<6, 1>(6 * i, i));
      m.push_back(O.M.block<6, 6>(6 * i, 6 * i));
      eta.push_back(biases.acceleration.segment<6>(6 * i));
      b.push_back(biases.force.segment<6>(6 * i) - m.back() * weight);
      phi.push_back(parent.back() < 0 ? Matrix6::Zero().eval()
                                      : O.E_phi.block<6, 6>(6 * i, 6 * parent.back()).eval());
    }
    P = m;
    G.resize(h.size()), D.resize(h.size());
    for (std::size_t i = h.size(); i-- > 0;) {  // children come after their parents
      D[i] = h[i].dot(P[i] * h[i]);
      G[i] = P[i] * h[i] / D[i];
      if (parent[i] < 0) continue;
      const Matrix6 psi = phi[i] - h[i] * G[i].transpose() * phi[i];
      P[std::size_t(parent[i])] += psi.transpose() * P[i] * psi;
    }
  }

  // Wrenches of bodies on the outside, each at its joint.
  using Wrenches = std::vector<Vector6>;
  struct Moved {
    Eigen::VectorXd joints;
    std::vector<Vector6> bodies;  // accelerations
  };
  Moved sweep(const Eigen::VectorXd& tau, const Wrenches& outside, bool has_bias) const {
    std::vector<Vector6> z = outside;
    Eigen::VectorXd innovation(n);
    for (int k = n - 1; k >= 0; --k) {
      const auto i = std::size_t(k);
      if (has_bias) z[i] += b[i];
      const Vector6 felt = has_bias ? Vector6(z[i] + P[i] * eta[i]) : z[i];
      innovation[k] = tau[k] - h[i].dot(felt);
      if (parent[i] >= 0)
        z[std::size_t(parent[i])] += phi[i].transpose() * (felt + G[i] * innovation[k]);
    }
    Moved out{Eigen::VectorXd(n), std::vector<Vector6>(h.size())};
    for (int k = 0; k < n; ++k) {
      const auto i = std::size_t(k);
      const Vector6 carried = parent[i] < 0 ? Vector6::Zero().eval()
                                            : Vector6(phi[i] * out.bodies[std::size_t(parent[i])]);
      out.joints[k] = innovation[k] / D[i] - G[i].dot(carried);
      out.bodies[i] = carried + h[i] * out.joints[k];
      if (has_bias) out.bodies[i] += eta[i];
    }
    return out;
  }
  Wrenches nothing() const { return Wrenches(h.size(), Vector6::Zero()); }

  int n;
  std::vector<int> parent;
  std::vector<Vector6> h, eta, b, G;
  std::vector<Matrix6> m, phi, P;
  std::vector<double> D;
};

// Two generic arms on one torso, each with a feeler of two links on its third.
Description branched() {
  Description description("torso with arms");
  description.body(
      "torso", {.mass = 25.0, .com = {0.05, 0.02, 0.2}, .inertia = {1.0, 0.0, 0.0, 0.8, 0.0, 0.5}});
  description.joint("waist", JointKind::revolute, "ground", "torso", {.axis = {0.1, -0.2, 1.0}});
  for (const int number : {1, 2}) {
    const std::string arm = "arm " + std::to_string(number) + " ";
    GenericArm::add_to(description, number, false, arm);
    for (JointDescription& joint : description.joints)
      if (joint.parent == "ground" && joint.name != "waist") joint.parent = "torso";
    std::string before = arm + "link 3";
    for (const char* name : {"feeler 1", "feeler 2"}) {
      const std::string link = arm + name;
      description.body(
          link,
          {.mass = 1.5, .com = {0.0, 0.1, 0.05}, .inertia = {0.02, 0.0, 0.0, 0.01, 0.0, 0.02}});
      description.joint(
          link, JointKind::revolute, before, link,
          {.at = {.xyz = {0.1, 0.05, 0.2}, .rpy = {0.3, -0.2, 0.5}}, .axis = {1.0, 0.0, 0.0}});
      before = link;
    }
  }
  return description;
}

TEST(rodriguez_trees, five_stages_hold_for_arms_that_branch_and_share_a_torso) {
  shows({"R-63", "forward_dynamics", "spatial_operators"});
  const Description open_description = branched();
  const Model open_model = build_model(open_description);
  const int n = open_model.nv();
  ASSERT_EQ(n, 1 + 2 * (6 + 2));
  Posed open(open_description, {});
  open.state = neutral_state(open.model);
  const double angles[][6] = {{0.2, -0.5, 0.9, 0.3, 0.6, -0.4}, {-0.1, -0.6, 1.0, -0.2, 0.5, 0.3}};
  const auto dof = [&](const std::string& joint) {
    return std::size_t(open.model[*open.model.find_joint(joint)].v_start);
  };
  Eigen::VectorXd tau(n);
  for (int k = 0; k < n; ++k) tau[k] = 5 * std::sin(1.0 + k);
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 6; ++k)
      open.state.q[dof("arm " + std::to_string(i + 1) + " joint " + std::to_string(k + 1))] =
          angles[i][k];
  open.state.q[dof("waist")] = 0.2;
  for (const char* feeler :
       {"arm 1 feeler 1", "arm 1 feeler 2", "arm 2 feeler 1", "arm 2 feeler 2"})
    open.state.q[dof(feeler)] = 0.7;

  // welded to the object in their present poses
  Object object;
  const Eigen::Vector3d tips[] = {three(open.X("arm 1 tip").p), three(open.X("arm 2 tip").p)};
  object.C = (tips[0] + tips[1]) / 2 + Eigen::Vector3d(0, 0, 0.05);
  Description description = open_description;
  description.body("object", {.mass = 10.0, .inertia = {0.2, 0.0, 0.0, 0.3, 0.0, 0.25}});
  const Pose<double> X_WO{Mat3<double>::identity(), vec3(object.C)};
  for (const char* arm : {"arm 1 ", "arm 2 "}) {
    const std::string hand = std::string(arm) + "link 6";
    description.joint(
        std::string(arm) + "grip", JointKind::fixed, hand, "object",
        {.at = placement_of(inverse(open.X(hand)) * X_WO), .cut = arm == std::string("arm 2 ")});
  }
  Posed closed(description, open.state.q);
  ASSERT_EQ(closed.model.nv(), n);
  for (int k = 0; k < n; ++k) {
    ASSERT_EQ(closed.model.dof_name(k), open.model.dof_name(k));
    closed.state.v[std::size_t(k)] = 0.4 * std::cos(2.0 * k);
  }
  const Status status = assemble(closed.model, closed.state, closed.workspace,
                                 {.keep_velocity = std::vector<JointId>{}});
  ASSERT_TRUE(status.ok()) << status.message();
  open.state = closed.state;
  object.twist = column(
      velocity(closed.model, closed.moving(), frame_ref(closed.model, "object"), Axes::world));
  EXPECT_GT(object.twist.norm(), 0.1);

  // stage 1: the filter over the tree gives the articulated inertias of the engine
  const TreeSweeps sweeps(open.model, open.state, open.workspace);
  const SpatialOperators O = operators_of(open.model, open.state, open.workspace);
  for (int i = 0; i < n; ++i)
    EXPECT_LT(largest(O.P.block<6, 6>(6 * i, 6 * i) - sweeps.P[std::size_t(i)]),
              1e-12 * largest(sweeps.P[std::size_t(i)]));
  const TreeSweeps::Moved free = sweeps.sweep(tau, sweeps.nothing(), true);
  const std::vector<double> efforts = list_of(tau);
  const Eigen::VectorXd free_engine = open.a({.tau = efforts});
  EXPECT_LT(largest(free.joints - free_engine), 1e-10 * largest(free_engine));

  // stage 2: tips, and their response to wrenches on each of them
  const Kinematics moving = open.moving();
  const auto body = [&](int i) {
    return open.model[frame_ref(open.model, "arm " + std::to_string(i + 1) + " tip").body]
               .tree_body -
           1;
  };
  const auto tip_shift = [&](int i) {
    return twist_shift(tips[i] - column(moving.X_WB[std::size_t(body(i) + 1)].p));
  };
  const auto tip_accelerations = [&](const TreeSweeps::Moved& moved, bool has_bias) {
    Eigen::VectorXd out(12);
    for (int i = 0; i < 2; ++i) {
      const std::size_t k = std::size_t(body(i));
      out.segment<6>(6 * i) = tip_shift(i) * moved.bodies[k];
      const Eigen::Vector3d w = column(turned(moving.X_WB[k + 1].R, moving.V[k + 1]).angular),
                            l = tips[i] - column(moving.X_WB[k + 1].p);
      if (has_bias) out.segment<3>(6 * i + 3) += w.cross(w.cross(l));
    }
    return out;
  };
  const auto at_tips = [&](const Eigen::VectorXd& x) {
    TreeSweeps::Wrenches out = sweeps.nothing();
    for (int i = 0; i < 2; ++i)
      out[std::size_t(body(i))] += tip_shift(i).transpose() * x.segment<6>(6 * i);
    return out;
  };
  Eigen::MatrixXd Lambda(12, 12);
  for (int k = 0; k < 12; ++k)
    Lambda.col(k) = -tip_accelerations(
        sweeps.sweep(Eigen::VectorXd::Zero(n), at_tips(Eigen::VectorXd::Unit(12, k)), false),
        false);
  EXPECT_LT(largest(Lambda - Lambda.transpose()), 1e-11 * largest(Lambda));
  EXPECT_GT(largest(Lambda.topRightCorner<6, 6>()), 1e-3);  // through the torso
  Eigen::MatrixXd J(12, n);
  J << open.J("arm 1 tip", Axes::world), open.J("arm 2 tip", Axes::world);
  EXPECT_LT(largest(Lambda - J * open.M().inverse() * J.transpose()), 1e-10 * largest(Lambda));

  // stage 3
  Eigen::MatrixXd A(6, 12);
  Eigen::VectorXd a_C = Eigen::VectorXd::Zero(12);
  const Eigen::Vector3d w = object.twist.head<3>();
  for (int i = 0; i < 2; ++i) {
    A.middleCols<6>(6 * i) = twist_shift(tips[i] - object.C).transpose();
    a_C.segment<3>(6 * i + 3) = w.cross(w.cross(tips[i] - object.C));
  }
  const Matrix6 M_inverse = object.M().inverse();
  const Eigen::VectorXd x =
      (A.transpose() * M_inverse * A + Lambda)
          .ldlt()
          .solve(tip_accelerations(free, true) - a_C + A.transpose() * M_inverse * object.b());
  // stages 4 and 5
  const Eigen::VectorXd a = sweeps.sweep(tau, at_tips(x), true).joints;

  // the engine on the closed mechanism, and maximal coordinates
  const Eigen::VectorXd engine = closed.a({.tau = efforts});
  EXPECT_LT(largest(a - engine), 1e-9 * (1 + largest(engine)) + 1e-12 * largest(free_engine));
  const MaximalKkt plain(closed.model, closed.state, {.tau = efforts}, closed.workspace);
  EXPECT_LT(largest(a - plain.a), 1e-8 * (1 + largest(engine)));
}

}  // namespace
}  // namespace trammel::trees_test
