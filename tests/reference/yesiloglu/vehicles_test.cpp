// Vehicles of [Yesiloglu 2007]: the two-wheeled cart (E-07, E-08), the 4x4x4 platform (E-09, E-10),
// and the same with an arm on it (E-12a).
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <numbers>
#include <random>

#include "tests/support/capability.hpp"
#include "tests/support/motion_of.hpp"
#include "trammel/constraint/forces/wheel_contacts.hpp"
#include "trammel/constraint/mobility/orthogonal_complement.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::vehicles_test {

namespace {

constexpr double g = 9.81;

// Forward dynamics with the inputs of the model.
struct Answer {
  ConstrainedAnswer motion;
  std::vector<WheelContact> contacts;
  double a(const Model& model, const std::string& joint, int k = 0) const {
    return motion.a[model[*model.find_joint(joint)].v_start + k];
  }
  double force(const std::string& wheel, const std::string& push) const {
    for (const WheelContact& contact : contacts)
      for (const WheelContact::RowForce& one : contact.row_forces)
        if (contact.wheel == wheel && one.name == push) return one.force;
    ADD_FAILURE() << wheel << " has no " << push;
    return 0;
  }
};
Answer answer_of(MotionOf& run, ConstraintSolver solver = ConstraintSolver::automatic) {
  SimulationInputs::Acting acting(run.model);
  run.run_inputs.evaluate(run.state, acting);
  const Inputs inputs = run.run_inputs.inputs(acting);
  Answer out;
  Status status =
      constrained_dynamics(run.model, run.state, inputs, run.workspace, out.motion, solver);
  EXPECT_TRUE(status.ok()) << status.message();
  status = wheel_contacts(run.model, run.state, inputs, run.workspace, out.contacts);
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}
MotionOf cart(double left, double right) {
  return MotionOf(load_model("@e_07", {.set = {{"left_torque", left}, {"right_torque", right}}}));
}
MotionOf platform(double drive, double steer) {
  return MotionOf(load_model("@e_09", {.set = {{"drive", drive}, {"steer", steer}}}));
}
const char* const corners[] = {"front_left", "front_right", "rear_left", "rear_right"};

int independent_rows(const Model& model, const State& state) {
  Workspace workspace(model);
  RowBasis basis;
  const Status status = row_basis(model, state, workspace, basis);
  EXPECT_TRUE(status.ok()) << status.message();
  return int(basis.rank());
}

}  // namespace

// Closed forms: v' = (t1 + t2) / (r M_e), yaw'' = (t2 - t1) w / (r I_e).
TEST(YesilogluVehicles, E_07_and_E_08_at_the_start) {
  shows({"Y-52", "constrained_dynamics", "wheel_contacts"});
  const double r = 0.15, w = 0.3, M_e = 13, I_e = 0.58125, I_a = 0.01125;
  for (const auto& [left, right] :
       {std::pair(0.2, 0.2), std::pair(0.2, -0.2), std::pair(0.2, 0.1)}) {
    MotionOf run = cart(left, right);
    const double v_dot = (left + right) / (r * M_e), yaw = (right - left) * w / (r * I_e);
    for (const ConstraintSolver solver : {ConstraintSolver::schur, ConstraintSolver::null_space,
                                          ConstraintSolver::kkt, ConstraintSolver::sparse}) {
      const Answer now = answer_of(run, solver);
      EXPECT_NEAR(now.a(run.model, "ride", 1), v_dot, 1e-13);
      EXPECT_NEAR(now.a(run.model, "ride", 3), yaw, 1e-12);
      EXPECT_NEAR(now.a(run.model, "ride", 5), (left + right) / 0.2, 1e-12);
      EXPECT_NEAR(now.force("left", "force up"), 58.86, 1e-11);
      EXPECT_NEAR(now.force("right", "force up"), 58.86, 1e-11);
      // traction (t - I_a alpha) / r, expressed backward along the rolling direction of a positive
      // rate
      const double alpha_left = (v_dot - yaw * w) / r, alpha_right = (v_dot + yaw * w) / r;
      EXPECT_NEAR(-now.force("left", "force along"), (left - I_a * alpha_left) / r, 1e-12);
      EXPECT_NEAR(-now.force("right", "force along"), (right - I_a * alpha_right) / r, 1e-12);
    }
    // 6 rows, rank 5; 12 and 11 in [Yesiloglu 2007]
    EXPECT_EQ(independent_rows(run.model, run.state), 5);
  }
}

