// Loops and couplings in URDF+ [Chignoli, Slotine, Wensing, Kim 2024]; loops that a TOML file adds
// to a URDF. The leg is one of the models of GRBDA: its file cites the source of the numbers.
#include <array>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "tests/support/test_folder.hpp"
#include "tests/unit/read/reading.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/write/model/urdf.hpp"

namespace trammel::urdf_loops_test {
namespace {

const std::string folder = test_folder() + "/unit/read/urdf/";

// The four-bar is a parallelogram: the foot is parallel to the thigh (angle t), the support to the
// driver (angle p). Lagrange's equations of the two angles, plane x-y, gravity g along -y:
//   M11 t'' + K cos(p - t) p'' - K sin(p - t) p'^2 + g W1 cos t = tau_t
//   K cos(p - t) t'' + M22 p'' + K sin(p - t) t'^2 + g W2 cos p = tau_p
struct Parallelogram {
  static constexpr double thigh = 0.23, driver = 0.004, support = 0.225, foot = 0.017;
  static constexpr double M11 = 4.5389e-5 + thigh * 0.0364 * 0.0364 + driver * 0.011 * 0.011 +
                                support * 0.042 * 0.042 + 2.2176e-5 + foot * 0.0745 * 0.0745;
  static constexpr double M22 =
      3.257e-6 + driver * 0.048 * 0.048 + 2.2918e-5 + support * 0.04 * 0.04 + foot * 0.096 * 0.096;
  static constexpr double K =
      driver * 0.011 * 0.048 + support * 0.042 * 0.04 + foot * 0.0745 * 0.096;
  static constexpr double W1 = thigh * 0.0364 + driver * 0.011 + support * 0.042 + foot * 0.0745;
  static constexpr double W2 = driver * 0.048 + support * 0.04 + foot * 0.096;
  static constexpr double g = 9.81;

