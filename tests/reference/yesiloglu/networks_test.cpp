// Systems of any topology [Yesiloglu 2007]: the payload as the base, arms between nodes, dependent
// joint rates, open arms on closed systems.
#include "tests/reference/from_gallery.hpp"
#include "tests/reference/rodriguez/arms.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/maximal_kkt.hpp"
#include "tests/support/placement_of.hpp"
#include "tests/support/random_robot.hpp"

namespace trammel::networks_test {
namespace {

std::vector<double> some_torques(const Model& model) {
  std::vector<double> tau(std::size_t(model.nv()), 0.0);
  for (const NamedJoint& joint : model.joints())
    if (joint.name.find("joint") != std::string::npos && joint.nv == 1)
      tau[std::size_t(joint.v_start)] = 3 * std::sin(double(joint.name.size() + joint.name.back()));
  return tau;
}

// The payload floats, the arms are outboard of it, and the platform is outboard of an arm.
TEST(yesiloglu_networks, payload_may_be_the_base) {
  shows({"Y-42", "forward_dynamics"});
  FromGallery usual("e_02");
  Description description = usual.posed.model.description();
  for (JointDescription& joint : description.joints)
    if (joint.name == "float") joint.child = "object";
  Posed inverted(description, neutral_state(build_model(description)).q);
  // the same pose and motion, by name
  const Kinematics moving = usual.posed.moving();
  const Pose<double> X = usual.posed.X("object");
  const Motion<double> V =
      velocity(usual.posed.model, moving, frame_ref(usual.posed.model, "object"), Axes::body);
  const std::array<double, 6> twist = angular_first(V);
  for (const NamedJoint& joint : inverted.model.joints()) {
    if (joint.role != NamedJoint::Role::tree) continue;
    const NamedJoint& same = usual.posed.model[*usual.posed.model.find_joint(joint.name)];
    for (int k = 0; k < joint.nv; ++k)
      inverted.state.v[std::size_t(joint.v_start + k)] =
          joint.name == "float" ? twist[std::size_t(k)]
                                : usual.posed.state.v[std::size_t(same.v_start + k)];
    if (joint.name != "float")
      inverted.state.q[std::size_t(joint.q_start)] = usual.posed.state.q[std::size_t(same.q_start)];
  }
  const int float_q = inverted.model[*inverted.model.find_joint("float")].q_start;
  const double place[] = {1, 0, 0, 0, X.p.x, X.p.y, X.p.z};  // without rotation
  std::copy_n(place, 7, inverted.state.q.begin() + float_q);

  const std::vector<double> tau = some_torques(usual.posed.model),
                            there = some_torques(inverted.model);
  const Eigen::VectorXd a = usual.posed.a({.tau = tau}), b = inverted.a({.tau = there});
  for (const NamedJoint& joint : inverted.model.joints())
    if (joint.role == NamedJoint::Role::tree && joint.nv == 1) {
      EXPECT_NEAR(b[joint.v_start], usual.of(a, joint.name)[0], 1e-8 * (1 + largest_of(a)))
          << joint.name;
    }
  for (const char* body : {"platform", "object"}) {
    const std::vector<double> list = list_of(b);
    const Eigen::VectorXd alpha = six(acceleration(inverted.model, inverted.moving({.a = list}),
                                                   frame_ref(inverted.model, body), Axes::world));
    EXPECT_LT(largest_of(alpha - usual.acceleration_of(body, a)), 1e-8 * (1 + largest_of(a)));
  }
}

// An open arm on a closed system: with the wrenches of the hands applied to the tips, and none on
// the open arm, the tree alone has the same motion.
TEST(yesiloglu_networks, open_arms_hang_on_closed_systems) {
  shows({"Y-74", "forward_dynamics", "constrained_reactions"});
  FromGallery closed("e_02");
  Description description = closed.posed.model.description();
  GenericArm::add_to(description, 3, false, "open ");
  for (JointDescription& joint : description.joints)
    if (joint.name == "open joint 1") joint.parent = "platform";
  Posed posed(description, neutral_state(build_model(description)).q);
  const auto copy = [](const Posed& from, Posed& to) {
    for (const NamedJoint& joint : to.model.joints()) {
      const auto same = from.model.find_joint(joint.name);
      if (joint.role != NamedJoint::Role::tree || !same) continue;
      std::copy_n(from.state.q.begin() + from.model[*same].q_start, joint.nq,
                  to.state.q.begin() + joint.q_start);
      std::copy_n(from.state.v.begin() + from.model[*same].v_start, joint.nv,
                  to.state.v.begin() + joint.v_start);
    }
  };
  copy(closed.posed, posed);
  const NamedJoint& open = posed.model[*posed.model.find_joint("open joint 2")];
  posed.state.q[std::size_t(open.q_start)] = 0.4;
  posed.state.v[std::size_t(open.v_start)] = -0.7;
  const std::vector<double> tau = some_torques(posed.model);
  const Eigen::VectorXd a = posed.a({.tau = tau});
  UniqueReactions carried;
  ASSERT_TRUE(
      constrained_reactions(posed.model, posed.state, {.tau = tau}, posed.workspace, carried).ok());

  Description tree = description;
  std::erase_if(tree.bodies, [](const auto& body) { return body.name == "object"; });
  std::erase_if(tree.joints, [](const auto& joint) { return joint.name.starts_with("grip"); });
  Posed arms(tree, neutral_state(build_model(tree)).q);
  copy(posed, arms);
  std::vector<Wrench> on_hands;
  for (const char* number : {"1", "2"}) {
    const std::string hand = "arm" + std::string(number) + "_link6";
    FrameRef grip = frame_ref(arms.model, hand);
    grip.X_UA = inverse(posed.X(hand)) * posed.X("object");
    const Force<double> F =
        carried.force[std::size_t(index(*posed.model.find_joint("grip" + std::string(number))))];
    on_hands.push_back({grip, -F, Axes::body});
  }
  const Eigen::VectorXd b = arms.a({.tau = some_torques(arms.model), .wrenches = on_hands});
  for (const NamedJoint& joint : arms.model.joints()) {
    if (joint.role != NamedJoint::Role::tree) continue;
    const int there = posed.model[*posed.model.find_joint(joint.name)].v_start;
    EXPECT_LT(largest_of(b.segment(joint.v_start, joint.nv) - a.segment(there, joint.nv)),
              1e-8 * (1 + largest_of(a)))
        << joint.name;
  }
}

// Five arms with 27 joints between three moving supports and two nodes: loops anywhere.
Description network(Random& random) {
  Description description("network");
  const Solid link{
      .mass = 1.0, .com = {0.1, 0.05, 0.0}, .inertia = {0.02, 0.0, 0.0, 0.03, 0.0, 0.04}};
  const auto vector = [](const Vec3<double>& x) { return Vec3<Expr>{x.x, x.y, x.z}; };
  for (int k = 1; k <= 3; ++k) {
    const std::string name = "support " + std::to_string(k);
    description.body(name, link);
    description.joint(name, JointKind::prismatic, "ground", name,
                      {.at = {.xyz = {0.8 * k, 0.3 * k, 0.0}}, .drive = Drive::motion});
  }
  description.body("node 1", link);
  description.body("node 2", {.mass = 4.0, .inertia = {0.2, 0.0, 0.0, 0.3, 0.0, 0.25}});
  struct Arm {
    const char *from, *to;
    int joints;
  };
  const Arm arms[] = {{"support 1", "node 1", 6},
                      {"node 1", "node 2", 6},
                      {"support 2", "node 1", 5},
                      {"support 3", "node 2", 5},
                      {"node 1", "node 2", 5}};
  for (std::size_t i = 0; i < 5; ++i) {
    std::string parent = arms[i].from;
    for (int k = 0; k < arms[i].joints; ++k) {
      const std::string name = "arm " + std::to_string(i) + " joint " + std::to_string(k);
      description.body(name, link);
      description.joint(name, JointKind::revolute, parent, name,
                        {.at = {vector(random.vector(0.4)), vector(random.vector(2))}});
      parent = name;
    }
    // the first arm to a node has it in the tree; the others are placed at its pose, at q = 0
    const std::string grip = "grip " + std::to_string(i);
    if (i < 2) {
      description.joint(grip, JointKind::fixed, parent, arms[i].to,
                        {.at = {vector(random.vector(0.2)), {}}});
      continue;
    }
    const Model so_far = build_model(description);
    Workspace workspace(so_far);
    Kinematics where(so_far);
    // nodes and arms are attached to what exists; earlier loops are closed as they are
    EXPECT_TRUE(kinematics(so_far, neutral_state(so_far), {}, workspace, where).ok());
    const Pose<double> X_HN = inverse(pose(so_far, where, frame_ref(so_far, parent))) *
                              pose(so_far, where, frame_ref(so_far, arms[i].to));
    description.joint(grip, JointKind::fixed, parent, arms[i].to,
                      {.at = placement_of(X_HN), .cut = true});
  }
  return description;
}

TEST(yesiloglu_networks, arms_between_nodes_move_as_maximal_coordinates_say) {
  shows({"Y-58", "forward_dynamics"});
  Random random(5);
  const Description description = network(random);
  Posed posed(description, neutral_state(build_model(description)).q);
  ASSERT_EQ(posed.model.nv(), 3 + 27);
  ASSERT_EQ(posed.model.closures().size(), 3u);
  posed.state.v = random.numbers(posed.model.nv());
  ASSERT_TRUE(assemble(posed.model, posed.state, posed.workspace).ok());
  const std::vector<double> tau = random.numbers(posed.model.nv());
  std::vector<double> prescribed(tau.size(), 0.0);  // prescribed vertical motion of the supports
  for (int k = 1; k <= 3; ++k)
    prescribed[std::size_t(
        posed.model[*posed.model.find_joint("support " + std::to_string(k))].v_start)] =
        0.5 * k - 1;
  const Inputs inputs{.tau = tau, .a = prescribed};
  const MaximalKkt plain_way(posed.model, posed.state, inputs, posed.workspace);
  const Eigen::VectorXd a = posed.a(inputs);
  EXPECT_LT(largest_of(a - plain_way.a), 1e-9 * (1 + largest_of(a)));
  for (int k = 1; k <= 3; ++k) {
    const int f = posed.model[*posed.model.find_joint("support " + std::to_string(k))].v_start;
    EXPECT_NEAR(a[f], prescribed[std::size_t(f)], 1e-12);
  }
}

// Dependent joint rates: E_dep v_dep = -E_ind v_ind.
TEST(yesiloglu_networks, dependent_rates_follow_from_independent_ones) {
  for (const char* name : {"e_02", "e_05", "f2", "me_5"}) {
    FromGallery mechanism(name);
    Posed& posed = mechanism.posed;
    Eigen::MatrixXd J;
    ASSERT_TRUE(constraint_jacobian(posed.model, posed.state, posed.workspace, J).ok());
    const RowBasis basis = mechanism.plan();
    const Eigen::MatrixXd rows = independent_rows(J, basis);
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> pivots(rows);
    const Eigen::Index r = basis.rank(), n = J.cols();
    ASSERT_EQ(n - r, mechanism.ways().instantaneous);
    const auto& order = pivots.colsPermutation().indices();
    Eigen::MatrixXd E_dep(r, r), E_ind(r, n - r);
    for (Eigen::Index k = 0; k < n; ++k)
      (k < r ? E_dep.col(k) : E_ind.col(k - r)) = rows.col(order[k]);
    const auto completed = [&](const Eigen::VectorXd& independent, const Eigen::VectorXd& rhs) {
      const Eigen::VectorXd dependent = E_dep.partialPivLu().solve(rhs - E_ind * independent);
      std::vector<double> all(std::size_t(n), 0.0);
      for (Eigen::Index k = 0; k < n; ++k)
        all[std::size_t(order[k])] = k < r ? dependent[k] : independent[k - r];
      return all;
    };
    Eigen::VectorXd chosen(n - r);
    for (Eigen::Index k = 0; k < n - r; ++k) chosen[k] = std::cos(1.7 * double(k));
    posed.state.v = completed(chosen, Eigen::VectorXd::Zero(r));
    EXPECT_LT(largest_of(J * vector_of(posed.state.v)), 1e-11) << name;
    // accelerations too: J a = -dJ/dt v, the change of J by differences along v
    const Eigen::VectorXd a = posed.a(), v = vector_of(posed.state.v);
    const State start = posed.state;
    const auto rates_at = [&](double time) -> Eigen::VectorXd {
      State there = later(posed.model, start, {}, time);
      std::fill(there.v.begin(), there.v.end(), 0.0);
      Eigen::MatrixXd J_there;
      EXPECT_TRUE(constraint_jacobian(posed.model, there, posed.workspace, J_there).ok());
      return independent_rows(J_there, basis) * v;
    };
    // a step so short that the state stays closed enough for a call; rounding / h is 1e-11
    const Eigen::VectorXd change = time_derivative(rates_at, 2e-5);
    Eigen::VectorXd independent(n - r);
    for (Eigen::Index k = r; k < n; ++k) independent[k - r] = a[order[k]];
    const std::vector<double> again = completed(independent, -change);
    EXPECT_LT(largest_of(vector_of(again) - a), 1e-7 * (1 + largest_of(a))) << name;
  }
}

}  // namespace
}  // namespace trammel::networks_test
