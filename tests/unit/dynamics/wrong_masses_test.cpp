// Exact messages if masses do not determine the result, and for poses without a result.
#include "tests/unit/dynamics/wrong_input.hpp"

namespace trammel::wrong_masses_test {
namespace {

using namespace wrong_input;

// The arm, with a needle at its end that turns about its own length.
Description arm_with_needle(const Solid& needle) {
  Description description = arm();
  description.body("needle", needle);
  description.joint("drill", JointKind::revolute, "forearm", "needle",
                    {.at = {{0.4, 0.0, 0.0}}, .axis = {1.0, 0.0, 0.0}});
  return description;
}

TEST(WrongInput, a_dof_without_inertia) {
  // massless, a point mass on the axis of the joint, and a rod along it
  for (const Solid& needle :
       {Solid{}, point_mass(1.0, {0.2, 0.0, 0.0}), thin_rod(1.0, 0.3, {0.15, 0.0, 0.0})}) {
    const std::string expected =
        "joint 'drill' has nothing to accelerate: its degree of freedom meets no inertia in this "
        "position; "
        "give a body beyond it mass or inertia, or drive the joint by motion";
    const std::set<std::string_view> divide = {"forward_dynamics", "hybrid_dynamics",
                                               "articulated_inertias",
                                               "forward_dynamics_derivatives", "spatial_operators"};
    expect_told(
        arm_with_needle(needle),
        [&](const PublicFunction& each) { return divide.contains(each.name); }, [](Interview&) {},
        expected);
    Interview x(arm_with_needle(needle));
    EXPECT_EQ(told(question("forward_dynamics_batch"), x),
              "forward_dynamics_batch: in state 0 " + expected);
    // functions that do not divide by it succeed
    for (const char* name :
         {"kinematics", "inverse_dynamics", "bias", "gravity_load", "mass_matrix", "energy",
          "momentum", "center_of_mass", "reactions", "inverse_dynamics_derivatives",
          "inverse_dynamics_batch", "mass_matrix_batch", "transmission_form"})
      EXPECT_EQ(told(question(name), x), "") << name;
    EXPECT_EQ(x.M(2, 2), 0);
  }
  // and a prescribed motion needs no inertia
  Description driven = arm_with_needle({});
  driven.joints[2].options.drive = Drive::motion;
  Interview x(driven);
  x.a_in = {0, 0, 3};
  EXPECT_EQ(told(question("hybrid_dynamics"), x), "");
  EXPECT_EQ(x.a[2], 3);
}

// Of two in series the outer one is named: a mass on it is enough for both.
TEST(WrongInput, the_outer_of_two_dofs_without_inertia_is_named) {
  const auto two_needles = [](const Solid& last) {
    Description description = arm_with_needle({});
    description.body("bit", last);
    description.joint("chuck", JointKind::revolute, "needle", "bit",
                      {.at = {{0.1, 0.0, 0.0}}, .axis = {0.0, 1.0, 0.0}});
    return description;
  };
  Interview massless(two_needles({}));
  Interview heavy(two_needles(brick));
  for (const char* name : {"forward_dynamics", "hybrid_dynamics", "articulated_inertias",
                           "forward_dynamics_derivatives"}) {
    EXPECT_TRUE(told(question(name), massless)
                    .starts_with(name + std::string(": joint 'chuck' has nothing to accelerate")))
        << told(question(name), massless);
    EXPECT_EQ(told(question(name), heavy), "") << name;
  }
}

TEST(WrongInput, massless_links_between_masses_and_point_masses_are_fine) {
  Description description("gimbal");
  description.body("ring", Solid{});  // massless
  description.body("ball", point_mass(2.0, {0.0, 0.0, -0.5}));
  description.joint("outer", JointKind::revolute, "ground", "ring", {.axis = {1.0, 0.0, 0.0}});
  description.joint("inner", JointKind::revolute, "ring", "ball", {.axis = {0.0, 1.0, 0.0}});
  Interview x(description);
  x.state.q = {0.3, 0.2};
  for (const char* name :
       {"forward_dynamics", "articulated_inertias", "forward_dynamics_derivatives",
        "forward_dynamics_batch", "mass_matrix", "inverse_dynamics", "spatial_operators"})
    EXPECT_EQ(told(question(name), x), "") << name;
}

TEST(WrongInput, a_model_without_mass_has_no_center_of_it) {
  Description description("skeleton");
  description.body("bone", Solid{});
  description.joint("hip", JointKind::revolute, "ground", "bone");
  const std::set<std::string_view> of_the_center = {"center_of_mass", "centroidal_momentum",
                                                    "centroidal_momentum_matrix"};
  expect_told(
      description, [&](const PublicFunction& each) { return of_the_center.contains(each.name); },
      [](Interview&) {},
      "the model 'skeleton' has no mass that can move, so no center of mass: give a body a mass");
  Interview x(description);
  EXPECT_EQ(told(question("momentum"), x), "");
  EXPECT_EQ(told(question("energy"), x), "");
  EXPECT_EQ(x.energy_.total(), 0);
}

TEST(WrongInput, operational_inertia_of_an_arm_that_cannot_move_everywhere) {
  Interview x(arm());
  x.state.q = {0.3, 0.4};
  x.place = frame_ref(x.model, "hand");
  EXPECT_EQ(told(question("articulated_inertias"), x), "");
  EXPECT_EQ(told(question("operational_space_inertia"), x),
            "operational_space_inertia: body 'forearm' can move in only 2 of six ways here, so its "
            "inertia is infinite in the others: ask for operational_space_inertia_inverse");
  EXPECT_EQ(told(question("operational_space_inertia_inverse"), x), "");
  Interview free(drone());
  EXPECT_EQ(told(question("articulated_inertias"), free), "");
  EXPECT_EQ(told(question("operational_space_inertia"), free), "");
}

TEST(WrongInput, transmission_form_of_joints_whose_axes_move) {
  Description description = arm();
  description.joints[1].kind = JointKind::universal;
  description.joints[1].options.axis2 = {0.0, 0.0, 1.0};
  Interview x(description);
  EXPECT_EQ(told(question("transmission_form"), x),
            "transmission_form: the axes of joint 'elbow' (universal) change with its position, "
            "which this form has no place for: ask for spatial_operators");
}

}  // namespace
}  // namespace trammel::wrong_masses_test
