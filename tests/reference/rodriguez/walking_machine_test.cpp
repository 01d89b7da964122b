// A walking machine is the same problem as arms that grasp an object [Rodriguez 1988, section 11]:
// legs for arms, the body for the object, feet for bases. Roles are exchanged, results are the
// same.
#include "tests/reference/from_gallery.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/maximal_kkt.hpp"
#include "tests/support/placement_of.hpp"
#include "trammel/constraint/assembly/inverse_kinematics.hpp"

namespace trammel::walking_machine_test {
namespace {

// R-EX2 as a body on two legs that stand on the ground.
TEST(rodriguez_walking_machine, two_arms_on_an_object_are_a_body_on_two_legs) {
  FromGallery arms("r_ex2");
  const std::vector<double> tau = {3, -150, -55, 1, -12, 0.5, -2, -145, -50, 0.5, -11.5, -0.3};
  const Eigen::VectorXd a = arms.posed.a({.tau = tau});
  const Eigen::VectorXd alpha = arms.acceleration_of("object", a);
  const UniqueReactions carried = arms.carried({.tau = tau});

  Description description = arms.posed.model.description();
  description.joint("float", JointKind::free, "ground", "object");
  for (JointDescription& joint : description.joints)
    joint.options.cut = joint.name.ends_with("_joint1");
  description.start_positions.clear(), description.start_velocities.clear();
  Posed walker(description, {});
  walker.state = neutral_state(walker.model);
  ASSERT_EQ(walker.model.nv(), 6 + 5 + 5);
  ASSERT_EQ(walker.model.closures().size(), 2u);
  const auto joint = [&](const std::string& name) -> const NamedJoint& {
    return walker.model[*walker.model.find_joint(name)];
  };
  std::vector<double> efforts(16), loop_efforts(2);
  const auto old = [&](const std::string& name) {
    return std::size_t(arms.posed.model[*arms.posed.model.find_joint(name)].v_start);
  };
  for (int i = 1; i <= 2; ++i)
    for (int k = 2; k <= 6; ++k) {
      const std::string name = "arm" + std::to_string(i) + "_joint" + std::to_string(k);
      walker.state.q[std::size_t(joint(name).q_start)] = arms.posed.state.q[old(name)];
      walker.state.v[std::size_t(joint(name).v_start)] = arms.posed.state.v[old(name)];
      efforts[std::size_t(joint(name).v_start)] = tau[old(name)];
    }
  // the body floats with the motion of the object, and is not rotated
  const Pose<double> X = arms.posed.X("object");
  const double twist[] = {0.1, -0.2, 0.3, 0.05, 0.1, -0.08};
  const std::size_t q0 = std::size_t(joint("float").q_start),
                    v0 = std::size_t(joint("float").v_start);
  for (const auto& [k, x] : {std::pair{4, X.p.x}, {5, X.p.y}, {6, X.p.z}})
    walker.state.q[q0 + std::size_t(k)] = x;
  std::ranges::copy(twist, walker.state.v.begin() + std::ptrdiff_t(v0));
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string name = walker.model.closure_dof_name(int(k));
    loop_efforts[k] = tau[old(name)];
  }
  const Inputs inputs{.tau = efforts, .loop_tau = loop_efforts};
  const Eigen::VectorXd found = walker.a(inputs);
  for (int i = 1; i <= 2; ++i)
    for (int k = 2; k <= 6; ++k) {
      const std::string name = "arm" + std::to_string(i) + "_joint" + std::to_string(k);
      // free accelerations of 900 rad/s^2 cost two digits
      EXPECT_NEAR(found[joint(name).v_start], a[Eigen::Index(old(name))], 1e-8) << name;
    }
  const std::vector<double> list = list_of(found);
  const Eigen::VectorXd body = six(acceleration(walker.model, walker.moving({.a = list}),
                                                frame_ref(walker.model, "object"), Axes::world));
  EXPECT_LT(largest(body - alpha), 1e-8);
  expect_near(
      body, {-17.9201905067, 4.1208301526, 0.8174714193, 0.5111070872, -0.6869407244, 3.8798319334},
      2e-8, "as printed for the object");
  // reactions of the feet on the ground equal those of the bases
  UniqueReactions feet;
  const Status status =
      constrained_reactions(walker.model, walker.state, inputs, walker.workspace, feet);
  ASSERT_TRUE(status.ok()) << status.message();
  for (const char* name : {"arm1_joint1", "arm2_joint1"}) {
    const Vector6 stands = column(feet.force[std::size_t(index(*walker.model.find_joint(name)))]),
                  carries = column(carried.force[arms.joint(name)]);
    EXPECT_LT(largest(stands - carries), 1e-8 * (1 + largest(carries))) << name;
  }
}

// The quadruped of the gallery on four feet that do not slip, in both descriptions.
struct Standing {
  // as a walker: the trunk floats, the feet close the loops; as arms: every foot is a base, and the
  // legs meet at the trunk
  explicit Standing(bool as_arms, const std::vector<std::string>& lifted = {})
      : posed(described(as_arms, lifted), {}) {
    posed.state = neutral_state(posed.model);
    FromGallery dog("quadruped");
    // joints of every leg at the start of the file; rotations of a foot follow from its shank
    for (const NamedJoint& named : posed.model.joints()) {
      if (named.role != NamedJoint::Role::tree) continue;
      double* q = posed.state.q.data() + named.q_start;
      if (named.name.starts_with("foot of ")) {
        const Placement turned = placement_of(dog.posed.X(named.name.substr(8)));
        q[0] = turned.rpy.z.constant(), q[1] = turned.rpy.y.constant();
        q[2] = turned.rpy.x.constant();
      } else {
        const NamedJoint& same = dog.posed.model[*dog.posed.model.find_joint(named.name)];
        std::copy_n(dog.posed.state.q.begin() + same.q_start, same.nq, q);
      }
    }
    // the trunk sways; with all feet down this determines all velocities
    const MotionTarget sway[] = {{.place = frame_ref(posed.model, "trunk"),
                                  .angular = Vec3<double>{0.3, -0.2, 0.4},
                                  .linear = Vec3<double>{0.2, 0.1, -0.15}}};
    std::vector<double> v(posed.state.v.size());
    const Status status =
        inverse_kinematics_velocity(posed.model, posed.state, sway, posed.workspace, v);
    EXPECT_TRUE(status.ok()) << status.message();
    posed.state.v = v;
    tau.resize(std::size_t(posed.model.nv()));
    for (const NamedJoint& named : posed.model.joints())
      if (named.role == NamedJoint::Role::tree && named.drive == Drive::torque)
        tau[std::size_t(named.v_start)] = effort(named.name);
    loop_tau.resize(std::size_t(posed.model.loop_nv()));
    for (std::size_t k = 0; k < loop_tau.size(); ++k) {
      const std::string name = posed.model.closure_dof_name(int(k));
      loop_tau[k] = name.starts_with("foot of") ? 0 : effort(name);
    }
  }
  static double effort(const std::string& joint) {
    return joint.ends_with("roll") ? 0.8 : joint.ends_with("pitch") ? -1.3 : 2.1;
  }
  static Description described(bool as_arms, const std::vector<std::string>& lifted) {
    FromGallery dog("quadruped");
    Description description = dog.posed.model.description();
    const Vec3<Expr> x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};
    for (const BodyDescription& body : dog.posed.model.description().bodies) {
      if (!body.name.ends_with("_shank") || std::ranges::count(lifted, body.name) > 0) continue;
      const Vec3<double> foot = dog.posed.X(body.name) * Vec3<double>{0, 0, -0.2};
      description.joint("foot of " + body.name, JointKind::compound, "ground", body.name,
                        {.at = {.xyz = {foot.x, foot.y, foot.z}},
                         .child_at = {.xyz = {0.0, 0.0, -0.2}},
                         .motions = {turn(z), turn(y), turn(x)},
                         .cut = !as_arms});
    }
    description.start_positions.clear(), description.start_velocities.clear();
    if (as_arms) {
      std::erase_if(description.joints, [](const auto& joint) { return joint.name == "float"; });
      for (JointDescription& joint : description.joints)
        joint.options.cut = joint.name.ends_with("roll") && joint.name != "front_left_roll";
    }
    return description;
  }
  Eigen::VectorXd trunk() {
    const Eigen::VectorXd a = posed.a({.tau = tau, .loop_tau = loop_tau});
    const std::vector<double> list = list_of(a);
    return six(acceleration(posed.model, posed.moving({.a = list}), frame_ref(posed.model, "trunk"),
                            Axes::world));
  }
  // force of the ground on a foot, in world axes
  Eigen::Vector3d under(const std::string& shank) {
    UniqueReactions carried;
    const Status status = constrained_reactions(
        posed.model, posed.state, {.tau = tau, .loop_tau = loop_tau}, posed.workspace, carried);
    EXPECT_TRUE(status.ok()) << status.message();
    const auto foot = std::size_t(index(*posed.model.find_joint("foot of " + shank)));
    return three(posed.X(shank).R * carried.force[foot].force);
  }
  Posed posed;
  std::vector<double> tau, loop_tau;
};

