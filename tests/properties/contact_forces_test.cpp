// Contact forces on a body, together with gravity, give its acceleration (Newton-Euler equations).
#include "trammel/dynamics/contact_forces.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/motion_of.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/momentum.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"
#include "trammel/simulate/recorder.hpp"

namespace trammel::contact_forces_test {

namespace {

constexpr double mass = 3.0, g = 9.81;

// A crate with a ball at each lower corner, on an inclined plane carried by a slide.
Description crate_on_a_slope(Drive slide = Drive::none) {
  Description description("crate");
  description.body("slope", box(5.0, {2.0, 2.0, 0.1}));
  description.joint("slide", JointKind::prismatic, "ground", "slope",
                    {.axis = {1.0, 0.0, 0.0}, .drive = slide});
  description.frame("floor", "slope", {.xyz = {0.0, 0.0, 0.05}, .rpy = {0.2, -0.3, 0.1}});
  description.body("crate", box(mass, {0.4, 0.3, 0.2}));
  description.joint("float", JointKind::free, "ground", "crate");
  for (const double x : {-0.2, 0.2})
    for (const double y : {-0.15, 0.15}) {
      ContactDescription foot;
      foot.name = std::string(x < 0 ? "hind" : "front") + (y < 0 ? " right" : " left");
      foot.body = "crate";
      foot.on = "floor";
      foot.at = {x, y, -0.1};
      foot.radius = 0.03;
      foot.stiffness = 1e5;
      foot.dissipation = 0.4;
      foot.friction = 0.6;
      foot.slip_speed = 0.05;
      description.contacts.push_back(foot);
    }
  return description;
}

State tumbling(const Model& model) {
  State state = neutral_state(model);
  state.q[0] = 0.1, state.v[0] = -0.7;
  const int q = model[*model.find_joint("float")].q_start;
  const int v = model[*model.find_joint("float")].v_start;
  // nearly aligned with the floor: some feet penetrate it
  const double turn[] = {0.98, 0.1, -0.16, 0.03};
  const double size =
      std::sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
  for (int k = 0; k < 4; ++k) state.q[std::size_t(q + k)] = turn[k] / size;
  state.q[std::size_t(q + 4)] = 0.1;
  state.q[std::size_t(q + 6)] = 0.2;
  const double moves[] = {0.4, -0.3, 0.2, 0.5, 0.1, -0.3};
  for (int k = 0; k < 6; ++k) state.v[std::size_t(v + k)] = moves[k];
  return state;
}

Vec3<double> moment_about(const Vec3<double>& center, const Vec3<double>& p,
                          const Vec3<double>& force) {
  return cross(p - center, force);
}

}  // namespace

// Newton-Euler equations of the free crate: momentum changes by gravity and the reported forces.
TEST(ContactForces, are_all_that_moves_a_free_body) {
  const Model model = build_model(crate_on_a_slope());
  Workspace workspace(model);
  const State state = tumbling(model);
  std::vector<ContactForce> contacts;
  ASSERT_TRUE(contact_forces(model, state, workspace, contacts).ok());
  ASSERT_EQ(contacts.size(), 4u);
  int touching = 0;
  Vec3<double> force = {0, 0, -mass * g}, moment;
  Kinematics moving(model);
  std::vector<double> a(std::size_t(model.nv()));
  ASSERT_TRUE(forward_dynamics(model, state, {}, workspace, a).ok());
  ASSERT_TRUE(kinematics(model, state, {.a = a}, workspace, moving).ok());
  const FrameRef crate = frame_ref(model, "crate");
  const Pose<double> X = pose(model, moving, crate);
  for (const ContactForce& contact : contacts) {
    touching += contact.touches();
    EXPECT_EQ(contact.press > 0, contact.touches()) << contact.contact;
    EXPECT_NEAR(norm(contact.normal), contact.press, 1e-12 * (1 + contact.press));
    EXPECT_NEAR(dot(contact.normal, contact.friction), 0, 1e-12 * contact.press * contact.press);
    EXPECT_LE(norm(contact.friction), 0.6 * contact.press * (1 + 1e-14));
    force = force + contact.force();
    moment = moment + moment_about(X.p, contact.point, contact.force());
  }
  ASSERT_GT(touching, 0);
  ASSERT_LT(touching, 4);  // some feet are in the air
  const Motion<double> A = acceleration(model, moving, crate, Axes::world);
  const Motion<double> V = velocity(model, moving, crate, Axes::body);
  const Vec3<double> alpha = transpose(X.R) * A.angular;
  // inertia of a box about its center, in its own axes
  const Vec3<double> I = {mass / 12 * (0.09 + 0.04), mass / 12 * (0.16 + 0.04),
                          mass / 12 * (0.16 + 0.09)};
  const auto times = [&](const Vec3<double>& w) {
    return Vec3<double>{I.x * w.x, I.y * w.y, I.z * w.z};
  };
  const Vec3<double> euler = X.R * (times(alpha) + cross(V.angular, times(V.angular)));
  // to rounding of forces of some hundred newtons
  EXPECT_NEAR(norm(mass * A.linear - force), 0, 1e-10);
  EXPECT_NEAR(norm(euler - moment), 0, 1e-10);
  // and the slide takes the opposite force along its axis
  Vec3<double> back;
  for (const ContactForce& contact : contacts) back = back - contact.force();
  EXPECT_NEAR(5.0 * a[0], back.x, 1e-10);
}

// After the crate has settled four feet carry the weight; recorded forces equal the computed ones.
TEST(ContactForces, are_recorded) {
  Description description = crate_on_a_slope(Drive::locked);
  description.frames[0].at = {.xyz = {0.0, 0.0, 0.05}};
  description.start_positions = {{"float", {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.19}}};
  for (ContactDescription& foot : description.contacts) foot.dissipation = 5.0;
  MotionOf run(build_model(description));
  Recorder recorder(run.model, run.run_inputs, {"contacts"});
  ASSERT_TRUE(run.go(1).ok());
  ASSERT_TRUE(recorder.observe(run.state, run.workspace).ok());
  double sum = 0;
  for (const char* foot : {"hind right", "hind left", "front right", "front left"}) {
    const std::string prefix = std::string("contact.") + foot;
    const Recording& seen = recorder.recording();
    sum += seen.column(prefix + ".press")[0];
    EXPECT_NEAR(seen.column(prefix + ".normal.z")[0], seen.column(prefix + ".press")[0], 1e-12);
    // k d^1.5 is a quarter of the weight
    EXPECT_NEAR(seen.column(prefix + ".depth")[0], std::pow(mass * g / 4 / 1e5, 2.0 / 3), 1e-6);
    EXPECT_NEAR(seen.column(prefix + ".point.z")[0], 0.05 - seen.column(prefix + ".depth")[0],
                1e-14);
  }
  EXPECT_NEAR(sum, mass * g, 1e-2);  // it still oscillates a little
}

}  // namespace trammel::contact_forces_test
