// Platforms on wheels with rollers [Saha 1991, sections 3.8 and 3.9]: examples S-T05 to S-T08.
#include "tests/reference/saha/platforms.hpp"

#include <random>

#include "tests/support/capability.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/mobility/reachability.hpp"

namespace trammel::platforms_test {
namespace {

using Eigen::Vector3d, Eigen::VectorXd, Eigen::MatrixXd;
constexpr double pi = std::numbers::pi;
// half a unit of the last printed digit
constexpr double digits6 = 5.1e-7, digits5 = 5.1e-6;

SeedPlatform unsymmetric() {
  SeedPlatform out;
  out.layout = {{60 * degree, 10 * degree, 20 * degree, 0.3, 0.1},
                {80 * degree, 140 * degree, 150 * degree, 0.25, 0.1},
                {100 * degree, 250 * degree, 260 * degree, 0.35, 0.1}};
  out.body_mass = 10, out.body_turn = 0.5;
  out.body_inertia = {0.4, 0.4, 0.5};
  return out;
}

// S-T05: v + r rate f + r_r roller f' = 0 at the hub; the axis of a roller is a line, independent
// of its sign. The wheel of the engine satisfies the formulas, for any angles.
TEST(saha_platforms, wheels_with_rollers_roll_as_published) {
  shows({"S-39", "hub_jacobian", "roller_jacobian", "inverse_kinematics_velocity"});
  std::mt19937 random(5);
  std::uniform_real_distribution<double> angle(-3, 3), tilt(0.3, 2.8);
  const double roller = 0.01;
  for (int trial = 0; trial < 20; ++trial) {
    SeedPlatform platform;
    for (int k = 0; k < 3; ++k)
      platform.layout.push_back({tilt(random), angle(random), angle(random), 0.3, 0.1});
    const Vector3d nu(angle(random), angle(random), angle(random));
    const VectorXd hubs = hub_jacobian(platform.layout) * nu;
    const VectorXd rollers = roller_jacobian(platform.layout, roller) * nu;
    for (int k = 0; k < 3; ++k) {
      const WheelPlacing& wheel = platform.layout[std::size_t(k)];
      const double gamma = wheel.roller_angle + wheel.axle;
      const Eigen::Vector2d v(nu[1] - nu[0] * wheel.distance * std::sin(wheel.bearing),
                              nu[2] + nu[0] * wheel.distance * std::cos(wheel.bearing));
      const Eigen::Vector2d f(-std::sin(wheel.axle), std::cos(wheel.axle)),
          f_roller(-std::sin(gamma), std::cos(gamma));
      const double size = 1 + std::abs(hubs[k]) * wheel.radius;
      EXPECT_LT((v + wheel.radius * hubs[k] * f + roller * rollers[k] * f_roller).norm(),
                1e-15 * size * 10);
      const Eigen::Matrix2d Theta = wheel_matrix(wheel, roller);
      EXPECT_NEAR(Theta.determinant(), wheel.radius * roller * std::sin(wheel.roller_angle), 1e-17);
      EXPECT_LT((Theta * Eigen::Vector2d(hubs[k], rollers[k]) - v).norm(), 1e-14 * size);
    }
    WheelLayout other = platform.layout;
    for (WheelPlacing& wheel : other) wheel.roller_angle += pi;
    EXPECT_LT(largest_of(hub_jacobian(other) - hub_jacobian(platform.layout)),
              1e-13 * largest_of(hub_jacobian(other)));
    PlatformAsked posed(platform);
    posed.move(nu, Vector3d::Zero());
    EXPECT_LT(largest_of(posed.wheels(vector_of(posed.state.v)) - hubs), 1e-11 * (1 + hubs.norm()));
  }
  // rollers along the hub: a conventional wheel, refused by the formula and by the generator
  SeedPlatform along = SeedPlatform::three_wheels();
  along.layout[1].roller_angle = pi;
  EXPECT_THROW(hub_jacobian(along.layout), std::invalid_argument);
  EXPECT_THROW(along.described(), ModelError);
}

// S-T06: the matrices, and rates and accelerations along path 3.
TEST(saha_platforms, wheels_follow_path_3_as_computed) {
  shows({"S-40", "inverse_kinematics_velocity", "inverse_kinematics_acceleration"},
        {"S-47", "two_straights_path", "cycloidal_profile"},
        {"S-48", "inverse_kinematics_velocity", "roller_jacobian"});
  const double h = std::sqrt(3.0) / 2 * 10;
  MatrixXd L3(3, 3), L4(4, 3), L6(6, 3);
  L3 << -3, 10, 0, -3, -5, h, -3, -5, -h;
  L4 << 1, -10, -10, 1, -10, 10, 1, 10, 10, 1, 10, -10;
  L6 << L3, -3, 5, -h, -3, 5, h, -3, -10, 0;
  EXPECT_LT(largest_of(hub_jacobian(SeedPlatform::three_wheels().layout) - L3), 1e-14);
  EXPECT_LT(largest_of(hub_jacobian(SeedPlatform::four_wheels().layout) - L4), 1e-13);
  EXPECT_LT(largest_of(hub_jacobian(SeedPlatform::six_wheels().layout) - L6), 1e-14);
  const MatrixXd printed = hub_jacobian(SeedPlatform::four_wheels(true).layout);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(printed(k, 0), 0.997595, digits6);

  const PlanarPath path = seed_path_3();
  const VehicleMotion middle = in_vehicle_axes(path.at(30)), early = in_vehicle_axes(path.at(20));
  EXPECT_NEAR(path.at(30).x, 0, 1e-14);
  EXPECT_NEAR(path.at(30).y, -0.05, 1e-14);
  EXPECT_NEAR(path.at(30).x_rate, -0.3383333, 5.1e-8);
  EXPECT_NEAR(path.at(30).yaw, pi / 4, 1e-14);
  const double at_30[] = {0.1047198, -0.1543850, 0.3240906, 0, 0.0339387, 0.0161672};
  const double is_30[] = {middle.yaw_rate,         middle.x_rate,   middle.y_rate,
                          middle.yaw_acceleration, middle.x_change, middle.y_change};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(is_30[k], at_30[k], 5.1e-8) << k;
  EXPECT_NEAR(path.at(20).yaw, 0.0452930, 5.1e-8);
  EXPECT_NEAR(early.yaw_rate, 0.0261799, 5.1e-8);
  EXPECT_NEAR(early.x_rate, -0.0525205, 5.1e-8);
  EXPECT_NEAR(early.y_rate, 0.1225036, 5.1e-8);

  // from the engine: rates of hubs at 30 s and 20 s; rollers by their formula
  PlatformAsked three(SeedPlatform::three_wheels());
  three.move(path.at(30));
  const double hubs_30[] = {-1.858009, 3.264473, -2.348941};
  const double rollers_30[] = {32.409061, -2.834399, -29.574662};
  const Vector3d nu(middle.yaw_rate, middle.x_rate, middle.y_rate);
  const VectorXd rollers = roller_jacobian(SeedPlatform::three_wheels().layout, 0.01) * nu;
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(three.state.v[std::size_t(3 + k)], hubs_30[k], digits6);
    EXPECT_NEAR(rollers[k], rollers_30[k], digits6);
  }
  three.move(path.at(20));
  const double hubs_20[] = {-0.603744, 1.244975, -0.876850};
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(three.state.v[std::size_t(3 + k)], hubs_20[k], digits6);

