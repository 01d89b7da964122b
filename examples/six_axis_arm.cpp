// A six-axis arm, described in a page: its mass matrix, the torques that hold and move it, its
// energy, and a picture.
#include <Eigen/Core>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"
#include "trammel/write/plot/stick_figure.hpp"

using namespace trammel;

// Our own parameters: an arm with a reach of 0.9 m, of plain tubes.
Description six_axis_arm() {
  const Vec3<Expr> x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};
  Description arm("six-axis arm");
  arm.body("column", solid_cylinder(6.0, 0.09, 0.30, {0.0, 0.0, -0.15}));
  arm.body("upper_arm", box(4.0, {0.40, 0.10, 0.10}, {0.20, 0.0, 0.0}));
  arm.body("forearm", box(2.5, {0.15, 0.09, 0.09}, {0.075, 0.0, 0.0}));
  arm.body("wrist", box(1.5, {0.20, 0.08, 0.08}, {0.10, 0.0, 0.0}));
  arm.body("hand", box(0.6, {0.08, 0.07, 0.07}, {0.04, 0.0, 0.0}));
  arm.body("flange", solid_cylinder(0.2, 0.04, 0.03));

  const auto joint = [&](const char* name, const char* parent, const char* child, Vec3<Expr> at,
                         Vec3<Expr> axis, double damping) {
    arm.joint(name, JointKind::revolute, parent, child,
              {.at = {at, {}}, .axis = axis, .drive = Drive::torque, .damping = {damping}});
  };
  joint("turn", "ground", "column", {0.0, 0.0, 0.35}, z, 0.4);
  joint("shoulder", "column", "upper_arm", {0.0, 0.0, 0.0}, y, 0.4);
  joint("elbow", "upper_arm", "forearm", {0.40, 0.0, 0.0}, y, 0.2);
  joint("roll", "forearm", "wrist", {0.15, 0.0, 0.0}, x, 0.1);
  joint("bend", "wrist", "hand", {0.20, 0.0, 0.0}, y, 0.1);
  joint("spin", "hand", "flange", {0.08, 0.0, 0.0}, x, 0.05);
  arm.frame("tool", "flange", {{0.06, 0.0, 0.0}, {}});
  return arm;
}

// A failed status ends the program with its message.
void require(const Status& status) {
  if (status.ok()) return;
  std::cerr << status.message() << "\n";
  std::exit(1);
}

int main() {
  const Model model = build_model(six_axis_arm());
  Workspace workspace(model);
  State state = neutral_state(model);
  state.q = {0.5, -0.9, 1.2, 0.4, 0.6, 0.0};
  state.v = {0.3, 0.2, -0.4, 0.5, -0.1, 0.6};

  Eigen::MatrixXd M(model.nv(), model.nv());
  require(mass_matrix(model, state, workspace, M));
  std::vector<double> hold(6), move(6), fall(6);
  const std::vector<double> a{1.0, 0.5, -0.5, 2.0, 1.0, 0.0};
  require(gravity_load(model, state, workspace, hold));
  require(inverse_dynamics(model, state, {.a = a}, workspace, move));
  require(forward_dynamics(model, state, {}, workspace, fall));
  Energy stored;
  require(energy(model, state, workspace, stored));
  Kinematics where(model);
  require(kinematics(model, state, {}, workspace, where));
  const Vec3<double> tool = pose(model, where, frame_ref(model, "tool")).p;

  std::cout << "the " << model.name() << " at one moment\n\nmass matrix M(q) [kg m^2]\n";
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) std::printf("%9.4f", M(i, j));
    std::printf("\n");
  }
  std::printf("\n%-10s%14s%16s%20s\n", "joint", "holds [N m]", "moves it [N m]",
              "free fall [rad/s^2]");
  for (int k = 0; k < 6; ++k)
    std::printf("%-10s%14.4f%16.4f%20.4f\n", model.dof_name(k).c_str(), hold[std::size_t(k)],
                move[std::size_t(k)], fall[std::size_t(k)]);
  std::printf("\nenergy     kinetic %.4f J, gravity %.4f J\n", stored.kinetic, stored.gravity);
  std::printf("tool       at (%.4f, %.4f, %.4f) m\n", tool.x, tool.y, tool.z);

  std::ofstream("six_axis_arm.svg") << stick_figure(model, where);
  std::printf("picture    six_axis_arm.svg\n");
}