// Two seconds of each, to the printed digits.
TEST(YesilogluVehicles, E_07_and_E_08_in_motion) {
  {
    MotionOf run = cart(0.2, 0.2);
    ASSERT_TRUE(run.go(2).ok());
    EXPECT_NEAR(run.state.q[1], 0.41025641, 5e-9);
    EXPECT_NEAR(run.state.v[1], 0.41025641, 5e-9);
    EXPECT_NEAR(run.state.v[5], 4, 1e-8);
    // rate of the wheel itself: relative to the rod, which turns with 4 rad/s
    EXPECT_NEAR(-(run.state.v[6] + run.state.v[5]), 2.735043, 5e-7);
  }
  {
    MotionOf run = cart(0.2, -0.2);
    ASSERT_TRUE(run.go(2).ok());
    EXPECT_NEAR(run.state.v[3], -2.752688172, 5e-9);
    EXPECT_NEAR(run.state.q[3], -2.752688172, 5e-9);
    EXPECT_NEAR(std::hypot(run.state.q[0], run.state.q[1]), 0, 1e-9);
  }
  {
    MotionOf run = cart(0.2, 0.1);
    ASSERT_TRUE(run.go(2).ok());
    EXPECT_NEAR(run.state.q[0], 0.101760, 5e-7);
    EXPECT_NEAR(run.state.q[1], 0.283975, 5e-7);
    EXPECT_NEAR(run.state.q[3], -0.688172043, 5e-9);
    EXPECT_NEAR(std::hypot(run.state.v[0], run.state.v[1]), 0.307692308, 5e-9);
    // on a circle about (0.447115, 0)
    for (const State& seen : run.samples)
      EXPECT_NEAR(std::hypot(seen.q[0] - 0.447115, seen.q[1]), 0.447115, 1e-6);
    // centripetal force m v yaw' of the floor, half of it at each wheel
    const Answer now = answer_of(run);
    const double across = now.force("left", "force across");
    EXPECT_NEAR(std::abs(across), 1.270471, 5e-7);
    EXPECT_NEAR(now.force("right", "force across"), across, 1e-9);
    EXPECT_NEAR(now.force("left", "force up"), 58.86, 1e-9);
  }
}

// Driving: closed forms with load transfer to the rear.
TEST(YesilogluVehicles, E_10_drives) {
  shows({"Y-65", "wheel_contacts"});
  MotionOf run = platform(2, 0);
  const Answer now = answer_of(run);
  const double m = 88, r = 0.15, I_a = 0.045, tau = 2;
  const double a = 4 * tau / (r * (m + 4 * I_a / (r * r)));
  EXPECT_NEAR(a, 0.555555556, 5e-10);
  EXPECT_NEAR(now.a(run.model, "ride", 4), a, 1e-12);
  // moments about the line of the front contacts: 60 at 0.35, 12 at 0.25, 16 at 0.15 m
  const double moment = (60 * 0.35 + 12 * 0.25 + 16 * 0.15) * a + 4 * I_a * a / r;
  EXPECT_NEAR(moment, 15.3333, 5e-5);
  const double shift = moment / (2 * 0.8);
  for (const char* corner : corners) {
    const bool is_front = std::string_view(corner).starts_with("front");
    EXPECT_NEAR(now.force(corner, "force up"), m * g / 4 + (is_front ? -shift : shift), 1e-10);
    EXPECT_NEAR(now.force(corner, "force up"), is_front ? 206.236667 : 225.403333, 5e-7);
    EXPECT_NEAR(-now.force(corner, "force along"), 12.222222, 5e-7);
    EXPECT_NEAR(-now.a(run.model, std::string(corner) + "_drive"), 3.703703704, 5e-10);
  }
  ASSERT_TRUE(run.go(2).ok());
  EXPECT_NEAR(run.state.q[5], 1.111111, 5e-7);
}

