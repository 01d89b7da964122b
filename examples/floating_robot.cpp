// A free-floating robot: its arm swings, its base swings back, and momentum is conserved.
#include <cstdio>

#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/momentum.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"

using namespace trammel;

int main() {
  Description description("satellite with an arm");
  description.gravity = {0.0, 0.0, 0.0};
  description.body("hull", box(40.0, {0.6, 0.6, 0.6}));
  description.body("boom", thin_rod(4.0, 1.0, {0.5, 0.0, 0.0}));
  description.body("camera", sphere(2.0, 0.1));  // fixed to the boom, and still accessible by name
  description.joint("flight", JointKind::free, "ground", "hull");
  description.joint(
      "shoulder", JointKind::universal, "hull", "boom",
      {.at = {{0.3, 0.0, 0.0}, {}}, .axis = {0.0, 0.0, 1.0}, .axis2 = {0.0, 1.0, 0.0}});
  description.joint("mount", JointKind::fixed, "boom", "camera", {.at = {{1.0, 0.0, 0.0}, {}}});
  const Model model = build_model(description);

  Workspace workspace(model);
  State state = neutral_state(model);
  double tau[8] = {0, 0, 0, 0, 0, 0, 3.0, -1.0}, a[8];  // only the shoulder has an effort
  Kinematics where(model);
  std::vector<Force<double>> carried;
  Momentum before, after;

  // a thousand steps of a millisecond: explicit Euler, enough to show conservation
  Status status = momentum(model, state, workspace, before);
  for (int step = 0; step < 1000 && status.ok(); ++step) {
    status = forward_dynamics(model, state, {.tau = tau}, workspace, a);
    double move[8];
    for (int k = 0; k < 8; ++k) move[k] = 1e-3 * (state.v[std::size_t(k)] += 1e-3 * a[k]);
    const std::vector<double> q = state.q;
    integrate(model, q, move, state.q);
  }
  if (status.ok()) status = momentum(model, state, workspace, after);
  if (status.ok()) status = forward_dynamics(model, state, {.tau = tau}, workspace, a);
  if (status.ok()) status = kinematics(model, state, {.a = a}, workspace, where);
  if (status.ok()) status = reactions(model, state, {.a = a}, workspace, carried);
  if (!status) return std::puts(status.message().c_str()), 1;

  const Vec3<double> camera = pose(model, where, frame_ref(model, "camera")).p;
  const Force<double>& mount = carried[std::size_t(index(*model.find_joint("mount")))];
  std::printf("after one second the camera is at (%.3f, %.3f, %.3f) m\n", camera.x, camera.y,
              camera.z);
  std::printf("its mount carries a force of %.3f N and a moment of %.4f N m\n", norm(mount.force),
              norm(mount.moment));
  std::printf("momentum was %.1e and is %.1e (steps of a millisecond)\n", norm(before.angular),
              norm(after.angular));
}
