// Path following of a wheeled vehicle on a floor: the program OMNI of [Saha 1991, 3.13], for any
// model with wheels. Level 1 computes rates and accelerations of all joints from the motion of the
// platform, level 2 their positions, level 3 the efforts of the drives (inverse dynamics); level 4
// simulates under these efforts and computes the deviation from the path.
#pragma once

#include <optional>

#include "trammel/constraint/forces/allocation.hpp"
#include "trammel/simulate/path/planar_path.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel {

struct FollowOptions {
  double sample = 0.05;  // [s] sampling interval; the end is always sampled
  int steps = 4;         // Runge-Kutta steps (order 4) per sampling interval
  bool has_efforts = true;
  AllocationOptions allocation = {};  // if there are more drives than degrees of freedom
};

// Motion along a path, per sample.
struct Trajectory {
  std::vector<double> times;
  std::vector<State> states;       // positions and velocities
  std::vector<Eigen::VectorXd> a;  // nv
  std::vector<DriveEfforts> efforts;
  // Omni wheels with a given roller_radius: rate [rad/s] and acceleration [rad/s^2] of the rollers
  // that touch, and the angle rolled since the start, summed over successive rollers [rad].
  std::vector<std::string> rollers;
  std::vector<Eigen::VectorXd> roller_rates, roller_accelerations, roller_angles;
  // Largest deviation of the place from the path [m], [rad]: positions are integrated.
  double position_error = 0, yaw_error = 0;
};

// Inverse kinematics and inverse dynamics of a vehicle whose `place` follows the path with level x
// and y axes. Puts `state` at the start of the path (angles of wheels and casters are kept), and
// leaves it at the end. Fails with the time where the path requires a motion that the wheels do not
// allow, or more effort than the drives have; then also with the time at which most effort is
// lacking.
[[nodiscard]] Status follow_path(const Model& model, State& state, const FrameRef& place,
                                 const PlanarPath& path, const FollowOptions& options,
                                 Workspace& workspace, Trajectory& out);

// Axle of a conventional wheel mounted on the body of a place. A place off this axle can neither
// face along its path nor turn on the spot; points on the axle can do both.
struct FixedAxle {
  std::string wheel;
  Vec3<double> point;  // nearest point of the axle, at the place's height, in its axes [m]
  double forward = 0;  // [rad] from the place's x axis to the rolling direction, in -pi/2 to pi/2
};
// Empty if there is no such wheel. Velocities of the state are ignored.
std::optional<FixedAxle> fixed_axle(const Model& model, const State& state, const FrameRef& place,
                                    Workspace& workspace);

// Tracking errors, desired minus simulated: per sample, and the largest magnitudes.
struct TrackingErrors {
  std::vector<double> times;
  std::vector<double> x, y, yaw;                    // place
  std::vector<Eigen::VectorXd> position, velocity;  // all joints: nv
  double most_x = 0, most_y = 0, most_yaw = 0;
  Eigen::VectorXd most_position, most_velocity;  // per degree of freedom
  std::vector<State> states;
};

// Simulation under the efforts of a trajectory from follow_path(), from its start, applied as cubic
// splines through the samples. Duration and sampling interval of `run` are set to those of the
// trajectory. Inputs, controllers and wrenches of the model are inactive; its motor limits are
// active.
[[nodiscard]] Status replay_efforts(const Model& model, const FrameRef& place,
                                    const PlanarPath& path, const Trajectory& trajectory,
                                    RunOptions run, Workspace& workspace, TrackingErrors& out);

}  // namespace trammel
