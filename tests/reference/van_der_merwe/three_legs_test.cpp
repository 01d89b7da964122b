// The machine on three legs [van der Merwe 1995, chapter 8]: the two checks of ME-5 and its
// structure, and MX-4, for which the method of the reference violates the closure.
#include "tests/reference/from_gallery.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/operator_matrices.hpp"

namespace trammel::three_legs_test {
namespace {

// half a unit of the last printed digit
constexpr double digits7 = 5.1e-8;

// Five numbers of a leg: rotations about y and z and a slide, then two rotations at the foot.
Eigen::VectorXd leg(const FromGallery& machine, const Eigen::VectorXd& all, int k,
                    const std::string& prefix = "") {
  Eigen::VectorXd out(5);
  out << machine.of(all, prefix + "leg" + std::to_string(k)),
      machine.of(all, prefix + "ankle" + std::to_string(k));
  return out;
}
std::vector<double> on_every_leg(const FromGallery& machine, const std::vector<double>& five) {
  std::vector<double> tau(std::size_t(machine.posed.model.nv()));
  for (int k = 1; k <= 3; ++k) {
    const Model& model = machine.posed.model;
    const std::string number = std::to_string(k);
    std::copy_n(five.begin(), 3, tau.begin() + model[*model.find_joint("leg" + number)].v_start);
    std::copy_n(five.begin() + 3, 2,
                tau.begin() + model[*model.find_joint("ankle" + number)].v_start);
  }
  return tau;
}
// Wrench of leg k on the load at its attachment, in the axes of its foot: moment about z, force
// along x (toward the middle), force along y (up).
Eigen::Vector3d grip(FromGallery& machine, const UniqueReactions& carried, int k) {
  const std::size_t joint = machine.joint("grip" + std::to_string(k));
  // the frame of the weld has the axes of the load
  const Force<double> F = carried.force[joint];
  const double turns[] = {-30, -150, 90};
  const double turn = turns[k - 1] * std::numbers::pi / 180;
  const Vec3<double> inward{std::cos(turn), 0, -std::sin(turn)},
      across{std::sin(turn), 0, std::cos(turn)};
  return {dot(across, F.moment), dot(inward, F.force), F.force.y};
}

// The legs fall alike, so one degree of freedom is left, by hand: the depth h of the load. A rod of
// length D and angle phi: D' = h / D, phi' = d / D^2; feet and load move straight down.
double fall_by_hand(double& D_slope, double& phi_slope) {
  const double d = 1 / std::sqrt(3.0) - 0.15, h = 1, D = std::sqrt(d * d + h * h), g = 10;
  const double s = 0.5, rod = 2, foot = 0.5, load = 5, I = 0.5;
  D_slope = h / D, phi_slope = d / (D * D);
  const double inertia =
      load + 3 * foot + 3 * (rod * D_slope * D_slope + (rod * s * s + I) * phi_slope * phi_slope);
  const double weight = load + 3 * foot + 3 * rod * (D_slope * h / D + s * d / D * phi_slope);
  return weight * g / inertia;
}

TEST(van_der_merwe_three_legs, load_falls_faster_than_gravity) {
  FromGallery machine("me_5");
  const Eigen::VectorXd a = machine.posed.a();
  double D_slope = 0, phi_slope = 0;
  const double fall = fall_by_hand(D_slope, phi_slope);
  const double turn = phi_slope * fall, slide = D_slope * fall;
  EXPECT_NEAR(fall, 10.0286429, digits7);
  EXPECT_NEAR(turn, 3.6239142, digits7);  // as printed in the thesis
  EXPECT_NEAR(slide, 9.2218498, digits7);
  for (int k = 1; k <= 3; ++k)
    // light feet: the inverse inertia of a leg at its tip reaches 3826, which multiplies rounding
    expect_near(leg(machine, a, k), {0, -turn, slide, 0, turn}, 1e-11, "leg");
  expect_near(machine.acceleration_of("load", a), {0, 0, 0, 0, -10.0286429, 0}, digits7, "load");
  const UniqueReactions carried = machine.carried();
  for (int k = 1; k <= 3; ++k) {
    const Eigen::Vector3d f = grip(machine, carried, k);
    EXPECT_NEAR(f[0], 0.0054899, digits7);
    EXPECT_NEAR(f[1], -0.2792687, 1e-7);     // the geometry has seven digits
    EXPECT_NEAR(f[2], -0.0477382, digits7);  // each leg presses the load down
  }
}

TEST(van_der_merwe_three_legs, printed_forces_hold_it) {
  shows({"M-66", "forward_dynamics", "constrained_reactions"});
  FromGallery machine("me_5");
  // forces of seven printed digits and fewer accelerate the lightest joints: 1e-6 / 1e-3 kg m^2
  const std::vector<double> hold = on_every_leg(machine, {0, 6.3164555, -41.113563, 0, 0.25});
  EXPECT_LT(largest_of(machine.posed.a({.tau = hold})), 2e-6);
  const UniqueReactions carried = machine.carried({.tau = hold});
  for (int k = 1; k <= 3; ++k) {
    const Eigen::Vector3d f = grip(machine, carried, k);
    EXPECT_NEAR(f[0], -1.6666667, 2e-6);
    EXPECT_NEAR(f[1], -7.1225032, 2e-6);
    EXPECT_NEAR(f[2], 16.6666667, 2e-6);
  }
  // and the printed torques hold ME-4
  FromGallery pair("me_4");
  const std::vector<double> both = {-45 * std::sqrt(0.5), -45 * std::sqrt(0.5), 0};
  EXPECT_LT(largest_of(pair.posed.a({.tau = both})), 1e-12);
}

TEST(van_der_merwe_three_legs, moves_in_three_ways) {
  shows({"M-70", "mobility"});
  FromGallery machine("me_5");
  const Mobility ways = machine.ways();
  EXPECT_EQ(ways.dofs, 15);
  EXPECT_EQ(ways.rows, 12);
  EXPECT_EQ(ways.instantaneous, 3);
  EXPECT_EQ(ways.finite, 3);
  EXPECT_EQ(ways.verdict, Mobility::Verdict::regular);
  // straight up, and two tilts with a lateral motion of 0.1826 m per radian
  Posed& posed = machine.posed;
  Eigen::MatrixXd J;
  ASSERT_TRUE(constraint_jacobian(posed.model, posed.state, posed.workspace, J).ok());
  const Eigen::MatrixXd twists =
      posed.J("load", Axes::world) * null_space_basis(J, machine.plan());  // 6 x 3
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(twists, Eigen::ComputeFullU);
  const Eigen::MatrixXd none = svd.matrixU().rightCols(3);  // orthogonal to all motions of the load
  const auto is_allowed = [&](const Eigen::VectorXd& twist) {
    return (none.transpose() * twist).norm();
  };
  EXPECT_LT(is_allowed(numbers({0, 0, 0, 0, 1, 0})), 1e-12);
  EXPECT_GT(is_allowed(numbers({0, 0, 0, 1, 0, 0})), 0.1);
  const auto aside = [&](double x) { return is_allowed(numbers({1, 0, 0, 0, 0, x})); };
  const double best = std::min(aside(0.1826), aside(-0.1826));
  EXPECT_LT(best, 1e-4);  // printed with four digits
}

TEST(van_der_merwe_three_legs, one_leg_alone_is_as_printed) {
  // the first leg, without the load
  Description description = load_model("@me_5").description();
  std::erase_if(description.bodies, [](const auto& body) { return body.name == "load"; });
  std::erase_if(description.joints,
                [](const auto& joint) { return joint.name.starts_with("grip"); });
  for (const char* other : {"2", "3"}) {
    std::erase_if(description.bodies, [&](const auto& body) { return body.name.ends_with(other); });
    std::erase_if(description.joints,
                  [&](const auto& joint) { return joint.name.ends_with(other); });
    std::erase_if(description.start_positions,
                  [&](const auto& start) { return start.joint.ends_with(other); });
  }
  description.frame("tip", "foot1", {.xyz = {0.1, 0.0, 0.0}});
  Posed posed(description, {});
  posed.state = start_state(posed.model);
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(5, 5);
  H.diagonal() << 0.3112361, 1.6145316, 2.5, 0.0003364, 0.00185;
  const auto set = [&](int i, int j, double x) { H(i - 1, j - 1) = H(j - 1, i - 1) = x; };
  set(1, 4, 0.0049254), set(2, 3, -0.0229888), set(2, 5, 0.0125338), set(3, 5, -0.0229888);
  EXPECT_LT(largest_of(posed.M() - H), digits7);
  const Eigen::MatrixXd Lambda_inverse = posed.Lambda_inverse("tip", Axes::world);
  const Eigen::VectorXd values = Lambda_inverse.selfadjointView<Eigen::Lower>().eigenvalues();
  EXPECT_LT(std::abs(values[0]), 1e-9);  // five degrees of freedom
  EXPECT_NEAR(values[1], 0.397, 5e-4);
  EXPECT_NEAR(values[5], 3826, 0.5);
}

TEST(van_der_merwe_three_legs, force_on_one_slide_keeps_the_loops_closed) {
  FromGallery machine("mx_4");
  const Eigen::VectorXd a = machine.posed.a({.tau = machine.effort("machine_leg1", {0, 0, 10})});
  // the angles and lengths of the reference have seven decimals, which change these numbers by 4e-7
  const double digits = 5e-7;
  expect_near(machine.acceleration_of("machine_load", a),
              {-0.3857609, 0, 0.6681574, -0.1220244, -10.7971655, -0.0704508}, digits, "load");
  expect_near(leg(machine, a, 1, "machine_"), {0, -4.0625864, 9.9795936, 0, 4.8341082}, digits,
              "leg 1");
  expect_near(leg(machine, a, 2, "machine_"),
              {-0.2855372, -3.8211435, 9.9030217, 0.7266126, 3.4353826}, digits, "leg 2");
  expect_near(leg(machine, a, 3, "machine_"),
              {0.2855372, -3.8211435, 9.9030217, -0.7266126, 3.4353826}, digits, "leg 3");
}

}  // namespace
}  // namespace trammel::three_legs_test
