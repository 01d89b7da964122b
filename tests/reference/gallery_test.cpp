// Examples of the source documents as model files: the models of the gallery give the published
// numbers.
#include <gtest/gtest.h>

#include "tests/reference/gutenkunst/common.hpp"
#include "tests/reference/rodriguez/arms.hpp"
#include "tests/reference/sdof_arms.hpp"
#include "tests/reference/yesiloglu/platform.hpp"
#include "tests/support/capability.hpp"
#include "trammel/dynamics/momentum.hpp"
#include "trammel/read/load.hpp"

namespace trammel::gallery_test {
namespace {

// A model of the gallery at the start of its file.
struct Loaded {
  explicit Loaded(const std::string& name)
      : model(load_model("@" + name)), workspace(model), state(start_state(model)) {}

  Eigen::VectorXd accelerations(const std::vector<double>& tau = {}) {
    std::vector<double> a(std::size_t(model.nv()));
    const Status status = forward_dynamics(model, state, {.tau = tau}, workspace, a);
    EXPECT_TRUE(status.ok()) << status.message();
    return gutenkunst::eigen(a);
  }
  Eigen::VectorXd efforts() {
    const std::vector<double> rest(std::size_t(model.nv()), 0.0);
    std::vector<double> tau(rest);
    EXPECT_TRUE(inverse_dynamics(model, state, {.a = rest}, workspace, tau).ok());
    return gutenkunst::eigen(tau);
  }
  Model model;
  Workspace workspace;
  State state;
};

void expect_near(const Eigen::VectorXd& found, std::initializer_list<double> expected,
                 double tolerance) {
  ASSERT_EQ(found.size(), std::ptrdiff_t(expected.size()));
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(found[std::ptrdiff_t(k)], expected.begin()[k], tolerance) << "entry " << k;
}

// Compares mass matrix and bias with those of the model built in C++, in the state of the file.
void expect_same(Loaded& file, const Model& model) {
  ASSERT_EQ(file.model.nv(), model.nv());
  Workspace workspace(model);
  Eigen::MatrixXd M(model.nv(), model.nv()), M_file = M;
  ASSERT_TRUE(mass_matrix(model, file.state, workspace, M).ok());
  ASSERT_TRUE(mass_matrix(file.model, file.state, file.workspace, M_file).ok());
  EXPECT_EQ((M - M_file).cwiseAbs().maxCoeff(), 0);
  std::vector<double> h(std::size_t(model.nv())), h_file = h;
  ASSERT_TRUE(bias(model, file.state, {}, workspace, h).ok());
  ASSERT_TRUE(bias(file.model, file.state, {}, file.workspace, h_file).ok());
  EXPECT_EQ(h, h_file);
}

// half a unit of the last printed digit, and our own rounding
constexpr double digits6 = 5.1e-7, digits7 = 5.1e-8, digits9 = 5.1e-10;
constexpr double digits12 = 1.6e-12;

TEST(GalleryOfReferences, me_2_is_at_rest_under_the_printed_joint_forces) {
  Loaded arm("me_2");
  expect_near(arm.efforts(), {2.26935, 18.25191, -4.40825, 2.16351, 0.0015}, 1e-12);
  expect_same(arm, build_model(stanford5()));
}

TEST(GalleryOfReferences, me_2b_starts_with_the_accelerations_of_its_cubics) {
  Loaded arm("me_2b");
  const std::vector<double> start = {-11.252934, -2.896647, -1.568901, -6.528131, 9.424778};
  std::vector<double> tau(5);
  ASSERT_TRUE(inverse_dynamics(arm.model, arm.state, {.a = start}, arm.workspace, tau).ok());
  expect_near(gutenkunst::eigen(tau), {-19.190825, 11.906219, 0.392829, 1.139688, 0.009425},
              3 * digits6);  // both sides are rounded
  expect_same(arm, build_model(stanford5()));
}

TEST(GalleryOfReferences, mx_1_needs_every_term) {
  Loaded arm("mx_1");
  expect_near(arm.accelerations(),
              {-1.5706133, -10.6357129, 5.2565343, -9.1977285, 8.9022792, 7.7285664}, digits7);
  expect_same(arm, build_model(stanford6()));
}

TEST(GalleryOfReferences, g_ex1_starts_as_the_listing_does) {
  Loaded robot("g_ex1");
  expect_near(robot.accelerations(), {-0.462447834896, -0.191552165104}, digits12);
  expect_near(robot.efforts(), {236.83435047, 98.1}, 5.1e-9);
}

TEST(GalleryOfReferences, g_ex2_and_g_ex4_start_as_the_thesis_says) {
  Loaded horizontal("g_ex2"), crane("g_ex4");
  expect_near(horizontal.accelerations(), {-0.981, 0.981}, 1e-14);
  expect_near(crane.accelerations(), {3.27, -1.849791339584}, digits12);
}

TEST(GalleryOfReferences, g_ex3_g_ex5_and_g_ex6_accelerate_as_computed) {
  Loaded unequal("g_ex3"), triple("g_ex5_triple"), modules("g_ex6");
  expect_near(unequal.accelerations(), {-5.879950733737, 19.174273710005}, digits12);
  expect_near(triple.accelerations(), {-8.321400693371, 19.654369050021, -24.478892493798}, 1e-11);
  expect_near(modules.accelerations(),
              {8.873628055798, -8.873628055798, -8.858639500801, 6.263908637746, 2.594730863055,
               -9.244598739877, 9.528296124162, -0.283697384285},
              1e-11);
  expect_same(modules, gutenkunst::nine_module_robot().model);
}

TEST(GalleryOfReferences, the_free_robot_of_g_ex5_has_its_center_of_mass_where_printed) {
  Loaded robot("g_ex5");
  CenterOfMass center;
  ASSERT_TRUE(center_of_mass(robot.model, robot.state, robot.workspace, center).ok());
  EXPECT_EQ(center.mass, 4);
  EXPECT_NEAR(center.position.y, 1.472684889, digits9);
  EXPECT_NEAR(center.position.z, 0.098092771, digits9);
}

TEST(GalleryOfReferences, r_ex2_arm_has_its_tip_where_printed) {
  Loaded arm("r_ex2_arm");
  arm.state.q = GenericArm(1).state.q;
  Kinematics where(arm.model);
  ASSERT_TRUE(kinematics(arm.model, arm.state, {}, arm.workspace, where).ok());
  const Vec3<double> tip = pose(arm.model, where, frame_ref(arm.model, "tip")).p;
  EXPECT_NEAR(tip.x - 1.1, -0.2506780458, digits9);
  EXPECT_NEAR(tip.y, 0.2062174968, digits9);
  EXPECT_NEAR(tip.z, 0.2963255903, digits9);
  expect_same(arm, GenericArm(1).model);
}

TEST(GalleryOfReferences, e_01_accelerates_as_computed) {
  Loaded platform("e_01");
  const Eigen::VectorXd a = platform.accelerations({0, 0, 0, 0, 0, 0, 1, 2, 3, 4});
  expect_near(a.tail(4), {2.316095771, 27.965975902, 201.629481167, 4.303654554}, 1e-9);
  EXPECT_EQ(platform.state.q, Platform().state.q);
  EXPECT_EQ(platform.state.v, Platform().state.v);
  expect_same(platform, Platform().model);
}

}  // namespace
}  // namespace trammel::gallery_test
