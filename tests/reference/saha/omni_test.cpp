// OMNI, the program of [Saha 1991, section 3.13]: four levels on the vehicles of S-T04, S-T06,
// S-T08 and S-T09.
#include <cstdio>
#include <fstream>

#include "tests/reference/from_gallery.hpp"
#include "tests/reference/saha/platforms.hpp"
#include "tests/support/capability.hpp"
#include "trammel/constraint/assembly/inverse_kinematics.hpp"
#include "trammel/read/table/table.hpp"
#include "trammel/simulate/path/described_path.hpp"
#include "trammel/simulate/path/follow_path.hpp"

namespace trammel::omni_test {
namespace {

using Eigen::VectorXd;

Trajectory followed(Posed& posed, const std::string& place, const PlanarPath& path,
                    const FollowOptions& options = {}) {
  Trajectory out;
  const Status status = follow_path(posed.model, posed.state, frame_ref(posed.model, place), path,
                                    options, posed.workspace, out);
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}
TrackingErrors replayed(Posed& posed, const std::string& place, const PlanarPath& path,
                        const Trajectory& plan, const RunOptions& run = {}) {
  TrackingErrors out;
  const Status status = replay_efforts(posed.model, frame_ref(posed.model, place), path, plan, run,
                                       posed.workspace, out);
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}

// Levels 1 and 2: the rates integrate to the computed angles.
TEST(saha_omni, angles_at_the_end_of_path_3_are_as_computed) {
  shows({"S-49", "follow_path"});
  const PlanarPath path = seed_path_3();
  struct Case {
    SeedPlatform platform;
    std::vector<double> final;
  };
  // with the table as printed, d = 0.36 m and 56.3 degrees, for four wheels
  const Case cases[] = {
      {SeedPlatform::three_wheels(), {-4.54176, 47.083123, -56.678530}},
      {SeedPlatform::four_wheels(true), {-58.510429, 61.303208, 61.644465, -58.169171}},
      {SeedPlatform::six_wheels(),
       {-4.54176, 47.083123, -56.678530, -56.507901, 47.253752, -4.883018}}};
  for (const auto& [platform, final] : cases) {
    PlatformAsked posed(platform);
    const Trajectory plan =
        followed(posed, "platform", path, {.sample = 0.2, .has_efforts = false});
    EXPECT_EQ(plan.times.size(), 301u);
    // integrated to fourth order in steps of 0.05 s
    EXPECT_LT(plan.position_error, 1e-8);
    EXPECT_LT(plan.yaw_error, 1e-10);
    for (std::size_t k = 0; k < final.size(); ++k)
      EXPECT_NEAR(plan.states.back().q[3 + k], final[k], final[k] == -4.54176 ? 5.1e-6 : 1e-6) << k;
    // independently: quadrature of L nu, by Simpson's rule
    VectorXd sum = VectorXd::Zero(Eigen::Index(final.size()));
    const int n = 12000;
    for (int k = 0; k <= n; ++k) {
      const VehicleMotion m = in_vehicle_axes(path.at(60.0 * k / n));
      const double weight = k == 0 || k == n ? 1 : k % 2 == 1 ? 4 : 2;
      sum += weight * 60.0 / (3 * n) * hub_jacobian(platform.layout) *
             Eigen::Vector3d(m.yaw_rate, m.x_rate, m.y_rate);
    }
    for (std::size_t k = 0; k < final.size(); ++k)
      EXPECT_NEAR(plan.states.back().q[3 + k], sum[Eigen::Index(k)], 1e-8);
  }
  // the holonomic relation: theta1 + theta2 + theta3 + 9 psi = 0
  PlatformAsked three(SeedPlatform::three_wheels());
  const std::vector<double> q =
      followed(three, "platform", path, {.sample = 0.2, .has_efforts = false}).states.back().q;
  EXPECT_NEAR(q[3] + q[4] + q[5] + 9 * q[2], 0, 1e-9);
}

// S-T06: the passive rollers, at both levels.
TEST(saha_omni, rollers_turn_along_path_3_as_computed) {
  shows({"S-48", "follow_path"}, {"S-49", "follow_path"});
  const PlanarPath path = seed_path_3();
  struct Case {
    SeedPlatform platform;
    std::vector<double> fastest, final;
  };
  const Case cases[] = {
      {SeedPlatform::three_wheels(), {33.60, 17.24, 31.40}, {599.07, -301.01, -298.06}},
      {SeedPlatform::four_wheels(true), {33.68, 33.68, 25.71, 25.71}, {}}};
  for (const auto& [platform, fastest, final] : cases) {
    PlatformAsked posed(platform);
    const Trajectory plan = followed(posed, "platform", path, {.steps = 1, .has_efforts = false});
    ASSERT_EQ(plan.rollers.size(), fastest.size());
    VectorXd most = VectorXd::Zero(Eigen::Index(fastest.size()));
    for (const VectorXd& rates : plan.roller_rates) most = most.cwiseMax(rates.cwiseAbs());
    // two printed decimals
    for (std::size_t k = 0; k < fastest.size(); ++k)
      EXPECT_NEAR(most[Eigen::Index(k)], fastest[k], 5.1e-3) << k;
    for (std::size_t k = 0; k < final.size(); ++k)
      EXPECT_NEAR(plan.roller_angles.back()[Eigen::Index(k)], final[k], 5.1e-3) << k;
    // independently: quadrature of L' nu, by Simpson's rule; rates of 34 rad/s over 60 s
    VectorXd sum = VectorXd::Zero(most.size());
    const int n = 12000;
    for (int k = 0; k <= n; ++k) {
      const VehicleMotion m = in_vehicle_axes(path.at(60.0 * k / n));
      const double weight = k == 0 || k == n ? 1 : k % 2 == 1 ? 4 : 2;
      sum += weight * 60.0 / (3 * n) *
             roller_jacobian(platform.layout, SeedPlatform::roller_radius) *
             Eigen::Vector3d(m.yaw_rate, m.x_rate, m.y_rate);
    }
    EXPECT_LT(largest_of(plan.roller_angles.back() - sum), 1e-6);
  }
  PlatformAsked three(SeedPlatform::three_wheels());
  const Trajectory plan =
      followed(three, "platform", path, {.sample = 30, .steps = 600, .has_efforts = false});
  EXPECT_LT(largest_of(plan.roller_rates[1] - numbers({32.409061, -2.834399, -29.574662})), 1e-6);
  // L' is constant: L' times the printed acceleration of the platform at 30 s, which has seven
  // digits; a roller of 1 cm multiplies it by 100
  EXPECT_LT(
      largest_of(plan.roller_accelerations[1] -
                 roller_jacobian(SeedPlatform::three_wheels().layout, SeedPlatform::roller_radius) *
                     Eigen::Vector3d(0, 0.0339387, 0.0161672)),
      1e-5);
  // and by differences of the rates, with errors of some 20 h^2/6 and rounding over a short sample
  const Trajectory fine =
      followed(three, "platform", path, {.sample = 0.01, .steps = 1, .has_efforts = false});
  for (const std::size_t k : {1000UL, 2345UL, 4321UL})
    EXPECT_LT(largest_of(fine.roller_accelerations[k] -
                         (fine.roller_rates[k + 1] - fine.roller_rates[k - 1]) / 0.02),
              1e-3)
        << k;
  EXPECT_EQ(plan.rollers, (std::vector<std::string>{"wheel1_rim", "wheel2_rim", "wheel3_rim"}));
}

// Level 3: drive torques, unique with three drives and shared with more.
TEST(saha_omni, torques_along_path_3_are_as_computed) {
  shows({"S-50", "follow_path"});
  const PlanarPath path = seed_path_3();
  const auto most = [](const Trajectory& plan) {
    VectorXd out = VectorXd::Zero(plan.efforts[0].tau.size() - 3);
    for (const DriveEfforts& efforts : plan.efforts)
      out = out.cwiseMax(efforts.tau.tail(out.size()).cwiseAbs());
    return out;
  };
  PlatformAsked three(SeedPlatform::three_wheels()), six(SeedPlatform::six_wheels());
  const VectorXd of_three = most(followed(three, "platform", path, {.steps = 1}));
  const double expected_three[] = {.102523, .094822, .081911};
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(of_three[k], expected_three[k], 1e-6);
  const VectorXd of_six =
      most(followed(six, "platform", path,
                    {.steps = 1, .allocation = {.limits = {{"wheel2", 0.01}, {"wheel6", 0.025}}}}));
  const double expected_six[] = {.090907, .01, .077513, .083783, .088247, .025};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(of_six[k], expected_six[k], 1e-6);
  // unique: the engine accelerates under them as level 1 prescribes
  Trajectory plan = followed(three, "platform", path, {.sample = 5});
  for (std::size_t k = 0; k < plan.times.size(); ++k) {
    three.state = plan.states[k];
    EXPECT_LT(largest_of(three.a({.tau = list_of(plan.efforts[k].tau)}) - plan.a[k]), 1e-11);
  }
}

// Level 4, S-T09: six wheels with limited torques, steps of at most 0.3 s.
TEST(saha_omni, simulation_under_the_torques_stays_on_the_path) {
  shows({"S-51", "replay_efforts"}, {"S-53", "replay_efforts"});
  const PlanarPath path = seed_path_3();
  PlatformAsked six(SeedPlatform::six_wheels());
  const Trajectory plan =
      followed(six, "platform", path,
               {.steps = 1, .allocation = {.limits = {{"wheel2", 0.01}, {"wheel6", 0.025}}}});
  const TrackingErrors errors =
      replayed(six, "platform", path, plan, {.relative = 1e-6, .absolute = 1e-9, .step = 0.3});
  EXPECT_EQ(errors.times.size(), plan.times.size());
  // computed with steps of 0.3 s across the breakpoints of limited torques
  EXPECT_LT(errors.most_yaw, 4.5e-5);
  EXPECT_LT(errors.most_x, 2.3e-5);
  EXPECT_LT(errors.most_y, 1.5e-4);
  // the report has desired minus simulated values of the last sample
  const State& last = errors.states.back();
  const PlanarMotion to = path.at(60);
  EXPECT_NEAR(errors.x.back(), to.x - last.q[0], 1e-15);
  EXPECT_NEAR(errors.y.back(), to.y - last.q[1], 1e-15);
  EXPECT_NEAR(errors.yaw.back(), to.yaw - last.q[2], 1e-14);
  EXPECT_NEAR(errors.position.back()[3], plan.states.back().q[3] - last.q[3], 1e-12);
  EXPECT_NEAR(errors.velocity.back()[3], plan.states.back().v[3] - last.v[3], 1e-15);
  // finer samples of the torques, smaller errors: quadratic, because the derivatives of the torques
  // jump where the straights begin and end
  const Trajectory finer = followed(six, "platform", path, {.sample = 0.05, .steps = 1});
  const Trajectory rougher = followed(six, "platform", path, {.sample = 0.5});
  const double fine = replayed(six, "platform", path, finer).most_y,
               rough = replayed(six, "platform", path, rougher).most_y;
  EXPECT_LT(30 * fine, rough);
}

// S-T04: two wheels and a caster, the middle of the axle on two straights and a curve.
TEST(saha_omni, vehicle_with_a_caster_follows_two_straights) {
  FromGallery vehicle("s_t03");
  vehicle.posed.state.q.assign(vehicle.posed.state.q.size(), 0.0);
  const PlanarPath path = two_straights_path({}, 90 * degree);
  // heading errors accumulate: torques are sampled often, for their breakpoints at 15 and 45 s
  const double sample = 0.0125;
  const Trajectory plan = followed(vehicle.posed, "midpoint", path, {.sample = sample, .steps = 1});
  const Model& model = vehicle.posed.model;
  const auto of = [&](const std::vector<double>& all, const std::string& joint) {
    return all[std::size_t(model[*model.find_joint(joint)].q_start)];
  };
  const std::vector<double>& q = plan.states.back().q;
  EXPECT_NEAR(of(q, "left"), -163.911820, 1e-5);
  EXPECT_NEAR(of(q, "right"), -163.911820, 1e-5);
  EXPECT_NEAR(of(q, "caster"), -165.829928, 1e-5);
  EXPECT_NEAR(of(q, "steer"), 0, 1e-6);
  // torques at 10, 20 and 25 s, six digits
  const double torques[][3] = {
      {10, -0.007890, -0.007890}, {20, 0.000494, -0.014431}, {25, -0.020748, -0.024934}};
  for (const auto& [time, left, right] : torques) {
    const DriveEfforts& efforts = plan.efforts[std::size_t(time / sample + 0.5)];
    EXPECT_NEAR(efforts.tau[model[*model.find_joint("left")].v_start], left, 1e-6);
    EXPECT_NEAR(efforts.tau[model[*model.find_joint("right")].v_start], right, 1e-6);
  }
  const TrackingErrors errors = replayed(vehicle.posed, "midpoint", path, plan);
  // bound of [Saha 1991] at the end of the path
  EXPECT_LT(std::hypot(errors.x.back(), errors.y.back()), 2e-5);
}

// For any sampling: at the end the path requires nearly no motion while joints still move.
TEST(saha_omni, comes_to_rest_at_the_end_of_the_path) {
  const PlanarPath round = circle_path(5, 360 * degree, 60, 90 * degree),
                   across = two_straights_path({}, 90 * degree);
  for (const PlanarPath* path : {&round, &across})
    for (const auto& [sample, steps] : {std::pair{0.05, 1}, {0.1, 1}, {0.1, 2}}) {
      FromGallery vehicle("s_t03");
      const Trajectory plan = followed(vehicle.posed, "midpoint", *path,
                                       {.sample = sample, .steps = steps, .has_efforts = false});
      EXPECT_EQ(plan.times.back(), 60);
      for (const double rate : plan.states.back().v) EXPECT_NEAR(rate, 0, 1e-13);
    }
  // and inverse kinematics for a target at rest gives zero rates, too
  FromGallery moving("s_t03");
  const MotionTarget rest[] = {{.place = frame_ref(moving.posed.model, "midpoint"),
                                .angular = Vec3<double>{},
                                .linear = Vec3<double>{}}};
  std::vector<double> v(moving.posed.state.v.size());
  const Status status = inverse_kinematics_velocity(moving.posed.model, moving.posed.state, rest,
                                                    moving.posed.workspace, v);
  ASSERT_TRUE(status.ok()) << status.message();
  for (const double rate : v) EXPECT_NEAR(rate, 0, 1e-13);
}

// At the end it is at rest and shall be: the prescribed motion is rounding, and feasible.
TEST(saha_omni, a_platform_that_could_steer_comes_to_rest_too) {
  FromGallery platform("e_09");
  const PlanarPath ahead =
      planar_path({.place = "base", .forward = 0, .way = StraightWay{0, 1, 5}, .yaw = YawTurn{}});
  for (const double sample : {0.05, 0.1, 0.25}) {
    const Trajectory plan =
        followed(platform.posed, "base", ahead, {.sample = sample, .has_efforts = false});
    EXPECT_EQ(plan.times.back(), 5);
    for (const double rate : plan.states.back().v) EXPECT_NEAR(rate, 0, 1e-13);
    for (const double rate : plan.a.back()) EXPECT_NEAR(rate, 0, 1e-10);
  }
}

// The two files of the program, geometry and inertia, are one table here, a row per wheel: they
// cannot have different orders. Driven wheels may come first, as the program required, or anywhere.
TEST(saha_omni, table_of_wheels_may_have_any_order_and_errors_are_reported) {
  shows({"S-52", "read_table", "follow_path", "replay_efforts"});
  const std::string file = testing::TempDir() + "trammel_omni.csv";
  const auto vehicle = [&](const std::vector<int>& order, const std::string& more = "") {
    std::ofstream table(file);
    table << "name,type,distance,bearing [deg],axle [deg],radius,rollers [deg],mass,axial,across,"
             "driven"
          << more << "\n,platform,,,,,,32,1.7067,1.0888,\n";
    const int angles[] = {90, 210, 330, 30, 150, 270};
    for (const int k : order)
      table << "wheel" << k + 1 << ",omni,0.3," << angles[k] << "," << angles[k]
            << ",0.1,90,2,0.01,0.00515," << (k < 3 ? "yes" : "no") << "\n";
    table.close();
    Diagnostics found;
    const Description description = read_table(TableNotation::platform, file, {}, found);
    if (found.has_errors()) throw ModelError(std::move(found));
    return Posed(description, std::vector<double>(3 + order.size(), 0.0));
  };
  const PlanarPath path = seed_path_3();
  const FollowOptions options{.sample = 0.5};
  const double printed[] = {.121715, .113339, .097909};  // S-T08: six wheels, 1 to 3 driven
  for (const std::vector<int>& order :
       {std::vector{0, 1, 2, 3, 4, 5}, {3, 0, 4, 1, 5, 2}, {5, 4, 3, 2, 1, 0}}) {
    Posed posed = vehicle(order);
    const Trajectory plan = followed(posed, "platform", path, options);
    ASSERT_EQ(plan.times.size(), 121u);
    const auto effort = [&](std::size_t sample, int wheel) {
      const auto joint = posed.model.find_joint("wheel" + std::to_string(wheel));
      return plan.efforts[sample].tau[posed.model[*joint].v_start];
    };
    for (int wheel = 1; wheel <= 3; ++wheel) {
      double most = 0;
      for (std::size_t k = 0; k < 121; ++k) most = std::max(most, std::abs(effort(k, wheel)));
      // sampled at every 0.5 s: a little less than the printed peak, which is sampled at every 0.05
      // s
      EXPECT_LE(most, printed[wheel - 1] + 1e-6);
      EXPECT_GT(most, 0.995 * printed[wheel - 1]);
    }
    for (std::size_t k = 0; k < 121; ++k)
      for (int wheel = 4; wheel <= 6; ++wheel) EXPECT_EQ(effort(k, wheel), 0);
    // the report: joint angles, joint rates, x, y and yaw, at every sample
    const TrackingErrors errors = replayed(posed, "platform", path, plan);
    ASSERT_EQ(errors.times.size(), 121u);
    EXPECT_EQ(errors.position[60].size(), posed.model.nv());
    EXPECT_EQ(errors.velocity[60].size(), posed.model.nv());
    EXPECT_GT(errors.most_y, 0);
    EXPECT_LT(std::max({errors.most_x, errors.most_y, errors.most_yaw}), 0.01);
  }
  // the end is reported, also if the duration is not a multiple of the sample time
  {
    Posed six = vehicle({0, 1, 2, 3, 4, 5});
    const Trajectory plan = followed(six, "platform", path, {.sample = 0.7, .steps = 14});
    const TrackingErrors errors = replayed(six, "platform", path, plan);
    EXPECT_EQ(errors.times, plan.times);
    EXPECT_EQ(errors.times.back(), 60);
  }
  // three drives of six wheels have a unique solution: a limit below it is infeasible
  Posed posed = vehicle({0, 1, 2, 3, 4, 5});
  Trajectory plan;
  FollowOptions limited = options;
  limited.allocation.limits = {{"wheel2", 0.01}};
  const Status none = follow_path(posed.model, posed.state, frame_ref(posed.model, "platform"),
                                  path, limited, posed.workspace, plan);
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.message().find("there is no solution within the limits"), std::string::npos)
      << none.message();
  EXPECT_NE(none.message().find("'wheel2'"), std::string::npos) << none.message();
  // an unknown column is named, with its place
  try {
    static_cast<void>(vehicle({0, 1, 2}, ",heigth"));
    FAIL() << "the column was taken";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'height'?"), std::string::npos)
        << error.what();
  }
  std::remove(file.c_str());
}

TEST(saha_omni, says_what_a_vehicle_cannot_follow) {
  // two wheels on an axle do not move sideways
  FromGallery axle("s_t01");
  Trajectory plan;
  const FrameRef place = frame_ref(axle.posed.model, "axle");
  const Status sideways = follow_path(axle.posed.model, axle.posed.state, place,
                                      straight_path(1, 0, 10, 0), {}, axle.posed.workspace, plan);
  ASSERT_FALSE(sideways.ok());
  EXPECT_TRUE(sideways.message().starts_with("follow_path: at t = ")) << sideways.message();
  // too many samples to count
  const Status many =
      follow_path(axle.posed.model, axle.posed.state, place, straight_path(1, 0, 10, 0),
                  {.sample = 1e-300}, axle.posed.workspace, plan);
  EXPECT_NE(many.message().find("are more than 1e9 on a path of"), std::string::npos)
      << many.message();
  // torque limits too small, with the time
  PlatformAsked four(SeedPlatform::four_wheels());
  FollowOptions tight;
  for (int k = 1; k <= 4; ++k)
    tight.allocation.limits.emplace_back("wheel" + std::to_string(k), 0.01);
  const Status weak = follow_path(four.model, four.state, frame_ref(four.model, "platform"),
                                  seed_path_3(), tight, four.workspace, plan);
  ASSERT_FALSE(weak.ok());
  EXPECT_NE(weak.message().find("there is no solution within the limits"), std::string::npos);
  // S-T08: infeasible at 84 of 121 samples taken every 0.5 s; and the worst time, with all limits
  // scaled alike: torques may change by z (1, -1, 1, -1), so half the range of (1, -1, 1, -1)
  // torque is the smallest possible maximum
  tight.sample = 0.5;
  const Status often = follow_path(four.model, four.state, frame_ref(four.model, "platform"),
                                   seed_path_3(), tight, four.workspace, plan);
  EXPECT_NE(often.message().find("at 84 of 121 samples"), std::string::npos) << often.message();
  PlatformAsked strong(SeedPlatform::four_wheels());
  const Trajectory free = followed(strong, "platform", seed_path_3(), {.sample = 0.5});
  double worst = 0, worst_at = 0;
  for (std::size_t k = 0; k < free.times.size(); ++k) {
    const VectorXd turned = free.efforts[k].tau.tail(4).cwiseProduct(numbers({1, -1, 1, -1}));
    const double lacks = (turned.maxCoeff() - turned.minCoeff()) / 2 - 0.01;
    if (lacks > worst) worst = lacks, worst_at = free.times[k];
  }
  char told[80];
  std::snprintf(told, sizeof told, "worst at t = %.4g s, where %.4g is lacking", worst_at, worst);
  EXPECT_NE(often.message().find(told), std::string::npos) << told << " in " << often.message();
  EXPECT_FALSE(follow_path(four.model, four.state, frame_ref(four.model, "platform"), seed_path_3(),
                           {.sample = 0}, four.workspace, plan)
                   .ok());
}

}  // namespace
}  // namespace trammel::omni_test
