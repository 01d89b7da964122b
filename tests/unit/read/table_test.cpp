#include "trammel/read/table/table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numbers>

#include "tests/reference/sdof_arms.hpp"
#include "tests/support/capability.hpp"
#include "tests/unit/model/poses.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/generate/denavit_hartenberg.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel::table_test {
namespace {

// A file that exists as long as the test.
class TableFile : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(folder_);
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
  }
  Description read(TableNotation notation, const std::string& name, const std::string& text) {
    Diagnostics diagnostics;
    Description description = read_table(notation, file(name, text), {}, diagnostics);
    for (const Diagnostic& each : diagnostics.list()) ADD_FAILURE() << to_string(each);
    return description;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("trammel_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

Pose<double> about_x(double t) { return {turn_about_x(sin_cos(t)), {}}; }
Pose<double> about_z(double t) { return {turn_about_z(sin_cos(t)), {}}; }
Pose<double> along(const Vec3<double>& p) { return {Mat3<double>::identity(), p}; }

// equal to the last bit
void expect_same_dynamics(const Model& a, const Model& b, const State& state) {
  ASSERT_EQ(a.nv(), b.nv());
  Workspace workspace_a(a), workspace_b(b);
  Eigen::MatrixXd M_a(a.nv(), a.nv()), M_b = M_a;
  ASSERT_TRUE(mass_matrix(a, state, workspace_a, M_a).ok());
  ASSERT_TRUE(mass_matrix(b, state, workspace_b, M_b).ok());
  EXPECT_EQ((M_a - M_b).cwiseAbs().maxCoeff(), 0);
  std::vector<double> h_a(std::size_t(a.nv())), h_b = h_a;
  ASSERT_TRUE(bias(a, state, {}, workspace_a, h_a).ok());
  ASSERT_TRUE(bias(b, state, {}, workspace_b, h_b).ok());
  EXPECT_EQ(h_a, h_b);
}

const char* const dh_csv = R"(# two links and a slide
name,  theta [deg], d [mm], a,    alpha,    type,      mass, "com x", inertia xx, inertia_yy, Inertia.zz, lower [deg], upper [deg]
waist, 30,          400,    0,    pi/2,     ,          2,    0.1,     0.1,        0.1,        0.1,        -170,        170
elbow, 0 rad,       0,      0.35, -90 deg,  revolute,  1,    0,       0.1,        0.1,        0.1,        ,            1.5 rad
slide, 0,           100 mm, 0,    0,        prismatic, 1,    0,       0.1,        0.1,        0.1,        ,
)";

TEST_F(TableFile, dh_from_csv_stands_where_the_product_of_its_rows_says) {
  shows({"M-11", "read_table"});
  for (const auto notation : {TableNotation::dh, TableNotation::dh_modified}) {
    const Description description = read(notation, "arm.csv", dh_csv);
    EXPECT_EQ(description.name, "arm");
    const Model model = build_model(description);
    ASSERT_EQ(model.nq(), 3);
    EXPECT_EQ(model.joints()[0].name, "waist");
    EXPECT_EQ(model.joints()[2].kind, JointKind::prismatic);
    EXPECT_EQ(model.joints()[0].limits.upper[0], 170 * std::numbers::pi / 180);
    EXPECT_EQ(model.joints()[1].limits.lower[0], -INFINITY);
    EXPECT_EQ(model.joints()[1].limits.upper[0], 1.5);

    const double pi = std::numbers::pi, q[] = {0.3, -0.4, 0.2};
    const double rows[][4] = {
        {pi / 6 + q[0], 0.4, 0, pi / 2}, {q[1], 0, 0.35, -pi / 2}, {0, 0.1 + q[2], 0, 0}};
    Pose<double> X = along({0, 0, 0});
    for (const auto& [theta, d, a, alpha] : rows) {
      const Pose<double> about = about_z(theta) * along({0, 0, d});
      const Pose<double> across = along({a, 0, 0}) * about_x(alpha);
      X = X * (notation == TableNotation::dh ? about * across : across * about);
    }
    EXPECT_LT(distance(poses(model, {q[0], q[1], q[2]}).back(), X), 1e-15);
  }
}

TEST_F(TableFile, semicolons_tabs_quotes_and_line_ends_of_other_systems_are_read) {
  const std::string plain = "name,theta,d,a,alpha\na b,0,0.5,1,2\n";
  const Description expected = read(TableNotation::dh, "plain.csv", plain);
  for (const char* text : {"name;theta;d;a;alpha\r\n\"a b\";0;0.5;1;2\r\n",
                           "name\ttheta\td\ta\talpha\na b\t0\t0.5\t1\t2",
                           "\n# a comment\n\n Name , Theta , D , A , Alpha ,\n"
                           "\"a b\" , 0 , 0.5 , 1 , 2 , # first\n\n"}) {
    const Description description = read(TableNotation::dh, "other.csv", text);
    ASSERT_EQ(description.joints.size(), expected.joints.size());
    for (std::size_t k = 0; k < description.joints.size(); ++k) {
      EXPECT_EQ(description.joints[k].name, expected.joints[k].name);
      EXPECT_TRUE(
          is_same(description.joints[k].options.at.xyz.z, expected.joints[k].options.at.xyz.z));
    }
  }
  EXPECT_EQ(read(TableNotation::dh, "q.csv", "name,theta,d,a,alpha\n\"a \"\"#\"\", b\",0,0,0,0\n")
                .joints[1]
                .name,
            "a \"#\", b");
}

TEST_F(TableFile, dh_from_toml_is_the_same_as_from_csv) {
  const Model csv = build_model(read(TableNotation::dh, "arm.csv", dh_csv));
  const Description description = read(TableNotation::dh, "arm.toml", R"(
name = "of toml"
gravity = [0, 0, "-981 cm/s^2"]
tool = { xyz = [0, 0, "20 mm"] }
[[row]]
name = "waist"
theta = "30 deg"
d = "400 mm"
a = 0
alpha = "pi/2"
mass = 2
com = [0.1, 0, 0]
inertia = [0.1, 0.1, 0.1]
limits = ["-170 deg", "170 deg"]
[[row]]
name = "elbow"
theta = 0
d = 0
a = 0.35
alpha = "-90 deg"
mass = 1
inertia = [0.1, 0.1, 0.1]
upper = 1.5
[[row]]
name = "slide"
theta = 0
d = 0.1
a = 0
alpha = 0
type = "prismatic"
mass = 1
inertia = [0.1, 0.1, 0.1, 0, 0, 0]
)");
  EXPECT_EQ(description.name, "of toml");
  const Model toml = build_model(description);
  State state = neutral_state(toml);
  state.q = {0.3, -0.4, 0.2};
  state.v = {0.5, 0.6, 0.7};
  expect_same_dynamics(csv, toml, state);
  EXPECT_EQ(toml.joints()[1].limits.lower, csv.joints()[1].limits.lower);
  EXPECT_EQ(toml.joints()[0].limits.upper, csv.joints()[0].limits.upper);
  EXPECT_TRUE(is_same(description.frames[0].at.xyz.z, 0.02));
}

// Table of ME-2 as printed in [van der Merwe 1995, section 4].
TEST_F(TableFile, sdof_from_csv_is_the_published_arm) {
  shows({"M-12", "read_table"});
  const Description description = read(TableNotation::sdof, "stanford.csv", R"(
link, Rx, Ry, Rz, Dx,   Dy,  Dz,    free,  mass, com x, com y, com z, inertia xx, inertia yy, inertia zz
1,    0,  0,  0,  0,    0.5, -0.15, Ry,    2,    0,     0.3,   -0.07, 0.1,        0.02,       0.1
2,    0,  0,  0,  0.8,  0,   0,     Rz Dx, 2,    0.3,   0,     0,     0.002,      0.25,       0.25
3,    0,  0,  0,  0.2,  0,   0,     Rz,    0.8,  0.12,  0,     0,     0.002,      0.008,      0.008
4,    0,  0,  0,  0.05, 0,   0,     rx,    0.5,  0.05,  0,     0,     0.001,      0.004,      0.004
)");
  const Model model = build_model(description);
  State state = neutral_state(model);
  state.q = {0.1, 0.2, 0.7, -0.3, 0.4};
  state.v = {1.5, 0.6, 0.4, 1, 3};
  Description arm = stanford5();
  arm.gravity = description.gravity;
  expect_same_dynamics(build_model(arm), model, state);
  // the position of the table is the start
  EXPECT_EQ(start_state(model).q, (std::vector<double>{0, 0, 0.8, 0, 0}));
}

TEST_F(TableFile, sdof_from_toml_knows_the_base_the_mount_and_the_tip) {
  const Description csv = read(TableNotation::sdof, "one.csv",
                               "link,Rx,Ry,Rz,Dx,Dy,Dz,free,mass,mount x\n"
                               "0,0,0,0,0.1,0.2,0.3,,,\n1,0,0,0.5,1,0,0,Rz,1,90 deg\n");
  const Description toml = read(TableNotation::sdof, "one.toml", R"(
offset = [0.1, 0.2, "300 mm"]
tip_turn = [0, 0, "90 deg"]
[[row]]
gamma = [0, 0, 0.5, 1, 0, 0]
free = ["Rz"]
mass = 1
mount = ["90 deg", 0, 0]
)");
  const std::vector<Pose<double>> a = poses(build_model(csv), {0.4}),
                                  b = poses(build_model(toml), {0.4});
  EXPECT_EQ(distance(a.back(), b.back()), 0);
  EXPECT_TRUE(is_same(toml.frames[0].at.rpy.z, std::numbers::pi / 2));
}

// Three rods hang straight down: the torque that holds the first joint horizontal is known.
TEST_F(TableFile, a_chain_of_equal_links_weighs_what_its_rods_weigh) {
  const Description description =
      read(TableNotation::chain, "rods.csv",
           "length [cm],mass,count,damping,name\n50,2,2,0.1,hinge\n25,1,,,last\n");
  const Model model = build_model(description);
  ASSERT_EQ(model.nv(), 3);
  EXPECT_EQ(model.joints()[0].name, "hinge1");
  EXPECT_EQ(model.joints()[1].name, "hinge2");
  EXPECT_EQ(model.joints()[2].name, "last");
  const State state = neutral_state(model);
  Workspace workspace(model);
  std::vector<double> N(3);
  ASSERT_TRUE(gravity_load(model, state, workspace, N).ok());
  EXPECT_NEAR(N[0], -9.81 * (2 * 0.25 + 2 * 0.75 + 1 * 1.125), 1e-13);
  EXPECT_NEAR(N[2], -9.81 * 0.125, 1e-14);
  Eigen::MatrixXd M(3, 3);
  ASSERT_TRUE(mass_matrix(model, state, workspace, M).ok());
  EXPECT_NEAR(M(2, 2), 1 * 0.25 * 0.25 / 3, 1e-15);  // of a thin rod about its end
}

TEST_F(TableFile, a_chain_link_may_be_thick_and_lead_anywhere) {
  for (const char* direction : {"x", "y", "z", "-x", "-y", "-z"}) {
    const Description description =
        read(TableNotation::chain, "one.csv",
             fmt::format("length,mass,radius,along,axis\n2,3,0.5,{0},{0}\n", direction));
    const Model model = build_model(description);
    Workspace workspace(model);
    Eigen::MatrixXd M(1, 1);
    ASSERT_TRUE(mass_matrix(model, neutral_state(model), workspace, M).ok());
    EXPECT_NEAR(M(0, 0), 3 * 0.5 * 0.5 / 2, 1e-15);  // of a cylinder about its own axis
  }
}

TEST_F(TableFile, more_rows_than_anyone_writes_are_refused) {
  std::string csv = "length,mass\n", toml;
  for (int k = 0; k < 10001; ++k) csv += "1,1\n", toml += "[[row]]\nlength = 1\nmass = 1\n";
  for (const auto& [name, text, place] :
       {std::tuple("many.csv", csv, ":10002:1: "), std::tuple("many.toml", toml, ":30001:1: ")}) {
    Diagnostics diagnostics;
    (void)read_table(TableNotation::chain, file(name, text), {}, diagnostics);
    ASSERT_EQ(diagnostics.list().size(), 1u);
    EXPECT_TRUE(to_string(diagnostics.list()[0])
                    .ends_with(std::string(name) + place +
                               "error: the table has more than 10000 rows\n  hint: is this the "
                               "right file?"))
        << to_string(diagnostics.list()[0]);
  }
}

TEST(TableNotations, have_names) {
  EXPECT_EQ(notation_names(),
            (std::vector<std::string>{"dh", "dh-modified", "sdof", "chain", "platform"}));
  EXPECT_EQ(find_notation("dh-modified"), TableNotation::dh_modified);
  EXPECT_EQ(find_notation("hd"), std::nullopt);
}

}  // namespace
}  // namespace trammel::table_test