// Contact forces of a coasting motion about a point 5 m to the right. The load transfer to the
// outer wheels is the moment of all accelerations of the centers and of the wheel spins about the
// heading; the inner wheels lift when it equals their static load.
TEST(YesilogluVehicles, E_09_rolls_over_at_the_speed_of_its_closed_form) {
  shows({"Y-65", "wheel_contacts"});
  MotionOf run = platform(0, 0);
  const double R = 5, r = 0.15, I_a = 0.045, m = 88, track = 0.6;
  const double heights = 60 * 0.35 + 12 * 0.25 + 16 * 0.15;  // [kg m]
  const auto contacts_at = [&](double speed) {
    const double yaw = -speed / R;
    State state = start_state(run.model);
    const auto dof = [&](const std::string& joint) {
      const NamedJoint& found = run.model[*run.model.find_joint(joint)];
      return std::pair(std::size_t(found.q_start), std::size_t(found.v_start));
    };
    state.v[dof("ride").second + 2] = yaw;
    state.v[dof("ride").second + 4] = speed;
    const double places[4][2] = {{-0.3, 0.4}, {0.3, 0.4}, {-0.3, -0.4}, {0.3, -0.4}};
    for (std::size_t k = 0; k < 4; ++k) {  // the axle points to the center
      const double x = R - places[k][0], y = -places[k][1];
      state.q[dof(corners[k] + std::string("_steer")).first] = std::atan2(y, x);
      state.v[dof(corners[k] + std::string("_drive")).second] = -speed / R * std::hypot(x, y) / r;
    }
    EXPECT_LT(closure_error(run.model, state, run.workspace).velocity, 1e-12);
    std::vector<WheelContact> contacts;
    const Status status = wheel_contacts(run.model, state, {}, run.workspace, contacts);
    EXPECT_TRUE(status.ok()) << status.message();
    return contacts;
  };
  const auto side = [](const std::vector<WheelContact>& contacts, const char* name) {
    double up = 0;
    for (const WheelContact& contact : contacts)
      if (contact.wheel.ends_with(name)) up += contact.up();
    return up;
  };
  for (const double speed : {1.0, 3.0, 6.0}) {
    const std::vector<WheelContact> contacts = contacts_at(speed);
    const double moment = (heights + 4 * I_a / r) * speed * speed / R;
    EXPECT_NEAR(side(contacts, "left"), m * g / 2 + moment / track, 1e-9) << speed;
    EXPECT_NEAR(side(contacts, "right"), m * g / 2 - moment / track, 1e-9) << speed;
    // traction: all of it is the centripetal force
    Vec3<double> push{};
    for (const WheelContact& contact : contacts)
      for (const WheelContact::RowForce& one : contact.row_forces)
        push = push + one.force * one.direction;
    EXPECT_NEAR(push.x, m * speed * speed / R, 1e-9) << speed;
    EXPECT_NEAR(push.y, 0, 1e-9) << speed;
    for (const WheelContact& contact : contacts) EXPECT_FALSE(contact.lifts()) << contact.wheel;
  }
  const double lift_off = std::sqrt(m * g * track / 2 * R / (heights + 4 * I_a / r));
  EXPECT_NEAR(side(contacts_at(lift_off), "right"), 0, 1e-9);
  for (const WheelContact& contact : contacts_at(1.01 * lift_off))
    EXPECT_EQ(contact.lifts(), contact.wheel.ends_with("right")) << contact.wheel;
}

