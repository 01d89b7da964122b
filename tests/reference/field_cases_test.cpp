// Benchmark cases with published results of other engines: the arm and the chain of Drake's
// benchmarks.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/reference/posed.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::field_cases_test {
namespace {

constexpr double half_turn = std::numbers::pi, quarter_turn = half_turn / 2;

// KUKA iiwa14 as in Drake's kuka_iiwa_robot benchmark; every joint turns about its z.
Description iiwa() {
  struct Link {
    Vec3<Expr> origin, rpy;  // of its joint on the preceding link
    double mass;
    Vec3<Expr> com;
    double xx, yy, zz;
  };
  const Expr u = half_turn, r = quarter_turn;
  const Link links[] = {
      {{0, 0, 0.1575}, {0, 0, 0}, 5.76, {0, -0.03, 0.12}, 0.033, 0.0333, 0.0123},
      {{0, 0, 0.2025}, {r, 0, u}, 6.35, {0.0003, 0.059, 0.042}, 0.0305, 0.0304, 0.011},
      {{0, 0.2045, 0}, {r, 0, u}, 3.5, {0, 0.03, 0.13}, 0.025, 0.0238, 0.0076},
      {{0, 0, 0.2155}, {r, 0, 0}, 3.5, {0, 0.067, 0.034}, 0.017, 0.0164, 0.006},
      {{0, 0.1845, 0}, {-r, u, 0}, 3.5, {0.0001, 0.021, 0.076}, 0.01, 0.0087, 0.00449},
      {{0, 0, 0.2155}, {r, 0, 0}, 1.8, {0, 0.0006, 0.0004}, 0.0049, 0.0047, 0.0036},
      {{0, 0.081, 0}, {-r, u, 0}, 1.2, {0, 0, 0.02}, 0.001, 0.001, 0.001}};

  Description description("iiwa14");
  description.gravity = {0, 0, -9.8};
  std::string parent = "ground";
  for (std::size_t i = 0; i < 7; ++i) {
    const Link& link = links[i];
    const std::string name = "link_" + std::to_string(i + 1);
    description.body(name, {link.mass, link.com, {link.xx, 0, 0, link.yy, 0, link.zz}});
    description.joint("joint_" + std::to_string(i + 1), JointKind::revolute, parent, name,
                      {.at = {link.origin, link.rpy}});
    parent = name;
  }
  return description;
}
Posed posed_iiwa(const std::vector<double>& v = {}) {
  const double d = half_turn / 180;
  return Posed(iiwa(), {60 * d, 30 * d, 60 * d, 30 * d, 60 * d, 30 * d, 60 * d}, v);
}
const std::vector<double> iiwa_v = {.1, .2, .3, .4, .5, .6, .7};

// Efforts from a symbolically generated program of the same arm (field case F8), with 15 digits;
// the largest is 34, so half a unit of its last digit is 5e-14; both programs add rounding.
constexpr double f8_rounding = 2e-13;

TEST(Iiwa, holds_its_pose_with_the_published_efforts) {
  EXPECT_LT(largest_of(posed_iiwa().tau() -
                       numbers({0, -33.8948110604879, -4.85401331870499, -4.40176053368191,
                                .361957729412441, -.0227571200727528, 0})),
            f8_rounding);
}

TEST(Iiwa, moves_steadily_with_the_published_efforts) {
  EXPECT_LT(largest_of(
                posed_iiwa(iiwa_v).tau() -
                numbers({.0439517885898653, -33.6023824712711, -4.79291257956284, -4.39554177773668,
                         .357902280049768, -.0271699872836459, -.00047617785792575})),
            f8_rounding);
}

TEST(Iiwa, accelerates_with_the_published_efforts) {
  const std::vector<double> a = {.7, .6, .5, .4, .3, .2, .1};
  EXPECT_LT(
      largest_of(posed_iiwa(iiwa_v).tau({.a = a}) -
                 numbers({.884818821990259, -30.3195709330391, -4.26077050265779, -5.11286815690344,
                          .327123738562799, -.0553638526841153, .000864907664253898})),
      f8_rounding);
}

TEST(Iiwa, has_the_published_pose_and_mass_matrix) {
  Posed arm = posed_iiwa();
  // F8: half a unit of the last digit of the height, 5e-15, and our own rounding
  EXPECT_LT(largest_of(three(arm.X("link_7").p -
                             Vec3<double>{.297035645189222, .172769696466229, 1.15468197368935})),
            7e-15);
  const Eigen::MatrixXd M = arm.M();
  const Eigen::VectorXd pivots = Eigen::LLT<Eigen::MatrixXd>(M).matrixLLT().diagonal();
  // half a unit of the last printed digit
  EXPECT_NEAR(M.trace(), 6.95820149996, 5e-12);
  EXPECT_NEAR(2 * pivots.array().log().sum(), -17.8593928507, 5e-11);
}

// Field case F10: five boxes in a chain of revolute joints, falling from rest.
Description five_link_chain() {
  Description description("five-link chain");
  description.gravity = {0, -10, 0};
  // Rx(90) takes y to z, so Rx(90) Ry(45) = Rz(45) Rx(90): roll 90, yaw 45
  const Expr q = quarter_turn, e = quarter_turn / 2;
  const Vec3<Expr> turned[] = {{0, 0, 0}, {q, 0, e}, {q, 0, e}, {0, e, 0}, {q, 0, e}};
  std::string parent = "ground";
  for (std::size_t i = 0; i < 5; ++i) {
    const std::string name = "link" + std::to_string(i + 1);
    description.body(name, box(1000 * 2 * .1 * .1, {2, .1, .1}, {1, 0, 0}));
    description.joint("hinge" + std::to_string(i + 1), JointKind::revolute, parent, name,
                      {.at = {{i == 0 ? 0.0 : 2.0, 0, 0}, turned[i]}});
    parent = name;
  }
  return description;
}

const Eigen::VectorXd five_link_end =
    numbers({-1.31995028365, -.0366712882625, -.0406165986581, -.606541632437, .694395851603});

TEST(FiveLinkChain, falls_as_published) {
  Posed chain(five_link_chain(), {0, 0, 0, 0, 0});
  chain.run(.005, 200);
  const Eigen::VectorXd q = vector_of(chain.state.q);
  // same integrator and step: only rounding differs, 200 steps of sums of size ten
  EXPECT_NEAR(q.sum(), -1.3093839602164, 1e-12);
  // against the converged motion: error of the step, 16/15 of the change by halving it
  Posed halved(five_link_chain(), {0, 0, 0, 0, 0});
  halved.run(.0025, 400);
  const double error = 16.0 / 15 * largest_of(q - vector_of(halved.state.q));
  EXPECT_LT(error, 2e-8);
  EXPECT_LT(largest_of(q - five_link_end), 1.05 * error);
}

TEST(FiveLinkChain, falls_as_published_in_the_limit_of_small_steps) {
  Posed chain(five_link_chain(), {0, 0, 0, 0, 0});
  chain.run(.0005, 2000);
  const Eigen::VectorXd q = vector_of(chain.state.q);
  // a tenth of the step has 1e-4 of its error, 1e-12; 13 and 12 digits are printed
  EXPECT_NEAR(q.sum(), -1.3093839514061, 2e-12);
  EXPECT_LT(largest_of(q - five_link_end), 6e-12);
}

}  // namespace
}  // namespace trammel::field_cases_test
