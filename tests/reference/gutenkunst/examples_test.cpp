// The worked examples of [Gutenkunst 2012]: numbers computed with independent code.
#include "tests/reference/gutenkunst/common.hpp"
#include "tests/support/capability.hpp"
#include "trammel/dynamics/operators.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel::gutenkunst::examples_test {
namespace {

Eigen::VectorXd numbers(std::initializer_list<double> x) {
  return Eigen::Map<const Eigen::VectorXd>(x.begin(), std::ptrdiff_t(x.size()));
}
// half a unit of the last printed digit
constexpr double digits8 = 5.1e-9, digits12 = 5.1e-13;
// twelve decimals of numbers near 20: rounding of the print, and ours
constexpr double twelve_of_twenty = 1e-12 + digits12;

TEST(DoublePendulum, of_equal_links_starts_as_the_listing_does) {
  // [Gutenkunst 2012], G-EX1
  Robot robot(pendulum({10.0, 10.0}, {1.0, 1.0}));
  const double eighth = std::acos(-1.0) / 4;
  robot.state.q = {eighth, eighth};
  Eigen::Matrix2d M;
  M << 441.42135624, 170.71067812, 170.71067812, 100;
  EXPECT_LT(largest(robot.mass_matrix() - M), digits8);
  EXPECT_LT(largest(robot.gravity() - numbers({236.83435047, 98.1})), digits8);
  EXPECT_LT(largest(robot.coriolis()), 1e-13);
  EXPECT_LT(largest(robot.accelerations() - numbers({-0.462447834896, -0.191552165104})), digits12);
}

TEST(DoublePendulum, of_unequal_links_is_that_of_the_closed_form) {
  shows({"G-39", "transmission_form"}, {"G-40", "forward_dynamics"});
  // [Gutenkunst 2012], G-EX3; with the length of the child in T_12(0), as in the listing, M_11 is
  // 2.7713
  Robot robot(pendulum({1.0, 0.7}, {1.5, 0.8}));
  robot.state.q = {0.4, -0.9};
  robot.state.v = {1.1, -0.6};
  Eigen::Matrix2d M;
  M << 3.388203164463, 0.740101582232, 0.740101582232, 0.392;
  const Eigen::VectorXd C_v = numbers({-0.421116546616, -0.530782313964}),
                        N = numbers({6.152673918634, -2.633772138876});
  EXPECT_LT(largest(robot.mass_matrix() - M), digits12);
  EXPECT_LT(largest(robot.coriolis() - C_v), 2 * digits12);  // a difference of two results
  EXPECT_LT(largest(robot.gravity() - N), digits12);
  EXPECT_LT(largest(robot.accelerations() - numbers({-5.879950733737, 19.174273710005})),
            twelve_of_twenty);

  TransmissionForm form;
  ASSERT_TRUE(transmission_form(robot.model, robot.state, robot.workspace, form).ok());
  EXPECT_LT(largest(form.mass_matrix() - M), digits12);
  EXPECT_LT(largest(form.coriolis_matrix() * eigen(robot.state.v) - C_v), digits12);
  EXPECT_LT(largest(form.gravity_load(robot.model.gravity()) - N), digits12);
}

TEST(TriplePendulum, needs_every_factor_of_the_coriolis_matrix) {
  shows({"G-37", "transmission_form"}, {"G-39", "transmission_form"});
  // [Gutenkunst 2012], G-EX5, the extra triple pendulum
  Robot robot(pendulum({1.0, 0.8, 0.6}, {1.0, 1.0, 1.0}));
  robot.state.q = {0.5, -0.3, 0.7};
  robot.state.v = {0.4, 0.9, -1.2};
  const Eigen::VectorXd C_v = numbers({1.277978259703, 0.481228130945, 0.559973548749}),
                        N = numbers({21.838469607348, 7.728976006227, 4.610662190067});
  EXPECT_LT(largest(robot.coriolis() - C_v), 1e-11);  // a difference of numbers near 20
  EXPECT_LT(largest(robot.gravity() - N), twelve_of_twenty);
  EXPECT_LT(largest(robot.accelerations() -
                    numbers({-8.321400693371, 19.654369050021, -24.478892493798})),
            1e-11);  // condition of M: about 50

  TransmissionForm form;
  ASSERT_TRUE(transmission_form(robot.model, robot.state, robot.workspace, form).ok());
  const Eigen::VectorXd v = eigen(robot.state.v);
  EXPECT_LT(largest(form.coriolis_matrix() * v - C_v), 2 * digits12);
  // the listing omits G before A_1: right for two links, wrong for three (section 3.6)
  const Eigen::VectorXd listing = form.S.transpose() * form.G.transpose() *
                                  (form.M * form.A_1 + form.A_2 * form.M) * form.G * form.S * v;
  EXPECT_GT(largest(listing - C_v), 1e-3);
}

TEST(NineModules, move_as_a_tree_of_three_branches) {
  shows({"G-36", "bias"}, {"G-39", "mass_matrix", "gravity_load"}, {"G-40", "forward_dynamics"});
  // [Gutenkunst 2012], G-EX6, reading (a)
  Robot robot = nine_module_robot();
  const Eigen::MatrixXd M = robot.mass_matrix();
  EXPECT_NEAR(M(0, 0), 1.2, digits12);
  EXPECT_NEAR(M(0, 1), 0.1, digits12);
  EXPECT_NEAR(M(1, 1), 0.1, digits12);
  EXPECT_NEAR(M(2, 2), 3.598876264947, digits12);
  EXPECT_NEAR(M(2, 3), 1.349438132474, digits12);
  EXPECT_NEAR(M(3, 3), 1.2, digits12);
  EXPECT_NEAR(M(5, 5), 2.614204385089, digits12);
  EXPECT_NEAR(M(5, 6), 0.857102192545, digits12);
  // blocks of 2, 3 and 3: branches are decoupled
  EXPECT_EQ(largest(M.block(0, 2, 2, 6)), 0);
  EXPECT_EQ(largest(M.block(2, 5, 3, 3)), 0);

  EXPECT_LT(largest(robot.gravity() - numbers({-9.760990861377, 0, 23.010713806276, 4.267011889631,
                                               0, 15.775286170901, -3.820193938048, 0})),
            twelve_of_twenty);
  EXPECT_LT(largest(robot.coriolis() - numbers({0, 0, 0.158203372470, -0.088989397014, 0,
                                                0.253630632469, 0.338174176625, 0})),
            1e-11);  // a difference of numbers near 20
  EXPECT_LT(largest(robot.accelerations() -
                    numbers({8.873628055798, -8.873628055798, -8.858639500801, 6.263908637746,
                             2.594730863055, -9.244598739877, 9.528296124162, -0.283697384285})),
            1e-11);  // condition of M: about 60
}

}  // namespace
}  // namespace trammel::gutenkunst::examples_test