TEST(rodriguez_walking_machine, is_the_problem_of_arms_that_hold_an_object) {
  shows({"R-62", "forward_dynamics", "constrained_reactions"});
  Standing walker(false), arms(true);
  EXPECT_EQ(walker.posed.model.nv(), 6 + 12);
  EXPECT_EQ(arms.posed.model.nv(), 4 * 6 - 3);
  const Eigen::VectorXd alpha = walker.trunk();
  EXPECT_LT(largest(arms.trunk() - alpha), 1e-9 * (1 + largest(alpha)));
  EXPECT_GT(largest(alpha), 0.1);
  const char* shanks[] = {"front_left_shank", "front_right_shank", "hind_left_shank",
                          "hind_right_shank"};
  double up = 0;
  for (const char* shank : shanks) {
    const Eigen::Vector3d F = walker.under(shank);
    EXPECT_LT(largest(arms.under(shank) - F), 1e-9 * (1 + largest(F))) << shank;
    up += F.z();
  }
  EXPECT_GT(up, 10);  // it stands
  // and they agree with maximal coordinates, which distinguish neither arms nor legs
  const MaximalKkt plain(walker.posed.model, walker.posed.state, {.tau = walker.tau},
                         walker.posed.workspace);
  const Eigen::VectorXd a = walker.posed.a({.tau = walker.tau});
  EXPECT_LT(largest(plain.a - a), 1e-9 * (1 + largest(a)));

  // a lifted foot is an arm that releases the object: both descriptions, one result
  Standing lifted(false, {"hind_left_shank"}), let_go(true, {"hind_left_shank"});
  let_go.posed.state.v.assign(let_go.posed.state.v.size(), 0);
  lifted.posed.state.v.assign(lifted.posed.state.v.size(), 0);
  const Eigen::VectorXd beta = lifted.trunk();
  EXPECT_LT(largest(let_go.trunk() - beta), 1e-9 * (1 + largest(beta)));
  const MaximalKkt three_feet(lifted.posed.model, lifted.posed.state, {.tau = lifted.tau},
                              lifted.posed.workspace);
  const Eigen::VectorXd b = lifted.posed.a({.tau = lifted.tau});
  EXPECT_LT(largest(three_feet.a - b), 1e-9 * (1 + largest(b)));
}

}  // namespace
}  // namespace trammel::walking_machine_test
