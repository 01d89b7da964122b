// Projection onto the constraint manifold near a singular pose that the motion crosses, by
// polynomial interpolation along the motion.
//
// At a bifurcation pose two branches of the configuration space meet and the constraint Jacobian J
// loses rank. On the branch of continuous velocity the motion is smooth, but it is badly
// conditioned: at distance x from the pose (radians along the motion) a rounding error c of the
// loop closure moves the projected position by c / x, the velocity by c / x^2 and the acceleration
// by c / x^3, and nearer than sqrt(c) Newton's method ends on either branch.
//
// So within |x| < r the state itself is not projected. It is displaced along its velocity to twelve
// nodes with r <= |x_k| <= 3 r on both sides of the pose (but for degrees of freedom that no
// position row contains, as a wheel's spin: these stay), each node is projected there, and the
// polynomial of degree 11 through the nodes gives position and velocity at x (Lagrange weights).
// Accelerations are interpolated with the same weights. This is the analytic continuation of the
// branch, and a function of the state alone. The truncation error goes with r^12, the rounding with
// c / r^2: r is the largest of four radii for which the polynomial of degree 9 agrees.
//
// No crossing is found, and the caller projects as usual, where a node cannot be projected or lies
// on another branch, where the polynomials disagree, or where the interpolated position violates
// the constraints: the branches then do not meet (links whose lengths differ a little), or the
// motion ends there (a dead point).
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>

#include <Eigen/Core>

#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

class SingularCrossing {
 public:
  static constexpr int count = 12;  // number of nodes
  // Distance of the constraint rows at a position from linear dependence; near a singular pose
  // proportional to the distance from the pose.
  using RowDistance = std::function<double(std::span<const double> q)>;
  // Projects a displaced state onto the manifold, including velocities.
  using Project = std::function<Status(State& state)>;

  // Degrees of freedom, by their effect on the holonomic rows.
  struct Dofs {
    Eigen::VectorXd unit;  // a radian, or a length
    // 1 / unit where a row that varies contains it, else 0: the distance x is that of the fastest.
    // A wheel that spins, or a motor behind a gear, brings no singular pose nearer.
    Eigen::VectorXd weight;
    std::vector<char> is_in_rows;  // those that no row contains are not displaced
  };
  // `moves_in_time`: joints follow a prescribed motion, so that a displaced state is one at another
  // time.
  SingularCrossing(const Model& model, Dofs dofs, bool moves_in_time, RowDistance row_distance);

  // Starts a new approach to a singular pose. States whose nodes fail, each after a long search,
  // indicate a dead point: after eight of them the approach is given up.
  void begin_approach() {
    failures_ = 0;
    expected_.reset();
  }
  // Estimate for the next step: the pose is at distance -x along the motion at this time, and the
  // distance changes by `speed`. States that are far from it by this estimate, and by as much as
  // they moved since then, are not measured.
  void expect(double time, double x, double speed) { expected_ = {time, x, speed}; }
  // Projects the state by interpolation; false if it is not near a crossing, and then the state is
  // unchanged.
  bool project(State& state, Workspace& workspace, const Project& at_node);
  // Projected nodes of the last projection, and their weights.
  std::span<State> nodes() { return nodes_; }
  std::span<const double> weights() const { return weights_; }

  // The largest radius; farther from the pose there is no interpolation.
  static constexpr double radius = 0.05;

 private:
  using Weights = std::array<double, count>;
  // Signed distance along the velocity: below 0 before the pose.
  double distance_at(const State& state);
  // Difference of the two polynomials: positions in units, velocities relative to the largest;
  // infinity if a node fails.
  double interpolate(const State& state, double x, double r, const Project& at_node);

  const Model& model_;
  Dofs dofs_;
  bool moves_in_time_;
  RowDistance row_distance_;
  double speed_ = 0;         // of the state: units per second, over the dofs with a weight
  double fastest_ = 0;       // the same over all dofs
  std::vector<double> way_;  // a displacement by one unit along the velocity
  std::vector<double> moved_, q_;
  std::array<State, count> nodes_;
  Weights weights_{};
  Eigen::VectorXd shift_, v_;  // interpolated displacement from the state's position, and velocity
  int failures_ = 0;
  struct Expected {
    double time, x, speed;
  };
  std::optional<Expected> expected_;
};

}  // namespace trammel