// Steering: each leg turns alone, the base stays, and the floor reacts to the sum.
TEST(YesilogluVehicles, E_09_steers) {
  shows({"Y-53", "constrained_dynamics", "simulate"},
        {"Y-48", "constrained_dynamics", "wheel_contacts"});
  MotionOf run = platform(0, 0.5);
  const auto expect = [&](const std::array<double, 4>& across) {
    const Answer now = answer_of(run);
    for (std::size_t k = 0; k < 4; ++k) {
      const std::string corner = corners[k];
      EXPECT_NEAR(now.a(run.model, corner + "_steer"), 0.5 / 0.0425, 1e-9);
      EXPECT_NEAR(now.force(corner, "force up"), 215.82, 1e-8);
      EXPECT_NEAR(now.force(corner, "force across"), across[k], 5e-7) << corner;
    }
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(now.a(run.model, "ride", k), 0, 1e-9);
  };
  expect({-1.25, -1.25, 1.25, 1.25});
  ASSERT_TRUE(run.go(0.25).ok());
  EXPECT_NEAR(
      run.state.q[std::size_t(run.model[*run.model.find_joint("front_left_steer")].q_start)],
      0.367647, 5e-7);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(run.state.v[std::size_t(k)], 0, 1e-10);
  expect({-1.593487, -0.879203, 0.879203, 1.593487});
}

// Steering and driving, all legs alike: the platform moves as a point driven along the wheels,
// which turn. The drives act along the wheels, and the lateral constraint force does no work:
//   u' = 4 drive / (r (m + 4 I_a / r^2)),  angle'' = steer / I_leg,
//   x' = -u sin(angle),  y' = u cos(angle)
// from rest a circle of radius u' / angle'', on which the polar angle is that of the legs. The rows
// are dependent along the whole path, by this symmetry alone: integration errors must not lock it.
TEST(YesilogluVehicles, E_09_steers_and_drives) {
  shows({"Y-53", "simulate"});
  const double r = 0.15, M_e = 88 + 4 * 0.045 / (r * r), drive = 2, steer = 0.3;
  const double a = 4 * drive / (r * M_e), alpha = steer / 0.0425;
  for (const auto& [tolerance, duration] :
       {std::pair(1e-8, 2.0), std::pair(1e-8, 5.0), std::pair(1e-11, 2.0)}) {
    MotionOf run = platform(drive, steer);
    RunOptions options;
    options.relative = tolerance;
    options.absolute = 0.01 * tolerance;
    const Status status = run.go(duration, options);
    ASSERT_TRUE(status.ok()) << status.message();
    const double angle = 0.5 * alpha * duration * duration, u = a * duration;
    // a step may have an error of the tolerance, and some hundred of them are taken
    const double wrong = 1000 * tolerance;
    EXPECT_NEAR(run.q("ride", 4), a / alpha * (std::cos(angle) - 1), wrong) << tolerance;
    EXPECT_NEAR(run.q("ride", 5), a / alpha * std::sin(angle), wrong) << tolerance;
    EXPECT_NEAR(run.q("ride", 6), 0.35, 1e-12);
    EXPECT_NEAR(run.v("ride", 3), -u * std::sin(angle), 40 * wrong);  // it turns so fast
    EXPECT_NEAR(run.v("ride", 4), u * std::cos(angle), 40 * wrong);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(run.v("ride", k), 0, 1e-9);
    for (const char* corner : corners) {
      EXPECT_NEAR(run.q(std::string(corner) + "_steer"), angle, 40 * wrong);
      EXPECT_NEAR(run.v(std::string(corner) + "_drive"), -u / r, 40 * wrong);
    }
    Energy now;
    ASSERT_TRUE(energy(run.model, run.state, run.workspace, now).ok());
    EXPECT_NEAR(now.kinetic, 0.5 * M_e * u * u + 2 * 0.0425 * std::pow(alpha * duration, 2),
                100 * wrong * now.kinetic);
    for (const EventRecord& event_record : run.statistics.events)
      EXPECT_EQ(event_record.what.find("rank"), std::string::npos) << event_record.what;
  }
}