  // peaks and ranges over the path, and theta'' = L nu' at every sample
  double peak[3] = {}, low[7], high[7];
  std::fill_n(low, 7, 0.0), std::fill_n(high, 7, 0.0);
  PlatformAsked four(SeedPlatform::four_wheels());
  for (int k = 0; k <= 600; ++k) {
    const PlanarMotion motion = path.at(0.1 * k);
    const VehicleMotion seen = in_vehicle_axes(motion);
    const double now[] = {seen.yaw_rate, seen.x_rate, seen.y_rate};
    for (int i = 0; i < 3; ++i) peak[i] = std::max(peak[i], std::abs(now[i]));
    const VectorXd a3 = three.move(motion), a4 = four.move(motion);
    VectorXd rates(7);
    rates << three.wheels(vector_of(three.state.v)), four.wheels(vector_of(four.state.v));
    for (int i = 0; i < 7; ++i)
      low[i] = std::min(low[i], rates[i]), high[i] = std::max(high[i], rates[i]);
    const Vector3d change(seen.yaw_acceleration, seen.x_change, seen.y_change);
    EXPECT_LT(largest_of(three.wheels(a3) - L3 * change), 1e-12);
    EXPECT_LT(largest_of(four.wheels(a4) - L4 * change), 1e-12);
  }
  const double peaks[] = {0.104720, 0.20981, 0.33603};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(peak[i], peaks[i], 1e-5) << i;
  const double lows[] = {-2.382, -0.600, -2.905, -2.984, -1.2, 0, -4.769},
               highs[] = {1.2, 3.268, 0, 0.130, 4.976, 3.149, 1.2};
  for (int i = 0; i < 7; ++i) {
    // three digits, and samples every 0.1 s; the reference used the rounded table
    EXPECT_NEAR(low[i], lows[i], 2e-3) << i;
    EXPECT_NEAR(high[i], highs[i], 2e-3) << i;
  }
  // moving along y, both pairs of the four-wheeler turn alike, and no roller does
  const WheelLayout layout = SeedPlatform::four_wheels().layout;
  const Vector3d ahead(0, 0, 1);
  const VectorXd along = hub_jacobian(layout) * ahead;
  EXPECT_NEAR(along[0], along[3], 1e-14);
  EXPECT_NEAR(along[1], along[2], 1e-14);
  EXPECT_LT(largest_of(roller_jacobian(layout, 0.01) * ahead), 1e-13);
}

// Motion of the platform from its wheels: the inverse, and the residual of inconsistent wheels.
TEST(saha_platforms, motion_of_the_platform_follows_from_its_wheels) {
  shows({"S-41", "assemble"});
  for (const SeedPlatform& platform : {SeedPlatform::three_wheels(), SeedPlatform::four_wheels(),
                                       SeedPlatform::six_wheels(), unsymmetric()}) {
    const Vector3d nu(0.4, 0.8, -0.5);
    PlatformAsked posed(platform);
    posed.move(nu, Vector3d::Zero(), 0.6);
    const VectorXd rates = posed.wheels(vector_of(posed.state.v));
    const MatrixXd L = hub_jacobian(platform.layout);
    EXPECT_LT(largest_of(L.householderQr().solve(rates) - nu), 1e-13);
    // and by the engine alone: with all wheels at these rates the platform has one motion
    State state = posed.state;
    std::fill_n(state.v.begin(), 3, 0.0);
    std::vector<JointId> hubs;
    for (std::size_t k = 1; k <= platform.layout.size(); ++k)
      hubs.push_back(*posed.model.find_joint("wheel" + std::to_string(k)));
    ASSERT_TRUE(assemble(posed.model, state, posed.workspace, {.keep = hubs}).ok());
    EXPECT_LT(largest_of(vector_of(state.v) - vector_of(posed.state.v)), 1e-10);
    // the pose, integrated with constant wheel rates over 5 s: a circle
    const double turn = nu[0] * 5, time = 5;
    const double c = (1 - std::cos(turn)) / nu[0], s = std::sin(turn) / nu[0];
    const double x = s * nu[1] - c * nu[2], y = c * nu[1] + s * nu[2];
    State rolling = posed.state;
    rolling.q.assign(rolling.q.size(), 0.0);
    const auto slope = [&](const VectorXd& q) {
      State now = rolling;
      now.q = list_of(q);
      std::fill_n(now.v.begin(), 3, 0.0);
      EXPECT_TRUE(assemble(posed.model, now, posed.workspace, {.keep = hubs}).ok());
      return vector_of(now.v);
    };
    VectorXd q = vector_of(rolling.q);
    const double step = 0.05;
    for (int k = 0; k < int(time / step + 0.5); ++k) {
      const VectorXd k1 = slope(q), k2 = slope(q + step / 2 * k1), k3 = slope(q + step / 2 * k2),
                     k4 = slope(q + step * k3);
      q += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    EXPECT_NEAR(q[0], x, 1e-7);  // fourth order, 0.02 rad per step
    EXPECT_NEAR(q[1], y, 1e-7);
    EXPECT_NEAR(q[2], turn, 1e-12);
  }
}

// S-T07: inertia in the motion of the platform, and torques for unit accelerations.
TEST(saha_platforms, accelerate_as_computed) {
  shows({"S-42", "inverse_dynamics", "forward_dynamics"}, {"S-31", "inverse_dynamics"});
  struct Case {
    SeedPlatform platform;
    Vector3d inertia, wrench;
  };
  const Case cases[] = {
      {SeedPlatform::three_wheels(), {2.53215, 39.5, 39.5}, {0.50643, -4.25, 35.86}},
      {SeedPlatform::four_wheels(true), {2.700508, 49, 49}, {0.540102, -5.7, 43.8}},
      {SeedPlatform::six_wheels(), {3.3576, 47, 47}, {0.67152, -5.3, 42.28}},
      {unsymmetric(), Vector3d::Zero(), {0.20826, -1.572086, 15.525941}},
  };
  const Vector3d nu(0.4, 0.8, -0.5), change(0.2, -0.3, 0.6);
  for (const auto& [platform, inertia, wrench] : cases) {
    const MatrixXd L = hub_jacobian(platform.layout);
    if (inertia.norm() > 0)
      for (int k = 0; k < 3; ++k) {
        const Vector3d column = platform.wrench(Vector3d::Zero(), Vector3d::Unit(k));
        EXPECT_LT(largest_of(column - inertia[k] * Vector3d::Unit(k)), digits5);
      }
    EXPECT_LT(largest_of(platform.wrench(nu, change) - wrench), 2 * digits5);
    // w_C = L^T tau of the engine, for any number of wheels, in any motion
    PlatformAsked posed(platform);
    const VectorXd tau = posed.wheels(posed.tau({.a = list_of(posed.move(nu, change))}));
    EXPECT_LT(largest_of(L.transpose() * tau - platform.wrench(nu, change)), 1e-11);
    // and forward again
    const VectorXd a = posed.move(nu, change);
    VectorXd all = VectorXd::Zero(a.size());
    all.tail(tau.size()) = tau;
    EXPECT_LT(largest_of(posed.a({.tau = list_of(all)}) - a), 1e-11);
  }

  // printed minimum-norm torques for unit accelerations: 1 m/s^2 along x, along y, 1 rad/s^2
  const double six[3][6] = {{1.566667, -0.783333, -0.783333, 0.783333, 0.783333, -1.566667},
                            {0, 1.356773, -1.356773, -1.356773, 1.356773, 0},
                            {-0.186533, -0.186533, -0.186533, -0.186533, -0.186533, -0.186533}};
  const double four[3][4] = {{-1.225, -1.225, 1.225, 1.225},
                             {-1.225, 1.225, 1.225, -1.225},
                             {0.676755, 0.676755, 0.676755, 0.676755}};
  const double three[3][3] = {
      {2.633333, -1.316667, -1.316667}, {0, 2.280534, -2.280534}, {-0.28135, -0.28135, -0.28135}};
  PlatformAsked with_six(SeedPlatform::six_wheels()), with_four(SeedPlatform::four_wheels(true)),
      with_three(SeedPlatform::three_wheels());
  for (int k = 0; k < 3; ++k) {
    const Vector3d unit = Vector3d::Unit(k < 2 ? k + 1 : 0);
    const auto torques = [&](PlatformAsked& posed) {
      return posed.wheels(posed.tau({.a = list_of(posed.move(Vector3d::Zero(), unit))}));
    };
    const VectorXd t6 = torques(with_six), t4 = torques(with_four), t3 = torques(with_three);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(t6[i], six[k][i], digits6);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(t4[i], four[k][i], digits6);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(t3[i], three[k][i], digits6);
  }
}

// Free motion: the yaw rate is constant, and the velocity turns in the axes of the vehicle.
TEST(saha_platforms, roll_freely_as_computed) {
  struct Case {
    SeedPlatform platform;
    double pose[3], velocity[2], energy;
  };
  const Case cases[] = {{SeedPlatform::three_wheels(),
                         {2.0, 4.0910467, -2.3457715},
                         {-0.7458883, -0.5776250},
                         17.780072},
                        {SeedPlatform::four_wheels(true),
                         {2.0, 4.1858820, -2.1631024},
                         {-0.6926750, -0.6404697},
                         22.0210406}};
  for (const auto& [platform, pose, velocity, energy] : cases) {
    PlatformAsked posed(platform);
    posed.move({.x_rate = 0.8, .y_rate = -0.5, .yaw_rate = 0.4});
    EXPECT_NEAR(posed.energies().kinetic, energy, 5.1e-7);
    posed.run(0.01, 500);
    const std::vector<double>&q = posed.state.q, &v = posed.state.v;
    // seven digits; the error of the method at this step is below 1e-10
    EXPECT_NEAR(q[2], pose[0], 5.1e-8);
    EXPECT_NEAR(q[0], pose[1], 5.1e-8);
    EXPECT_NEAR(q[1], pose[2], 5.1e-8);
    const double c = std::cos(q[2]), s = std::sin(q[2]);
    EXPECT_NEAR(c * v[0] + s * v[1], velocity[0], 5.1e-8);
    EXPECT_NEAR(-s * v[0] + c * v[1], velocity[1], 5.1e-8);
    EXPECT_NEAR(v[2], 0.4, 1e-12);
    EXPECT_NEAR(posed.energies().kinetic, energy, 5.1e-7);
  }
}

// S-T13: three wheels with rollers have one holonomic relation, theta1 + theta2 + theta3 + 9 psi.
TEST(saha_platforms, three_wheels_hide_one_relation) {
  PlatformAsked posed(SeedPlatform::three_wheels());
  Reachability found;
  ASSERT_TRUE(reachability(posed.model, posed.state, posed.workspace, found).ok());
  EXPECT_EQ(found.growth, (std::vector<int>{3, 5}));
  EXPECT_EQ(found.configuration, 6);
  EXPECT_EQ(found.hidden, 1);
  const MatrixXd L = hub_jacobian(SeedPlatform::three_wheels().layout);
  EXPECT_LT((L.colwise().sum() + 9 * Eigen::RowVector3d::Unit(0)).norm(), 1e-14);
}

std::vector<std::string> wheels_but(int count, std::initializer_list<int> driven) {
  std::vector<std::string> idle;
  for (int k = 1; k <= count; ++k)
    if (std::find(driven.begin(), driven.end(), k) == driven.end())
      idle.push_back("wheel" + std::to_string(k));
  return idle;
}

struct Shared {
  SeedPlatform platform;
  std::vector<int> driven;
  AllocationOptions options;
  std::vector<double> most, at[3];  // over path 3; at 7.5 s, 24 s, 52.5 s
};
// Section 3.9 and S-T08: the table, with the driven wheels and their limits.
std::vector<Shared> shared_cases() {
  const auto three = SeedPlatform::three_wheels(), four = SeedPlatform::four_wheels(true),
             six = SeedPlatform::six_wheels();
  return {
      {three,
       {1, 2, 3},
       {},
       {.102523, .094822, .081911},
       {{0, .028658, -.028658}, {-.099671, .066581, .024288}, {-.033091, .016546, .016546}}},
      {four,
       {1, 2, 3},
       {.idle = wheels_but(4, {1, 2, 3})},
       {.079674, .116810, .076877},
       {{-.030788, .030788, 0}, {-.009828, .112751, -.074690}, {0, .030788, -.030788}}},
      {four,
       {1, 2, 3, 4},
       {},
       {.045885, .065414, .046887, .051481},
       {{-.015394, .015394, .015394, -.015394},
        {.039489, .063434, -.025372, -.049317},
        {.015394, .015394, -.015394, -.015394}}},
      {four,
       {1, 2, 3, 4},
       {.limits = {{"wheel4", 0.01}}},
       {.069674, .106810, .066877, .01},
       {{-.020788, .020788, .01, -.01},
        {.000172, .102751, -.064690, -.01},
        {.01, .020788, -.020788, -.01}}},
      {six,
       {1, 2, 3},
       {.idle = wheels_but(6, {1, 2, 3})},
       {.121715, .113339, .097909},
       {{0, .034099, -.034099}, {-.118090, .079175, .027242}, {-.039375, .019687, .019687}}},
      {six,
       {2, 3, 4, 5},
       {.idle = wheels_but(6, {2, 3, 4, 5})},
       {.096016, .076478, .101977, .082614},
       {{.01705, -.01705, -.01705, .01705},
        {.095714, .069748, -.101550, -.075584},
        {.029531, .029531, -.029531, -.029531}}},
      {six,
       {2, 3, 4, 5},
       {.limits = {{"wheel2", 0.01}}, .idle = wheels_but(6, {2, 3, 4, 5})},
       {.01, .160379, .187992, .088199},
       {{.01, -.01, -.024099, .024099},
        {.01, .155462, -.187265, .010130},
        {.01, .049062, -.049062, -.01}}},
      {six,
       {1, 2, 3, 4, 5, 6},
       {},
       {.060857, .056670, .048955, .060626, .044863, .056793},
       {{0, .01705, -.01705, -.01705, .01705, 0},
        {-.059045, .039587, .013621, -.043478, -.017512, .055154},
        {-.019687, .009844, .009844, -.009844, -.009844, .019687}}},
      {six,
       {1, 2, 3, 4, 5, 6},
       {.limits = {{"wheel2", 0.01}, {"wheel6", 0.025}}},
       {.090907, .01, .077513, .083783, .088247, .025},
       {{0, .01, -.01705, -.0194, .02175, .0047},
        {-.088972, .01, .073476, -.073292, .042116, .025},
        {-.019687, .009844, .009844, -.009844, -.009844, .019687}}},
  };
}

TEST(saha_platforms, share_torques_along_path_3_as_computed) {
  shows({"S-33", "allocate_efforts"}, {"S-34", "allocate_efforts"}, {"S-43", "allocate_efforts"});
  const PlanarPath path = seed_path_3();
  const double times[] = {7.5, 24, 52.5};
  int number = 0;
  for (const Shared& shared : shared_cases()) {
    SCOPED_TRACE(++number);
    PlatformAsked posed(shared.platform);
    const auto torques = [&](double time) {
      const VectorXd all =
          posed.wheels(posed.allocated(posed.move(path.at(time)), shared.options).efforts.tau);
      std::vector<double> out;
      for (const int wheel : shared.driven) out.push_back(all[wheel - 1]);
      // the others idle
      double sum = 0;
      for (const double each : out) sum += std::abs(each);
      EXPECT_NEAR(all.cwiseAbs().sum(), sum, 1e-15);
      return out;
    };
    for (int k = 0; k < 3; ++k) {
      const std::vector<double> found = torques(times[k]);
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], shared.at[k][i], digits6 + 5e-7) << times[k] << " " << i;
    }
    std::vector<double> most(shared.driven.size(), 0.0);
    for (int k = 0; k <= 1200; ++k) {
      const std::vector<double> now = torques(0.05 * k);
      for (std::size_t i = 0; i < now.size(); ++i) most[i] = std::max(most[i], std::abs(now[i]));
    }
    for (std::size_t i = 0; i < most.size(); ++i)
      EXPECT_NEAR(most[i], shared.most[i], digits6 + 5e-7) << i;
  }

  // four wheels with 0.01 N m each: infeasible at 84 of 121 samples, and reported
  PlatformAsked weak(SeedPlatform::four_wheels(true));
  AllocationOptions tight;
  for (int k = 1; k <= 4; ++k) tight.limits.emplace_back("wheel" + std::to_string(k), 0.01);
  int refused = 0;
  for (int k = 0; k <= 120; ++k) {
    const std::vector<double> a = list_of(weak.move(path.at(0.5 * k)));
    Allocation found;
    const Status status =
        allocate_efforts(weak.model, weak.state, {.a = a}, weak.workspace, found, tight);
    refused += status.ok() ? 0 : 1;
    // at 24 s minimum-norm torques within limits increased by x; all four at the limit: the
    // self-stress (1, -1, 1, -1) makes two of them equal
    if (k == 48) {
      EXPECT_NE(status.message().find("there is no solution within the limits"), std::string::npos);
      EXPECT_NE(status.message().find("'wheel2'"), std::string::npos) << status.message();
    }
  }
  EXPECT_EQ(refused, 84);
}

}  // namespace
}  // namespace trammel::platforms_test