  // t'', p'' under a torque on the joint between thigh and driver
  static std::array<double, 2> accelerations(double t, double p, double t1, double p1, double tau) {
    const double c = K * std::cos(p - t), s = K * std::sin(p - t);
    const double r1 = -tau + s * p1 * p1 - g * W1 * std::cos(t);
    const double r2 = tau - s * t1 * t1 - g * W2 * std::cos(p);
    const double det = M11 * M22 - c * c;
    return {(M22 * r1 - c * r2) / det, (M11 * r2 - c * r1) / det};
  }
};

void expect_the_leg(const Description& description, const std::string& prefix = {}) {
  const Model model = build_model(description).with_gravity({0, -9.81, 0});
  ASSERT_EQ(model.nv(), 4);
  ASSERT_EQ(model.closures().size(), 1u);
  const double t = -0.7, p = 0.4, t1 = 1.3, p1 = -2.1, tau = 0.02;
  State state = neutral_state(model);
  const auto set = [&](const char* joint, double q, double v) {
    const NamedJoint& named = model[*model.find_joint(prefix + joint)];
    state.q[std::size_t(named.q_start)] = q;
    state.v[std::size_t(named.v_start)] = v;
  };
  set("hip", t, t1);
  set("drive", p - t, p1 - t1);
  set("swing", p - t, p1 - t1);
  set("ankle", t - p, t1 - p1);
  std::vector<double> efforts(4, 0.0), a(4);
  efforts[std::size_t(model[*model.find_joint(prefix + "drive")].v_start)] = tau;
  Workspace workspace(model);
  const Status status = forward_dynamics(model, state, {.tau = efforts}, workspace, a);
  ASSERT_TRUE(status.ok()) << status.message();
  const auto [t2, p2] = Parallelogram::accelerations(t, p, t1, p1, tau);
  const auto found = [&](const char* joint) {
    return a[std::size_t(model[*model.find_joint(prefix + joint)].v_start)];
  };
  // rounding, times the condition of a light linkage
  const double tolerance = 1e-9 * (std::abs(t2) + std::abs(p2));
  EXPECT_NEAR(found("hip"), t2, tolerance);
  EXPECT_NEAR(found("drive"), p2 - t2, tolerance);
  EXPECT_NEAR(found("swing"), p2 - t2, tolerance);
  EXPECT_NEAR(found("ankle"), t2 - p2, tolerance);
  Mobility ways;
  ASSERT_TRUE(mobility(model, state, workspace, ways).ok());
  EXPECT_EQ(ways.finite, 2);
}

TEST(UrdfLoops, a_leg_with_a_four_bar_moves_as_its_two_angles_say) {
  Diagnostics diagnostics;
  const Description description = read_description(folder + "planar_leg.urdf", {}, diagnostics);
  EXPECT_EQ(told(diagnostics), "");
  expect_the_leg(description);
}

TEST(UrdfLoops, a_toml_file_closes_the_loop_of_a_urdf) {
  Diagnostics diagnostics;
  const Description description = read_description(folder + "planar_leg.toml", {}, diagnostics);
  EXPECT_EQ(told(diagnostics), "");
  expect_the_leg(description, "leg_");
}

TEST(UrdfLoops, are_written_and_read_back) {
  Diagnostics diagnostics, report, again;
  const Description description = read_description(folder + "planar_leg.urdf", {}, diagnostics);
  const std::string text = write_urdf(description, report);
  EXPECT_EQ(told(report), "");
  EXPECT_NE(text.find("<loop name=\"linkage\" type=\"revolute\">"), text.npos) << text;
  const Description back = read_description("back.urdf", text, {}, again);
  EXPECT_EQ(told(again), "");
  expect_the_leg(back);
  Diagnostics once_more;
  EXPECT_EQ(write_urdf(back, once_more), text);
}

// A thigh and a shank; the motor of the shank is on the hip and drives it over two belts.
const std::string belts = R"(<robot name="belts">
  <link name="base"/>
  <link name="thigh"><inertial><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="shank"><inertial><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="rotor"><inertial><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="hip" type="continuous">
    <parent link="base"/><child link="thigh"/><axis xyz="0 1 0"/></joint>
  <joint name="knee" type="continuous">
    <parent link="thigh"/><child link="shank"/><axis xyz="0 1 0"/></joint>
  <joint name="motor" type="continuous">
    <parent link="base"/><child link="rotor"/><axis xyz="0 1 0"/></joint>
  <coupling name="belt">
    <predecessor link="shank"/><successor link="rotor"/><ratio value="6"/></coupling>
</robot>)";

TEST(UrdfLoops, a_coupling_counts_the_turns_on_both_ways) {
  Diagnostics diagnostics;
  const Description description = read_description("belts.urdf", belts, {}, diagnostics);
  EXPECT_EQ(told(diagnostics), "");
  ASSERT_EQ(description.couplings.size(), 1u);
  std::map<std::string, double> terms;
  for (const auto& [joint, factor] : description.couplings[0].terms)
    terms[joint] = factor.constant();
  EXPECT_EQ(terms, (std::map<std::string, double>{{"hip", 6}, {"knee", 6}, {"motor", -1}}));
  // inertias of 1 about y: with h = hip, k = knee, M = [2 1; 1 1] + 36 [1 1; 1 1]
  const Model model = build_model(description);
  State state = neutral_state(model);
  std::vector<double> efforts(3, 0.0), a(3);
  const auto at = [&](const char* joint) {
    return std::size_t(model[*model.find_joint(joint)].v_start);
  };
  efforts[at("hip")] = 1;
  Workspace workspace(model);
  ASSERT_TRUE(forward_dynamics(model, state, {.tau = efforts}, workspace, a).ok());
  EXPECT_NEAR(a[at("hip")], 1, 1e-12);  // M^-1 (1, 0) = (37, -37) / (38 * 37 - 37 * 37)
  EXPECT_NEAR(a[at("knee")], -1, 1e-12);
  EXPECT_NEAR(a[at("motor")], 0, 1e-12);

  Diagnostics report, again;
  const std::string text = write_urdf(description, report);
  EXPECT_EQ(told(report), "");
  const Description back = read_description("back.urdf", text, {}, again);
  EXPECT_EQ(told(again), "");
  ASSERT_EQ(back.couplings.size(), 1u);
  EXPECT_EQ(back.couplings[0].terms.size(), 3u);
  std::map<std::string, double> same;
  for (const auto& [joint, factor] : back.couplings[0].terms) same[joint] = factor.constant();
  EXPECT_EQ(same, terms);
}

TEST(UrdfLoops, a_loop_may_end_on_the_ground) {
  Diagnostics diagnostics, report, again;
  const std::string text = R"(<robot name="bar">
  <link name="world"/>
  <link name="bar"><inertial><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="slide" type="prismatic">
    <parent link="world"/><child link="bar"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <loop name="tip" type="spherical">
    <predecessor link="bar"><origin xyz="0.5 0 0"/></predecessor>
    <successor link="world"><origin xyz="0.7 0 0"/></successor></loop>
</robot>)";
  const Description description = read_description("bar.urdf", text, {}, diagnostics);
  EXPECT_EQ(told(diagnostics), "");
  const Model model = build_model(description);
  ASSERT_EQ(model.closures().size(), 1u);
  EXPECT_EQ(index(model.closures()[0].child), 0);
  const Description back =
      read_description("back.urdf", write_urdf(description, report), {}, again);
  EXPECT_EQ(told(report) + told(again), "");
  EXPECT_EQ(build_model(back).closures().size(), 1u);
}

}  // namespace
}  // namespace trammel::urdf_loops_test