// The wheel loads of a rigid platform on four wheels are not unique. It lifts if no distribution
// has all wheels pressing: when the zero-moment point of weight and inertia forces leaves the
// rectangle of the wheels. By hand, on the circle above: the masses accelerate at their heights,
// and the spin axes of the wheels turn.
TEST(YesilogluVehicles, E_09_lifts_only_where_no_share_of_the_load_presses_everywhere) {
  const double r = 0.15, M_e = 88 + 4 * 0.045 / (r * r), drive = 2, steer = 0.3;
  const double a = 4 * drive / (r * M_e), alpha = steer / 0.0425;
  const double weight = 88 * g, m_z = 60 * 0.35 + 12 * 0.25 + 16 * 0.15, spin = 4 * 0.045 / r;
  const auto beyond = [&](double t) {  // distance outside of the rectangle, if positive
    const double angle = 0.5 * alpha * t * t, u = a * t, rate = alpha * t;
    const Eigen::Vector2d e(std::cos(angle), std::sin(angle)), n(-e.y(), e.x());  // n = k x e
    const Eigen::Vector2d acceleration = a * n - u * rate * e;
    const Eigen::Vector2d moment =
        m_z * Eigen::Vector2d(-acceleration.y(), acceleration.x()) - spin * (a * e + u * rate * n);
    const double x = -moment.y() / weight, y = moment.x() / weight;
    return std::max(std::abs(x) - 0.3, std::abs(y) - 0.4);
  };
  MotionOf run = platform(drive, steer);
  RunOptions options;
  options.duration = 2;
  options.sample = 0.01;
  int lifting = 0, pressing = 0;
  const auto watch = [&](const RunSnapshot& now) {
    SimulationInputs::Acting acting(now.model);
    now.run_inputs.evaluate(now.state, acting);
    std::vector<WheelContact> contacts;
    const Status status = wheel_contacts(now.model, now.state, now.run_inputs.inputs(acting),
                                         now.workspace, contacts);
    double sum = 0;
    for (const WheelContact& contact : contacts) sum += contact.up();
    EXPECT_NEAR(sum, weight, 1e-5);
    const bool lifts = std::ranges::any_of(contacts, &WheelContact::lifts);
    if (const double x = beyond(now.state.time); std::abs(x) > 1e-6) {
      EXPECT_EQ(lifts, x > 0) << now.state.time << " s, beyond by " << x;
    }
    ++(lifts ? lifting : pressing);
    return status;
  };
  const Status status =
      simulate(run.model, run.state, run.run_inputs, options, run.workspace, watch, run.statistics);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_GT(lifting, 10);
  EXPECT_GT(pressing, 100);
  // it is reported at its start: on the edge
  const auto first =
      std::ranges::find_if(run.statistics.events, [](const EventRecord& event_record) {
        return event_record.what.find("would lift") != std::string::npos;
      });
  ASSERT_NE(first, run.statistics.events.end());
  EXPECT_NEAR(beyond(first->time), 0, 1e-6);
}

