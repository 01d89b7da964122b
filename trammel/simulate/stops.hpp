// Hard stops: the limits of joints that have a restitution. A stop that is met gives back a part of
// the speed; one that is met slowly holds, as long as it has to push.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "trammel/simulate/moment.hpp"

namespace trammel {

struct Stop {
  JointId joint{};
  int q = 0, v = 0;  // the coordinate and the freedom; of a joint that closes a loop, its freedom
  double sign = 1;   // 1: a lower limit, -1: an upper one
  double at = 0;
  double restitution = 0;
  bool is_of_loop = false;
  // How far it is from the stop, and how fast it moves away. `loop_q`, `loop_v`: what
  // Drives::read_loops has found there; stops of the tree do without.
  double gap(const State& state, std::span<const double> loop_q = {}) const {
    return sign * ((is_of_loop ? loop_q[std::size_t(q)] : state.q[std::size_t(q)]) - at);
  }
  double gap_rate(const State& state, std::span<const double> loop_v = {}) const {
    return sign * (is_of_loop ? loop_v[std::size_t(v)] : state.v[std::size_t(v)]);
  }
};
std::string coordinate_of(const Model& model, const Stop& stop);  // "elbow"
std::string name_of(const Model& model, const Stop& stop);  // "the upper limit of joint 'elbow'"

// Those of the model, on every coordinate (quaternions have no limits), of joints that close loops
// too.
std::vector<Stop> find_stops(const Model& model);

// The velocities after an impact on some stops, at a state of a mechanism on which they do not act
// yet. All rows of the mechanism are kept; each stop pushes or parts, with Newton's restitution;
// simultaneous ones by complementarity [Moreau 1988]. The kinetic energy never grows: where stops
// with different restitutions would let it, they are met one after the other.
struct Impact {
  Eigen::VectorXd push;  // [N s] or [N m s], per stop
  double lost = 0;       // kinetic energy
};
[[nodiscard]] Status strike(const Model& model, const std::vector<Stop>& stops,
                            Workspace& workspace, State& state, Impact& out);

// Which of these stops, all met and at rest against them, have to push? With the accelerations that
// the mechanism has without them.
[[nodiscard]] Status find_pushing(const Moment& moment, const std::vector<Stop>& stops,
                                  std::vector<bool>& out);

}  // namespace trammel
