// Normal forces of a platform on its wheels: closed forms.
#include <cstdio>
#include <fstream>
#include <limits>

#include "tests/reference/saha/platforms.hpp"
#include "tests/support/capability.hpp"
#include "trammel/constraint/forces/effort_qp.hpp"
#include "trammel/constraint/forces/wheel_contacts.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/read/load.hpp"

namespace trammel::platform_loads_test {
namespace {

using Eigen::VectorXd;
constexpr double g = 9.81, height = 0.2;

// On a free joint: rotation and translation of the platform first, then the wheels.
struct Standing : Posed {
  static Description described(const SeedPlatform& platform, bool on_wheels,
                               std::optional<double> friction) {
    PlatformTable table = platform.table();
    table.stands_on_wheels = on_wheels;
    if (friction)
      for (PlatformWheel& wheel : table.wheels) wheel.friction = *friction;
    Description description("platform");
    description.gravity = {0.0, 0.0, -g};
    add_platform(description, table);
    return description;
  }
  explicit Standing(const SeedPlatform& platform, std::optional<double> friction = {})
      : Posed(described(platform, true, friction), {}) {
    state = neutral_state(model);
  }
  std::vector<double> torques(const VectorXd& of_wheels) const {
    VectorXd tau = VectorXd::Zero(model.nv());
    tau.tail(of_wheels.size()) = of_wheels;
    return list_of(tau);
  }
  std::vector<WheelContact> contacts(const std::vector<double>& tau) {
    std::vector<WheelContact> out;
    const Status status = wheel_contacts(model, state, {.tau = tau}, workspace, out);
    EXPECT_TRUE(status.ok()) << status.message();
    return out;
  }
};

// With redundant wheels: the contact forces of minimum norm among those of the same resultant that
// do not pull. Compared with a general search that has no model of wheels.
TEST(platform_loads, are_the_least_that_do_the_same_and_press) {
  Standing standing(SeedPlatform::six_wheels());
  Eigen::MatrixXd J;
  ASSERT_TRUE(constraint_jacobian(standing.model, standing.state, standing.workspace, J).ok());
  int resting = 0, lifting = 0;
  for (int seed = 1; seed <= 60; ++seed) {
    std::srand(unsigned(seed));
    const std::vector<double> tau = standing.torques(VectorXd::Random(6) * seed);
    ConstrainedAnswer some;  // forces of the same resultant, in any distribution
    ASSERT_TRUE(
        constrained_dynamics(standing.model, standing.state, {.tau = tau}, standing.workspace, some)
            .ok());
    VectorXd forces(J.rows()), lower(J.rows());
    Eigen::Index row = 0;
    bool lifts = false, rests = false;
    for (const WheelContact& contact : standing.contacts(tau)) {
      lifts |= contact.lifts();
      rests |= contact.up() == 0;
      for (std::size_t k = 0; k < contact.row_forces.size(); ++k, ++row) {
        forces[row] = contact.row_forces[k].force;
        lower[row] = k == 0 ? 0 : -std::numeric_limits<double>::infinity();
      }
    }
    ASSERT_EQ(row, J.rows());
    const EffortQp least = effort_qp({.A = J.transpose(),
                                      .needed = J.transpose() * some.lambda,
                                      .lower = lower,
                                      .computes_lacking = false});
    SCOPED_TRACE(seed);
    EXPECT_EQ(lifts, least.verdict != EffortQp::Verdict::found);
    if (!lifts) {  // limits are met to ten digits there
      EXPECT_LT((least.effort - forces).norm(), 1e-9 * forces.norm());
    }
    resting += rests && !lifts;
    lifting += lifts;
  }
  // both cases occur
  EXPECT_GT(resting, 5);
  EXPECT_GT(lifting, 5);
  EXPECT_LT(resting + lifting, 50);
}

// Newton-Euler equations of the whole, which starts from rest: about the origin of the floor.
TEST(platform_loads, balance_weight_and_moments_while_drives_push) {
  int seed = 7;
  for (const SeedPlatform& platform :
       {SeedPlatform::three_wheels(), SeedPlatform::four_wheels(), SeedPlatform::six_wheels()}) {
    Standing standing(platform);
    const auto n = Eigen::Index(platform.layout.size());
    SCOPED_TRACE(n);
    const double weight = (platform.body_mass + double(n) * platform.wheel_mass) * g;
    for (int trial = 0; trial < 4; ++trial) {
      std::srand(unsigned(seed++));
      const VectorXd push = trial == 0 ? VectorXd::Zero(n) : VectorXd(VectorXd::Random(n));
      const std::vector<double> tau = standing.torques(push);
      const VectorXd a = standing.a({.tau = tau});
      // it stays level: no roll, no pitch, no heave
      EXPECT_LT(std::max({std::abs(a[0]), std::abs(a[1]), std::abs(a[5])}), 1e-11);
      const double turn = a[2], a_x = a[3], a_y = a[4];
      double up = 0, about_x = 0, about_y = 0;                 // of the floor forces
      double expected_x = -platform.body_mass * height * a_y,  // rates of angular momentum
          expected_y = platform.body_mass * height * a_x;
      const std::vector<WheelContact> contacts = standing.contacts(tau);
      VectorXd ups(n);
      Eigen::MatrixXd level(n, 3);  // forces linear over the floor: no self-stress
      for (Eigen::Index k = 0; k < n; ++k) {
        const WheelPlacing& wheel = platform.layout[std::size_t(k)];
        const WheelContact& contact = contacts[std::size_t(k)];
        const double x = wheel.distance * std::cos(wheel.bearing),
                     y = wheel.distance * std::sin(wheel.bearing);
        EXPECT_LT(norm(contact.point - Vec3<double>{x, y, 0}), 1e-12);
        ups[k] = contact.up();
        level.row(k) << 1, x, y;
        up += contact.up(), about_x += y * contact.up(), about_y -= x * contact.up();
        const double m = platform.wheel_mass, spin = platform.wheel_axial * a[6 + k];
        expected_x += y * m * g - wheel.radius * m * (a_y + turn * x) + spin * std::cos(wheel.axle);
        expected_y +=
            -x * m * g + wheel.radius * m * (a_x - turn * y) + spin * std::sin(wheel.axle);
        // not unique with more than three wheels; along the rollers the drives determine the force
        EXPECT_EQ(contact.row_forces[0].is_unique, n == 3);
        EXPECT_TRUE(contact.row_forces[1].is_unique);
      }
      EXPECT_NEAR(up, weight, 1e-10 * weight);
      EXPECT_NEAR(about_x, expected_x, 1e-10 * weight);
      EXPECT_NEAR(about_y, expected_y, 1e-10 * weight);
      // minimum norm: no self-stress of the wheels
      const VectorXd plane = level * level.colPivHouseholderQr().solve(ups);
      EXPECT_LT(largest_of(ups - plane), 1e-10 * weight);
    }
  }
}

// Four wheels, driving forward: equal loads at rest, plus the load transfer from front to rear.
TEST(platform_loads, go_from_the_front_to_the_back_until_the_front_lifts) {
  const SeedPlatform platform = SeedPlatform::four_wheels();
  const double mu = 0.4;
  Standing standing(platform, mu);
  const double m = 37 + 4 * 2, r = 0.1, track = 0.3, I = 0.01;
  // S-T07: torques for 1 m/s^2 along y
  const VectorXd push = numbers({-1.225, 1.225, 1.225, -1.225});
  const double moved = (37 * height + 4 * 2 * r + 4 * I / r) / (4 * track);  // per wheel and m/s^2
  const double lifting = m * g / 4 / moved;
  for (const double a : {0.0, 1.0, 0.99 * lifting, 1.01 * lifting}) {
    const std::vector<double> tau = standing.torques(a * push);
    EXPECT_NEAR(standing.a({.tau = tau})[4], a, 1e-12 * lifting);
    const std::vector<WheelContact> contacts = standing.contacts(tau);
    const double along = m * a / 4 / std::cos(45 * degree);  // along the axis of each roller
    for (std::size_t k = 0; k < 4; ++k) {
      const bool is_front = k < 2;
      const double up = m * g / 4 + (is_front ? -moved : moved) * a;
      EXPECT_NEAR(contacts[k].up(), up, 1e-10 * m * g);
      EXPECT_NEAR(contacts[k].sideways(), along, 1e-10 * m * g);
      EXPECT_EQ(contacts[k].lifts(), up < 0);
      EXPECT_EQ(contacts[k].friction, mu);
      EXPECT_EQ(contacts[k].slips(), along > 0 && !(along <= mu * up));
    }
  }
}

// The distribution of the load does not change the motion.
TEST(platform_loads, make_no_difference_to_the_motion) {
  for (const SeedPlatform& platform : {SeedPlatform::three_wheels(), SeedPlatform::four_wheels()}) {
    Standing standing(platform);
    PlatformAsked sliding(platform);
    Mobility found;
    ASSERT_TRUE(mobility(standing.model, standing.state, standing.workspace, found).ok());
    EXPECT_EQ(found.instantaneous, 3);
    const auto n = Eigen::Index(platform.layout.size());
    const VectorXd push = VectorXd::LinSpaced(n, -0.4, 0.9);
    VectorXd tau = VectorXd::Zero(3 + n);
    tau.tail(n) = push;
    const std::vector<double> of_joint = list_of(tau), of_wheels = standing.torques(push);
    const VectorXd a = sliding.a({.tau = of_joint}), b = standing.a({.tau = of_wheels});
    EXPECT_LT(largest_of(a.tail(n) - b.tail(n)), 1e-11);
    EXPECT_LT(largest_of(a.head(3) - numbers({b[3], b[4], b[2]})), 1e-11);
  }
}

// Read as a model, with all entries that a table may have.
TEST(platform_loads, are_requested_in_the_table) {
  const std::string file = testing::TempDir() + "trammel_loads.csv";
  const auto written = [&](const char* stands_on) {
    std::ofstream(file)
        << "name, type, x, y, radius, mass, axial, across, height, stands on, trail, "
           "driven, friction, rollers [deg], roller radius [mm]\n"
           ", platform, , , , 20, 1, 0.8, 0.3, "
        << stands_on
        << ", , , , , \n"
           "left, fixed, -0.2, 0, 0.1, 1, 0.005, 0.003, , , , yes, 0.8, , \n"
           "right, fixed, 0.2, 0, 0.1, 1, 0.005, 0.003, , , , yes, 0.8, , \n"
           "back, omni, 0, -0.3, 0.05, 0.5, 0.001, 0.001, , , , no, , 90, 8\n";
  };
  written("wheels");
  const Model model = load_model(file);
  for (const Wheel& wheel : model.wheels()) EXPECT_TRUE(wheel.touches);
  EXPECT_EQ(model.wheels()[1].friction, 0.8);
  EXPECT_EQ(model.wheels()[2].friction, std::numeric_limits<double>::infinity());
  EXPECT_NEAR(model.wheels()[2].roller_radius, 0.008, 1e-18);
  // all load on the two wheels next to the center: the third has its own weight
  Posed posed(model.description(), {});
  posed.state = neutral_state(posed.model);
  std::vector<WheelContact> contacts;
  ASSERT_TRUE(wheel_contacts(posed.model, posed.state, {}, posed.workspace, contacts).ok());
  EXPECT_NEAR(contacts[0].up(), 11 * 9.81, 1e-9);
  EXPECT_NEAR(contacts[1].up(), 11 * 9.81, 1e-9);
  EXPECT_NEAR(contacts[2].up(), 0.5 * 9.81, 1e-9);
  written("joint");
  try {
    static_cast<void>(load_model(file));
    FAIL() << "friction was taken";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what())
                  .find(":3:1: error: wheel 'left' has friction, but does not "
                        "press on the floor"),
              std::string::npos)
        << error.what();
  }
  std::remove(file.c_str());
}

}  // namespace
}  // namespace trammel::platform_loads_test