// Parallel axles have redundant rows. Prescribed motions with which not all wheels can roll are
// reported nevertheless.
TEST(YesilogluVehicles, E_09_contradictory_prescribed_motions_stop_the_run) {
  for (const double right : {-1.0, -1.5}) {
    Description description = load_model("@e_09").description();
    description.inputs.clear();
    for (JointDescription& joint : description.joints)
      if (joint.name == "front_left_drive" || joint.name == "front_right_drive")
        joint.options.drive = Drive::motion;
    const Model model = build_model(description);
    Workspace workspace(model);
    SimulationInputs run_inputs(model);
    run_inputs.prescribe(model[*model.find_joint("front_left_drive")].v_start,
                         Signal::rest_to_rest(0, -1, 0, 1));
    run_inputs.prescribe(model[*model.find_joint("front_right_drive")].v_start,
                         Signal::rest_to_rest(0, right, 0, 1));
    State state;
    ASSERT_TRUE(assembled_start(model, workspace, state).ok());
    RunStatistics statistics;
    const Status status = simulate(
        model, state, run_inputs, {.duration = 1}, workspace,
        [](const RunSnapshot&) { return Status(); }, statistics);
    if (right == -1.0) {
      EXPECT_TRUE(status.ok()) << status.message();
      EXPECT_NEAR(state.q[5], 0.15, 1e-7);  // a rotation of 1 rad
      continue;
    }
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.message().find("contradicts"), std::string::npos) << status.message();
    EXPECT_NE(status.message().find("motions that agree"), std::string::npos) << status.message();
    EXPECT_LT(statistics.end, 0.1);
  }
}

// The number of redundant rows depends on the steering angles: rank 21 and 22 of 24 in
// [Yesiloglu 2007], 9 and 10 of 12 here.
TEST(YesilogluVehicles, E_09_rank_switches_with_steering) {
  shows({"Y-50", "row_basis"});
  const Model model = load_model("@e_09");
  const auto rank = [&](const std::array<double, 4>& angles) {
    State state = start_state(model);
    for (std::size_t k = 0; k < 4; ++k)
      state.q[std::size_t(model[*model.find_joint(corners[k] + std::string("_steer"))].q_start)] =
          angles[k];
    return independent_rows(model, state);
  };
  // straight; all alike; about a point to the side; about the center; arbitrary
  EXPECT_EQ(rank({0, 0, 0, 0}), 9);
  EXPECT_EQ(rank({0.7, 0.7, 0.7, 0.7}), 9);
  const auto about = [](double x, double y) {
    std::array<double, 4> angles;
    const double places[4][2] = {{-0.3, 0.4}, {0.3, 0.4}, {-0.3, -0.4}, {0.3, -0.4}};
    for (int k = 0; k < 4; ++k)  // the axle points to it
      angles[std::size_t(k)] = std::atan2(y - places[k][1], x - places[k][0]);
    return angles;
  };
  EXPECT_EQ(rank(about(2.0, -0.4)), 9);
  EXPECT_EQ(rank(about(0.0, 0.0)), 9);
  EXPECT_EQ(rank({0.3, -0.2, 0.5, 0.1}), 10);
}

