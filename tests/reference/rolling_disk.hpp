// A disk that rolls on a plane, in the coordinates of the source documents: three slides and three
// turns of one compound joint, so that its rates are theirs.
#pragma once

#include <cmath>

#include "tests/reference/posed.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"

namespace trammel {

struct RollingDisk {
  // `turns`: three axes; the last is the axis of the disk. Moments of inertia along that axis and
  // across.
  RollingDisk(double mass, double radius, double axial, double across,
              const std::vector<Vec3<Expr>>& turns)
      : radius_(radius), posed(described(mass, radius, axial, across, turns), six_zeros()) {}

  static std::vector<double> six_zeros() { return std::vector<double>(6); }
  static Description described(double mass, double radius, double axial, double across,
                               const std::vector<Vec3<Expr>>& turns) {
    Description description("disk");
    const bool is_about_x = turns[2].x.constant() == 1;
    description.body("disk", {.mass = mass,
                              .inertia = {is_about_x ? axial : across, 0.0, 0.0, across, 0.0,
                                          is_about_x ? across : axial}});
    description.joint(
        "free", JointKind::compound, "ground", "disk",
        {.motions = {slide({1.0, 0.0, 0.0}), slide({0.0, 1.0, 0.0}), slide({0.0, 0.0, 1.0}),
                     turn(turns[0]), turn(turns[1]), turn(turns[2])}});
    description.wheels.push_back(
        {.name = "rim", .body = "disk", .axis = turns[2], .radius = radius});
    return description;
  }

  // Three angles and their rates; position and velocity of the center follow from rolling.
  void put(const std::vector<double>& angles, const std::vector<double>& rates) {
    std::copy_n(angles.begin(), 3, posed.state.q.begin() + 3);
    std::copy_n(rates.begin(), 3, posed.state.v.begin() + 3);
    for (int k = 0; k < 3; ++k) posed.state.q[std::size_t(k)] = posed.state.v[std::size_t(k)] = 0;
    // the lowest point of the rim is on the floor, and at rest: v = -w x arm
    const Kinematics turning = unheld();
    const Pose<double>& X = turning.X_WB[1];
    const Vec3<double> axis = X.R * axis_in_disk();
    const double slope = axis.z, steep = std::sqrt(1 - slope * slope);
    const Vec3<double> up = (1 / steep) * (Vec3<double>{0, 0, 1} - slope * axis);
    const Vec3<double> v = cross(X.R * turning.V[1].angular, radius_ * up);
    posed.state.q[2] = radius_ * steep;
    posed.state.v[0] = v.x, posed.state.v[1] = v.y, posed.state.v[2] = v.z;
  }
  ConstrainedAnswer solve(ConstraintSolver solver, const Inputs& inputs = {}) {
    ConstrainedAnswer out;
    const Status status =
        constrained_dynamics(posed.model, posed.state, inputs, posed.workspace, out, solver);
    EXPECT_TRUE(status.ok()) << status.message();
    return out;
  }

 private:
  // kinematics of the same joint without the wheel, which accepts velocities that slip
  Kinematics unheld() {
    Description description = posed.model.description();
    description.wheels.clear();
    const Model model = build_model(description);
    Workspace workspace(model);
    Kinematics out(model);
    EXPECT_TRUE(kinematics(model, posed.state, {}, workspace, out).ok());
    return out;
  }
  Vec3<double> axis_in_disk() const {
    const Vec3<Expr>& axis = posed.model.description().wheels[0].axis;
    return {axis.x.constant(), axis.y.constant(), axis.z.constant()};
  }
  double radius_;

 public:
  Posed posed;
};

}  // namespace trammel
