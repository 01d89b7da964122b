// A bob on two crossed slides at the end of a rod of length 1: its position (x, y) is on the unit
// circle, its mass matrix is diag(4, 1). Projection, orthogonal complement and the choice of
// independent joints against numbers by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "trammel/trammel.hpp"

namespace trammel::rod_on_slides_test {
namespace {

struct RodOnSlides {
  static Model make() {
    Description description("rod on slides");
    description.body("cart", point_mass(3.0));
    description.body("bob", point_mass(1.0));
    description.joint("x", JointKind::prismatic, "ground", "cart", {.axis = {1.0, 0.0, 0.0}});
    description.joint("y", JointKind::prismatic, "cart", "bob", {.axis = {0.0, 1.0, 0.0}});
    description.constraints.push_back({.name = "rod",
                                       .kind = ConstraintDescription::Kind::distance,
                                       .frame = "ground",
                                       .other_frame = "bob",
                                       .distance = 1.0});
    return build_model(description);
  }
  State at(double x, double y, double x_dot = 0, double y_dot = 0) const {
    State state = neutral_state(model);
    state.q = {x, y};
    state.v = {x_dot, y_dot};
    return state;
  }
  const Model model = make();
  Workspace workspace{model};
};

// Angle of the point of the circle nearest to (x, y) in the metric diag(4, 1): bisection of the
// derivative of the squared distance, which changes its sign once in the first quadrant.
double nearest_angle(double x, double y) {
  double low = 0, high = std::numbers::pi / 2;
  for (int step = 0; step < 60; ++step) {
    const double t = (low + high) / 2;
    const double slope = -4 * (std::cos(t) - x) * std::sin(t) + (std::sin(t) - y) * std::cos(t);
    (slope < 0 ? low : high) = t;
  }
  return (low + high) / 2;
}

TEST(RodOnSlides, position_is_projected_to_the_nearest_point) {
  RodOnSlides rod;
  for (const auto& [x, y] : {std::pair{0.9, 0.9}, {0.3, 1.2}, {0.5, 0.6}, {1.02, 0.3}}) {
    State state = rod.at(x, y);
    const Status status = project_position(rod.model, state, rod.workspace);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_NEAR(std::hypot(state.q[0], state.q[1]), 1, 1e-12);
    // the last step is at most 1e-9 of the way; the steps shrink by a constant ratio
    EXPECT_NEAR(std::atan2(state.q[1], state.q[0]), nearest_angle(x, y), 5e-9) << x << " " << y;
  }
}

TEST(RodOnSlides, velocity_of_an_open_state_is_not_projected) {
  RodOnSlides rod;
  for (const double open : {1e-5, 1e-3, 0.03}) {
    State state = rod.at(1 + open, 0, 0.2, 0.3);
    const Status status = project_velocity(rod.model, state, rod.workspace);
    EXPECT_NE(status.message().find("'rod'"), std::string::npos) << open << status.message();
    EXPECT_EQ(state.v, (std::vector{0.2, 0.3}));
  }
  State closed = rod.at(1, 0, 0.2, 0.3);
  ASSERT_TRUE(project_velocity(rod.model, closed, rod.workspace).ok());
  EXPECT_NEAR(closed.v[0], 0, 1e-15);
  EXPECT_NEAR(closed.v[1], 0.3, 1e-15);
}

TEST(RodOnSlides, joint_that_cannot_move_is_not_independent) {
  RodOnSlides rod;
  const State state = rod.at(1, 0, 0, 0.7);  // the rod lies along x
  OrthogonalComplement out;
  const auto choose = [&](const char* joint) {
    return orthogonal_complement(rod.model, state, {}, rod.workspace, out,
                                 {.independent = {*rod.model.find_joint(joint)}});
  };
  EXPECT_NE(choose("x").message().find("x"), std::string::npos);
  ASSERT_TRUE(choose("y").ok());
  EXPECT_NEAR(out.u[0], 0.7, 1e-15);
}

TEST(RodOnSlides, two_joints_of_one_degree_of_freedom_are_not_independent) {
  Description description("two bobs");
  for (const std::string k : {"1", "2"}) {
    description.body("cart" + k, point_mass(3.0));
    description.body("bob" + k, point_mass(1.0));
    description.joint("x" + k, JointKind::prismatic, "ground", "cart" + k,
                      {.axis = {1.0, 0.0, 0.0}});
    description.joint("y" + k, JointKind::prismatic, "cart" + k, "bob" + k,
                      {.axis = {0.0, 1.0, 0.0}});
    description.constraints.push_back({.name = "rod" + k,
                                       .kind = ConstraintDescription::Kind::distance,
                                       .frame = "ground",
                                       .other_frame = "bob" + k,
                                       .distance = 1.0});
  }
  const Model model = build_model(description);
  Workspace workspace(model);
  State state = neutral_state(model);
  for (const char* k : {"1", "2"}) {
    state.q[std::size_t(model[*model.find_joint(std::string("x") + k)].q_start)] = 0.6;
    state.q[std::size_t(model[*model.find_joint(std::string("y") + k)].q_start)] = 0.8;
  }
  const auto choose = [&](const char* one, const char* other) {
    OrthogonalComplement out;
    return orthogonal_complement(
        model, state, {}, workspace, out,
        {.independent = {*model.find_joint(one), *model.find_joint(other)}});
  };
  EXPECT_TRUE(choose("x1", "x2").ok());
  EXPECT_TRUE(choose("x1", "y2").ok());
  for (const Status& status : {choose("x1", "y1"), choose("y2", "x2")})
    EXPECT_NE(status.message().find("orthogonal_complement"), std::string::npos);
}

TEST(RodOnSlides, velocity_is_the_sum_of_free_and_prescribed_parts) {
  RodOnSlides rod;
  const State state = rod.at(0.6, 0.8, -0.8, 0.6);
  for (const bool orthonormal : {false, true}) {
    OrthogonalComplement out;
    ASSERT_TRUE(orthogonal_complement(rod.model, state, {}, rod.workspace, out,
                                      {.orthonormal = orthonormal})
                    .ok());
    const Eigen::VectorXd along = out.T * out.u;
    EXPECT_NEAR(along[0], -0.8, 1e-15);
    EXPECT_NEAR(along[1], 0.6, 1e-15);
    EXPECT_LT(out.prescribed.norm(), 1e-15);  // nothing is prescribed
  }
}

}  // namespace
}  // namespace trammel::rod_on_slides_test