// Null-space basis of rolling: its columns move no contact point; the self-stress of the wheels
// does no work in any of them, and the reported one has minimum norm.
TEST(YesilogluVehicles, contacts_are_at_rest_and_squeeze_is_least) {
  shows({"Y-45", "orthogonal_complement", "constraint_jacobian"},
        {"Y-46", "orthogonal_complement", "velocity"}, {"Y-47", "wheel_contacts"});
  MotionOf run = platform(2, 0.3);
  ASSERT_TRUE(run.go(0.1).ok());
  OrthogonalComplement complement;
  ASSERT_TRUE(
      trammel::orthogonal_complement(run.model, run.state, {}, run.workspace, complement).ok());
  Eigen::MatrixXd J;
  ASSERT_TRUE(constraint_jacobian(run.model, run.state, run.workspace, J).ok());
  EXPECT_LT((J * complement.T).norm(), 1e-12);
  const Eigen::VectorXd v =
      Eigen::Map<const Eigen::VectorXd>(run.state.v.data(), Eigen::Index(run.state.v.size()));
  EXPECT_LT((J * v).norm(), 1e-12);

  // contact points by hand: the material point at the bottom of each wheel
  Positions seen(run.model);
  ASSERT_TRUE(positions(run.model, run.state, run.workspace, seen).ok());
  for (const char* corner : corners) {
    const std::string name = std::string(corner) + "_wheel";
    const BodyId body = *run.model.find_body(name);
    const Pose<double> X = pose(run.model, seen, {body});
    Pose<double> down = Pose<double>::identity();
    down.p = transpose(X.R) * Vec3<double>{0, 0, -0.15};
    Kinematics moving(run.model);
    ASSERT_TRUE(kinematics(run.model, run.state, {}, run.workspace, moving).ok());
    const Motion<double> V = velocity(run.model, moving, {body, down}, Axes::world);
    EXPECT_NEAR(norm(V.linear), 0, 1e-12) << name;
  }

  // the wheel forces balance the constraint forces of the multipliers, with minimum norm
  const Answer now = answer_of(run);
  Eigen::VectorXd told(J.rows());
  Eigen::Index row = 0;
  bool has_chosen = false;
  for (const WheelContact& contact : now.contacts)
    for (const WheelContact::RowForce& push : contact.row_forces) {
      told[row++] = push.force;
      has_chosen |= !push.is_unique;
    }
  ASSERT_EQ(row, J.rows());
  EXPECT_TRUE(has_chosen);
  const Eigen::VectorXd effort = J.transpose() * now.motion.lambda;
  EXPECT_LT((J.transpose() * told - effort).norm(), 1e-9);
  const Eigen::MatrixXd J_transposed = J.transpose();
  const Eigen::VectorXd least = J_transposed.completeOrthogonalDecomposition().solve(effort);
  EXPECT_LT((told - least).norm(), 1e-7);
  EXPECT_LT((complement.T.transpose() * effort).norm(), 1e-9);  // it does no work
}

// E-12a: an arm with locked joints is a rigid part of the base; with free joints energy is
// constant.
TEST(YesilogluVehicles, E_12a_an_arm_on_the_platform) {
  shows({"Y-54", "constrained_dynamics", "simulate"});
  const Description locked = load_model("@e_12a", {.set = {{"drive", 2.0}}}).description();
  Description lumped = locked, free = load_model("@e_12a").description();
  for (JointDescription& joint : lumped.joints)
    if (joint.name.starts_with("arm")) {
      // fixed in its pose
      const auto start =
          std::ranges::find(lumped.start_positions, joint.name, &StartDescription::joint);
      const double q = start->values[0].constant();
      const bool about_z = is_same(joint.options.axis.z, 1.0);
      joint.options.at.rpy = {0.0, about_z ? 0.0 : q, about_z ? q : 0.0};
      joint.kind = JointKind::fixed;
      joint.options.axis = {0.0, 0.0, 1.0};
      joint.options.drive = Drive::none;
    }
  std::erase_if(lumped.start_positions,
                [](const StartDescription& start) { return start.joint.starts_with("arm"); });
  MotionOf held(build_model(locked)), lump(build_model(lumped));
  const Answer a = answer_of(held), b = answer_of(lump);
  for (int k = 0; k < 6; ++k)
    EXPECT_NEAR(a.a(held.model, "ride", k), b.a(lump.model, "ride", k), 1e-11);
  for (const char* corner : corners)
    EXPECT_NEAR(a.force(corner, "force up"), b.force(corner, "force up"), 1e-9);
  ASSERT_TRUE(held.go(0.5).ok());
  ASSERT_TRUE(lump.go(0.5).ok());
  for (int k = 0; k < 7; ++k)
    EXPECT_NEAR(held.state.q[std::size_t(k)], lump.state.q[std::size_t(k)], 1e-9);

  for (JointDescription& joint : free.joints)
    if (joint.name.starts_with("arm")) joint.options.drive = Drive::none;
  MotionOf swings(build_model(free));
  const Status status = swings.go(1);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_LT(swings.energy_change(), 1e-7);  // of some 100 J
  EXPECT_LT(swings.largest_violation().velocity, 1e-10);
}

}  // namespace trammel::vehicles_test
