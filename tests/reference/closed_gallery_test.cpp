// Mechanisms with loops of the gallery, from source documents and public benchmarks, against
// published numbers. Mechanisms built in C++ are in the tests of their sources.
#include "tests/reference/from_gallery.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/operator_matrices.hpp"
#include "trammel/dynamics/momentum.hpp"

namespace trammel::closed_gallery_test {
namespace {

// half a unit of the last printed digit
constexpr double digits7 = 5.1e-8, digits9 = 5.1e-10;

TEST(closed_gallery, me_3_begins_as_printed) {
  FromGallery chain("me_3");
  expect_near(chain.posed.a(), {0, 200.0 / 19, -200.0 / 19, -200.0 / 19}, 1e-12, "accelerations");
  const UniqueReactions carried = chain.carried();
  EXPECT_NEAR(carried.force[chain.joint("tip")].force.z, 85.0 / 19, 1e-12);
  EXPECT_EQ(chain.plan().rank(), 2);
  EXPECT_EQ(chain.plan().count, 5);
  EXPECT_EQ(chain.ways().finite, 2);
}

TEST(closed_gallery, me_4_mx_2_and_mx_3_carry_their_load) {
  FromGallery pair("me_4"), one("mx_2"), off_center("mx_3");
  const double alike = 90 * std::sqrt(0.5) / 12.875;
  expect_near(pair.posed.a(), {alike, alike, -alike}, 1e-13, "ME-4");
  EXPECT_NEAR(alike, 4.9428824, digits7);
  expect_near(one.posed.a({.tau = one.effort("pair_left", {-31.8198052})}),
              {2.4714412, 2.4714412, -2.4714412}, digits7, "MX-2");
  expect_near(off_center.posed.a(), {alike, alike, -alike}, 1e-13, "MX-3");
  EXPECT_EQ(pair.ways().finite, 1);
  EXPECT_EQ(pair.ways().gruebler, -2);
}

TEST(closed_gallery, r_ex1_is_done_by_hand) {
  FromGallery one("r_ex1");
  const std::vector<double> tau = {5};
  const double a = 5 / (2.0 / 3 + 3 + 0.4);
  EXPECT_NEAR(a, 1.229508196721, 5.1e-13);
  expect_near(one.posed.a({.tau = tau}), {a}, 1e-15, "acceleration");
  const UniqueReactions carried = one.carried({.tau = tau});
  const std::size_t grip = one.joint("grip");
  expect_near(six(carried.force[grip]), {0, 0, 0.491803278689, -12, 3.688524590164, 0}, 1e-12,
              "force on the object");
  expect_near(one.acceleration_of("object", numbers({a})), {0, 0, 1.229508197, -4, 1.229508197, 0},
              digits9, "object");
}

TEST(closed_gallery, r_ex2_and_r_ex3_accelerate_as_computed) {
  FromGallery two("r_ex2"), three("r_ex3");
  // ten printed decimals; free accelerations of 900 rad/s^2 cost two digits
  const std::vector<double> tau = {3, -150, -55, 1, -12, 0.5, -2, -145, -50, 0.5, -11.5, -0.3};
  expect_near(
      two.posed.a({.tau = tau}),
      {0.5882077620, -3.1331657892, -8.1085636293, -31.9949961174, 16.3548059194, 20.0464417764,
       -2.7328521996, -5.9160123479, 1.4633319752, 34.6222445547, 0.2923225182, -21.9856467668},
      2e-8, "R-EX2");
  std::vector<double> more = tau;
  more.insert(more.end(), {1, -148, -52, -0.8, -11, 0.2});
  const Eigen::VectorXd a = three.posed.a({.tau = more});
  expect_near(a.head(6),
              {-0.706456188, -6.172913554, -6.007776867, -3.485540810, 12.074182355, 4.805246723},
              2e-8, "R-EX3, arm 1");
  expect_near(
      three.acceleration_of("object", a),
      {0.5799538268, 0.1722300283, -0.3386280411, 0.5403834912, -0.4579475692, 6.8238992637}, 2e-8,
      "R-EX3, object");
  EXPECT_EQ(two.ways().finite, 6);
  EXPECT_EQ(three.ways().finite, 6);
}

TEST(closed_gallery, r_ex4_keeps_its_self_motion) {
  FromGallery arms("r_ex4");
  const std::vector<double> tau = {3,  -150, 1.5,  -55, 1,   -12,   0.5,
                                   -2, -145, -0.7, -50, 0.5, -11.5, -0.3};
  const Eigen::VectorXd a = arms.posed.a({.tau = tau});
  expect_near(a,
              {19.5821513467, -9.0972422438, -54.5046496464, -4.4537241530, 37.8543282667,
               21.7783445302, -13.8238894011, -21.0119742404, -12.4686208787, 53.3744771595,
               3.5218068430, -47.2084318275, 9.2736617988, 31.2362366509},
              2e-8, "accelerations");
  expect_near(
      arms.acceleration_of("object", a),
      {-20.9362246584, 3.2902264598, -0.9560483793, 0.7092213251, -3.8150128279, 2.2294733085},
      2e-8, "object");
  const Vec3<double> C = arms.posed.X("object").p, tip = arms.posed.X("arm1_tip").p;
  EXPECT_LT((three(C) - Eigen::Vector3d(-0.0066142135, 0.2933049005, 0.3926316322)).norm(), 1e-10);
  // wrench of arm 1 on the object, about its tip
  const Force<double> F = arms.carried({.tau = tau}).force[arms.joint("grip1")];
  const Vec3<double> n = F.moment + cross(C - tip, F.force);
  expect_near(six(Force<double>{n, F.force}),
              {-0.812726956, -5.144826048, -4.522905423, -6.089139003, -17.192832006, 62.284547029},
              2e-8, "force of arm 1");
  EXPECT_EQ(arms.ways().finite, 8);
}

TEST(closed_gallery, r_ex5_is_unique_in_its_plane) {
  FromGallery pair("r_ex5");
  const std::vector<double> tau = {10, 6, 2, -10, -6, -2};
  const Eigen::VectorXd a = pair.posed.a({.tau = tau});
  expect_near(
      a, {13.75558639, -35.5507580412, 21.7951716512, -13.75558639, 35.5507580412, -21.7951716512},
      2e-8, "at rest");
  expect_near(pair.acceleration_of("object", a), {0, 0, 0, 0, -8.9361088088, 0}, 2e-8, "object");
  // moving: the twist of the object determines the rates
  pair.posed.state.v = {0.5039760376,  -2.1539937001, 2.1500176625,
                        -0.4196196807, 0.2330021704,  0.6866175103};
  ASSERT_TRUE(assemble(pair.posed.model, pair.posed.state, pair.posed.workspace).ok());
  const std::vector<double> uneven = {10, 6, 2, -8, -6, -2.5};
  expect_near(
      pair.posed.a({.tau = uneven}),
      {12.1169954581, -32.5975991291, 20.8172519363, -12.4989199055, 34.3098587138, -21.4742905429},
      5e-8, "moving");  // ten digits of the rates, times about 30
  EXPECT_EQ(pair.plan().rank(), 3);
}

// Each arm supports half of the weight and no moment; then nothing moves.
TEST(closed_gallery, r_ex6_is_at_rest_under_the_printed_torques) {
  FromGallery arms("r_ex6");
  const std::vector<double> tau = {0, -107.2186393, -39.4220954, 1.6735593,  -5.5136936, 0,
                                   0, -104.0013192, -40.2410479, -0.9552837, -6.5933244, 0};
  // torques of seven decimals: 5e-8 on joints of a closed chain that accelerate at most 25 rad/s^2
  // per N m [eigenvalues of W in R-EX2]
  EXPECT_LT(largest_of(arms.posed.a({.tau = tau})), 25 * 12 * 5e-8);
  const UniqueReactions carried = arms.carried({.tau = tau});
  for (const char* grip : {"grip1", "grip2"}) {
    const Force<double> F = carried.force[arms.joint(grip)];
    EXPECT_NEAR(F.force.x, 0, 1e-5);
    EXPECT_NEAR(F.force.y, 0, 1e-5);
    EXPECT_NEAR(F.force.z, 49.05, 1e-5);
  }
}

TEST(closed_gallery, f2_accelerates_as_one_pendulum) {
  FromGallery bars("f2");
  // upright: it starts with its speed and no acceleration
  EXPECT_LT(largest_of(bars.posed.a()), 1e-13);
  EXPECT_NEAR(bars.posed.moving().V[1].angular.z, -1, 1e-15);
  EXPECT_EQ(bars.ways().finite, 1);
  const double theta = 0.7;
  bars.posed.state.q = {-theta, -theta, -theta, theta, theta};
  EXPECT_NEAR(bars.posed.a()[0], -11.445 * std::sin(theta), 1e-12);
}

TEST(closed_gallery, bennett_and_sarrus_move_though_counting_says_no) {
  FromGallery bennett("bennett"), sarrus("sarrus");
  EXPECT_EQ(bennett.ways().finite, 1);
  EXPECT_EQ(bennett.ways().gruebler, -2);
  EXPECT_EQ(sarrus.ways().finite, 1);
  EXPECT_EQ(sarrus.ways().gruebler, 0);
  EXPECT_NEAR(sarrus.posed.X("lid").p.z, 2 * std::cos(0.4), 1e-14);
  // the file of Bennett's linkage is closed as written
  const std::vector<double> description = start_state(bennett.posed.model).q;
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(bennett.posed.state.q[k], description[k], 1e-12);
}

}  // namespace
}  // namespace trammel::closed_gallery_test
