// Contents of a URDF, as numbers computed by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/test_folder.hpp"
#include "trammel/model/state.hpp"
#include "trammel/read/load.hpp"

namespace trammel::urdf_read_test {
namespace {

const std::string folder = test_folder() + "/unit/read/urdf";

Description everything(const ReadOptions& options = {}) {
  Diagnostics diagnostics;
  Description description = read_description(folder + "/everything.urdf", options, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list()) ADD_FAILURE() << to_string(diagnostic);
  return description;
}
const BodyDescription& body_named(const Description& description, const std::string& name) {
  return *std::ranges::find(description.bodies, name, &BodyDescription::name);
}
const JointDescription& joint_named(const Description& description, const std::string& name) {
  return *std::ranges::find(description.joints, name, &JointDescription::name);
}
std::array<double, 3> numbers(const Vec3<Expr>& a) {
  return {a.x.constant(), a.y.constant(), a.z.constant()};
}
std::vector<double> numbers(const std::vector<Expr>& list) {
  std::vector<double> values;
  for (const Expr& number : list) values.push_back(number.constant());
  return values;
}
using Three = std::array<double, 3>;
using List = std::vector<double>;

TEST(UrdfRead, a_file_with_everything_that_is_used_has_no_warning_and_is_a_model) {
  const Description description = everything();
  EXPECT_EQ(description.name, "everything");
  const Model model = build_model(description);
  // shoulder, elbow, grip, thumb_grip 1 each, table 3, orbit 7
  EXPECT_EQ(model.nq(), 14);
}

TEST(UrdfRead, an_inertia_is_turned_into_the_axes_of_its_body) {
  // yaw of 90 deg: x of the inertia is y of the body, its y is -x of the body
  const Solid solid = body_named(everything(), "base").solid;
  EXPECT_EQ(solid.mass.constant(), 2);
  EXPECT_EQ(numbers(solid.com), (Three{0.1, 0.2, 0.3}));
  EXPECT_EQ(solid.inertia.xx.constant(), 0.02);
  EXPECT_EQ(solid.inertia.yy.constant(), 0.01);
  EXPECT_EQ(solid.inertia.zz.constant(), 0.025);
  EXPECT_EQ(solid.inertia.xy.constant(), -0.001);
  EXPECT_EQ(solid.inertia.xz.constant(), -0.003);
  EXPECT_EQ(solid.inertia.yz.constant(), 0.002);
}

TEST(UrdfRead, an_inertia_is_turned_by_roll_then_pitch_then_yaw_about_fixed_axes) {
  // of diag(1, 2, 3) / 4 with rpy = (90, 90, 0) deg: x -> -z, y -> x (over z), z -> -y, so that the
  // moments are 2 about x, 3 about y, 1 about z
  Diagnostics diagnostics;
  const Description description =
      read_description("r.urdf",
                       "<robot name='r'><link name='a'><inertial>"
                       "<origin rpy='1.5707963267948966 1.5707963267948966 0'/><mass value='1'/>"
                       "<inertia ixx='0.25' ixy='0' ixz='0' iyy='0.5' iyz='0' izz='0.75'/>"
                       "</inertial></link></robot>",
                       {}, diagnostics);
  const SymMat3<Expr>& I = description.bodies[0].solid.inertia;
  EXPECT_EQ(I.xx.constant(), 0.5);
  EXPECT_EQ(I.yy.constant(), 0.75);
  EXPECT_EQ(I.zz.constant(), 0.25);
}

TEST(UrdfRead, shapes_are_kept_with_colors_and_meshes_are_found) {
  const Description description = everything();
  const std::vector<Shape>& base = body_named(description, "base").shapes;
  ASSERT_EQ(base.size(), 3u);
  EXPECT_EQ(base[0].name, "plate");
  EXPECT_EQ(base[0].kind, Shape::Kind::box);
  EXPECT_EQ(numbers(base[0].size), (Three{0.4, 0.3, 0.1}));
  EXPECT_EQ(numbers(base[0].at.xyz), (Three{0, 0, -0.05}));
  EXPECT_EQ(numbers(base[0].at.rpy), (Three{0, 0, 0.5}));
  EXPECT_EQ(*base[0].color, (std::array<double, 4>{0.7, 0.7, 0.75, 1}));
  EXPECT_EQ(base[1].kind, Shape::Kind::mesh);
  EXPECT_EQ(base[1].mesh, folder + "/everything/meshes/plate.stl");
  EXPECT_EQ(numbers(base[1].scale), (Three{0.001, 0.001, -0.001}));
  EXPECT_EQ(*base[1].color, (std::array<double, 4>{1, 0, 0, 0.5}));
  EXPECT_FALSE(base[1].is_collision);
  EXPECT_EQ(base[2].kind, Shape::Kind::sphere);
  EXPECT_EQ(base[2].size.x.constant(), 0.25);
  EXPECT_TRUE(base[2].is_collision);

  // a material defined after its first use is found by name
  const std::vector<Shape>& upper = body_named(description, "upper").shapes;
  ASSERT_EQ(upper.size(), 2u);
  EXPECT_EQ(upper[0].kind, Shape::Kind::cylinder);
  EXPECT_EQ(numbers(upper[0].size), (Three{0.05, 0.6, 0}));
  EXPECT_EQ(*upper[0].color, (std::array<double, 4>{1, 0, 0, 0.5}));
  EXPECT_EQ(upper[1].kind, Shape::Kind::capsule);
}

TEST(UrdfRead, joints_are_what_they_say) {
  const Description description = everything();
  const JointDescription& shoulder = joint_named(description, "shoulder");
  EXPECT_EQ(shoulder.kind, JointKind::revolute);
  EXPECT_EQ(shoulder.parent, "base");
  EXPECT_EQ(shoulder.child, "upper");
  EXPECT_EQ(numbers(shoulder.options.at.xyz), (Three{0, 0, 0.5}));
  EXPECT_EQ(numbers(shoulder.options.at.rpy), (Three{0.1, 0.2, 0.3}));
  EXPECT_EQ(numbers(shoulder.options.axis), (Three{0, 1, 0}));
  EXPECT_EQ(numbers(shoulder.options.damping), List{0.7});
  EXPECT_EQ(numbers(shoulder.options.limits.lower), List{-1.5});
  EXPECT_EQ(numbers(shoulder.options.limits.upper), List{2.5});
  EXPECT_EQ(numbers(shoulder.options.limits.effort), List{30});
  EXPECT_EQ(numbers(shoulder.options.limits.velocity), List{4});

  const JointDescription& elbow = joint_named(description, "elbow");
  EXPECT_EQ(elbow.kind, JointKind::revolute);
  EXPECT_EQ(numbers(elbow.options.axis), (Three{1, 0, 0}));  // default of URDF without <axis>
  EXPECT_EQ(elbow.options.limits.lower.size(), 0u);
  EXPECT_EQ(numbers(elbow.options.limits.effort), List{10});
  EXPECT_EQ(numbers(elbow.options.limits.velocity), List{2});

  EXPECT_EQ(joint_named(description, "grip").kind, JointKind::prismatic);
  EXPECT_EQ(joint_named(description, "flange").kind, JointKind::fixed);
  EXPECT_EQ(joint_named(description, "table").kind, JointKind::planar);
  EXPECT_EQ(joint_named(description, "orbit").kind, JointKind::free);
  // the largest double is no limit
  EXPECT_EQ(joint_named(description, "thumb_grip").options.limits.effort.size(), 0u);
}

TEST(UrdfRead, a_mimic_is_a_coupling) {
  const Description description = everything();
  ASSERT_EQ(description.couplings.size(), 1u);
  const CouplingDescription& coupling = description.couplings[0];
  EXPECT_EQ(coupling.name, "thumb_grip_mimic");
  // thumb_grip = 2 grip + 0.01
  ASSERT_EQ(coupling.terms.size(), 2u);
  EXPECT_EQ(coupling.terms[0].first, "thumb_grip");
  EXPECT_EQ(coupling.terms[0].second.constant(), 1);
  EXPECT_EQ(coupling.terms[1].first, "grip");
  EXPECT_EQ(coupling.terms[1].second.constant(), -2);
  EXPECT_EQ(coupling.offset.constant(), 0.01);
}

TEST(UrdfRead, the_root_is_attached_to_ground_as_requested) {
  const Description held = everything();
  EXPECT_EQ(held.joints[0].name, "base_base");
  EXPECT_EQ(held.joints[0].kind, JointKind::fixed);
  EXPECT_EQ(held.joints[0].parent, "ground");
  EXPECT_EQ(held.joints[0].child, "base");

  const Description loose = everything({.base = Base::free});
  EXPECT_EQ(loose.joints[0].kind, JointKind::free);
  EXPECT_EQ(build_model(loose).nq(), 14 + 7);
}

Description read(const std::string& inside, const ReadOptions& options = {}) {
  Diagnostics diagnostics;
  Description description =
      read_description("r.urdf", "<robot name='r'>" + inside + "</robot>", options, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list()) ADD_FAILURE() << to_string(diagnostic);
  return description;
}

TEST(UrdfRead, the_joint_of_the_base_takes_a_name_that_is_free) {
  const Description description = read(
      "<link name='a'/><link name='b'/>"
      "<joint name='a_base' type='fixed'><parent link='a'/><child link='b'/></joint>");
  EXPECT_EQ(description.joints[0].name, "a_base_");
}

TEST(UrdfRead, a_root_named_world_or_ground_is_ground) {
  for (const std::string root : {"world", "ground"}) {
    const Description description = read("<link name='a'/><link name='" + root +
                                         "'/><joint name='j' type='floating'><parent link='" +
                                         root + "'/><child link='a'/></joint>");
    ASSERT_EQ(description.bodies.size(), 1u);
    ASSERT_EQ(description.joints.size(), 1u);
    EXPECT_EQ(description.joints[0].parent, "ground");
    EXPECT_EQ(build_model(description).nq(), 7);
  }
  // but a link of that name with a parent is a link
  const Description description = read(
      "<link name='a'/><link name='world'/>"
      "<joint name='j' type='fixed'><parent link='a'/><child link='world'/></joint>");
  EXPECT_EQ(description.bodies.size(), 2u);
}

TEST(UrdfRead, comments_data_sections_and_odd_spaces_do_not_matter) {
  const Description description =
      read("<!-- <link name='x'/> --><link xmlns='u'\n\tname = 'a &amp; b'\r\n><!-- > --></link >");
  EXPECT_EQ(description.bodies[0].name, "a & b");
}

TEST(UrdfRead, numbers_are_read_whatever_their_form) {
  const Description description = read(
      "<link name='a'><visual><origin xyz=' 1e-400\t+.5 -0 ' rpy='1E2 0.1e+1 3.'/>"
      "<geometry><sphere radius='000.5'/></geometry></visual></link>");
  const Shape& shape = description.bodies[0].shapes[0];
  EXPECT_EQ(numbers(shape.at.xyz), (Three{0, 0.5, 0}));
  EXPECT_EQ(numbers(shape.at.rpy), (Three{100, 1, 3}));
  EXPECT_EQ(shape.size.x.constant(), 0.5);
}

}  // namespace
}  // namespace trammel::urdf_read_test
