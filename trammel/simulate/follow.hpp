// A vehicle along a path over a floor: OMNI, the program of seed 001, section 3.13, for any model
// on wheels. Level 1 turns the motion of the platform into rates and accelerations of all joints,
// level 2 into their positions, level 3 into efforts of the drives; level 4 simulates under these
// efforts and tells how far from the path that leads.
#pragma once

#include <optional>

#include "trammel/constraint/allocation.hpp"
#include "trammel/simulate/planar_path.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel {

struct FollowOptions {
  double sample = 0.05;  // [s] from one look to the next; the last moment is always there
  int steps = 4;         // of Runge and Kutta's method, from one look to the next
  bool has_efforts = true;
  AllocationOptions allocation = {};  // where there are more drives than ways to move
};

// Sample after sample.
struct Followed {
  std::vector<double> times;
  std::vector<State> states;       // positions and velocities
  std::vector<Eigen::VectorXd> a;  // nv
  std::vector<DriveEfforts> efforts;
  // Of omni wheels whose roller_radius was said: how fast the rollers that touch turn [rad/s], how
  // that changes [rad/s^2], and by how much they have turned since the beginning, one after the
  // other [rad].
  std::vector<std::string> rollers;
  std::vector<Eigen::VectorXd> roller_rates, roller_accelerations, roller_angles;
  // By how much the place is beside the path, for positions are integrated; the most [m], [rad].
  double position_error = 0, yaw_error = 0;
};

// What do all joints do when `place` follows the path, its x and y axes level? Puts `state` at the
// beginning (angles of wheels and casters stay), and leaves it at the end. Fails where the vehicle
// cannot move so, with the time: the path asks for a motion its wheels do not allow, or for more
// than its drives give; then also with the moment where most lacks.
[[nodiscard]] Status follow_path(const Model& model, State& state, const At& place,
                                 const PlanarPath& path, const FollowOptions& options,
                                 Workspace& workspace, Followed& out);

// Why can a place not follow where it does not face, or turn on the spot? Of the wheels that stand
// fast on its body, the axle beside it: points on the axle can do both.
struct AxleBeside {
  std::string wheel;
  Vec3<double> point;  // the nearest on the axle, at the place's height, in the place's axes [m]
  double forward = 0;  // from the place's x axis to the way the wheel rolls, -90 to 90 degrees
};
// None where no such wheel is. At a state of any velocity.
std::optional<AxleBeside> axle_beside(const Model& model, const State& state, const At& place,
                                      Workspace& workspace);

// Desired minus simulated, sample after sample and the most of each.
struct FollowErrors {
  std::vector<double> times;
  std::vector<double> x, y, yaw;                    // of the place
  std::vector<Eigen::VectorXd> position, velocity;  // of all joints: nv
  double most_x = 0, most_y = 0, most_yaw = 0;
  Eigen::VectorXd most_position, most_velocity;  // of each freedom
  std::vector<State> states;
};

// Where do the efforts of a plan lead from its beginning, as a history: a smooth curve through the
// samples? By `run`, whose duration and samples are those of the plan. Inputs, controllers and
// wrenches of the model do not act; limits of its motors do.
[[nodiscard]] Status replay_efforts(const Model& model, const At& place, const PlanarPath& path,
                                    const Followed& plan, RunOptions run, Workspace& workspace,
                                    FollowErrors& out);

}  // namespace trammel
