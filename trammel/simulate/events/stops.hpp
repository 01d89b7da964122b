// Hard stops: joint limits with a restitution. An impact on a stop reverses a part of the speed; a
// stop that is touched slowly closes, and stays closed as long as it has to push.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "trammel/simulate/run_snapshot.hpp"

namespace trammel {

struct Stop {
  JointId joint{};
  int q = 0, v = 0;  // index of the coordinate and of the dof; loop joints: both are the dof
  double sign = 1;   // 1: a lower limit, -1: an upper one
  double at = 0;
  double restitution = 0;
  bool is_of_loop = false;
  // Distance from the stop, and its rate. `loop_q`, `loop_v`: from SimulationInputs::read_loops;
  // not needed for stops of tree joints.
  double gap(const State& state, std::span<const double> loop_q = {}) const {
    return sign * ((is_of_loop ? loop_q[std::size_t(q)] : state.q[std::size_t(q)]) - at);
  }
  double gap_rate(const State& state, std::span<const double> loop_v = {}) const {
    return sign * (is_of_loop ? loop_v[std::size_t(v)] : state.v[std::size_t(v)]);
  }
};
std::string coordinate_of(const Model& model, const Stop& stop);  // "elbow"
std::string name_of(const Model& model, const Stop& stop);  // "the upper limit of joint 'elbow'"

// All stops of the model: every coordinate of tree and loop joints (quaternions have no limits).
std::vector<Stop> find_stops(const Model& model);

// Velocities after an impact on stops, for a model in which these stops are open. All constraint
// rows stay satisfied; each stop pushes or separates, with Newton's restitution; simultaneous
// impacts are solved by complementarity [Moreau 1988]. The kinetic energy never grows: if stops
// with different restitutions would let it grow, they are hit in sequence.
struct Impact {
  Eigen::VectorXd push;  // [N s] or [N m s] impulse per stop
  double lost = 0;       // kinetic energy [J]
};
[[nodiscard]] Status strike(const Model& model, const std::vector<Stop>& stops,
                            Workspace& workspace, State& state, Impact& out);

// Which of these stops, all touching and at rest, have to push: complementarity of their forces
// with the accelerations that the mechanism has without them.
[[nodiscard]] Status find_pushing(const RunSnapshot& snapshot, const std::vector<Stop>& stops,
                                  std::vector<bool>& out);

}  // namespace trammel
