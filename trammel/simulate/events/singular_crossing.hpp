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
// Only the components of the rows that are near a singular pose are displaced, and each subsystem
// (model/subsystems.hpp) has its own x, r and weights: numbers of subsystems without a displaced
// component are equal at all nodes, and their interpolation is exact.
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
  // Distances of components' constraint rows at a position from linear dependence, by component;
  // near a singular pose proportional to the distance from the pose.
  using RowDistances =
      std::function<std::vector<double>(std::span<const double> q, std::span<const int> of)>;
  // Projects a displaced state onto the manifold, including velocities.
  using Project = std::function<Status(State& state)>;

  // Degrees of freedom, by their effect on the holonomic rows.
  struct Dofs {
    Eigen::VectorXd unit;  // a radian, or a length
    // 1 / unit where a row that varies contains it, else 0: the distance x is that of the fastest.
    // A wheel that spins, or a motor behind a gear, brings no singular pose nearer.
    Eigen::VectorXd weight;
    std::vector<char> is_in_rows;  // those that no row contains are not displaced
    std::vector<int> component;    // of the rows that contain it, or -1
    std::vector<int> subsystem;
  };
  // A component that comes near a singular pose: at this time the pose is at distance -x along the
  // motion, and the distance changes by `speed` [1/s].
  struct Approach {
    int component = 0;
    double time = 0, x = 0, speed = 0;
  };
  // `moves_in_time`: joints follow a prescribed motion, so that a displaced state is one at another
  // time, and all components are displaced together.
  SingularCrossing(const Model& model, Dofs dofs, bool moves_in_time, RowDistances row_distances);

  // Begins a new approach to a singular pose, of any component. States whose nodes fail, each after
  // a long search, indicate a dead point: after eight of them the approach is given up.
  void begin_approach();
  // Only these components come near a singular pose in the next step. States that are far from it
  // by this estimate, and by as much as they moved since then, are not measured.
  void expect(std::span<const Approach> approaches);
  // Projects the state by interpolation; false if it is not near a crossing, and then the state is
  // unchanged.
  bool project(State& state, Workspace& workspace, const Project& at_node);
  // Projected nodes of the last projection, and the weights of a dof's numbers there. Weights add
  // up to 1: a sum of deviations from the first node is exact where there are none.
  std::span<State> nodes() { return nodes_; }
  std::span<const double> weights(std::size_t dof) const {
    return parts_[std::size_t(part_of_dof_[dof])].weights;
  }

  // The largest radius; farther from the pose there is no interpolation.
  static constexpr double radius = 0.05;

 private:
  using Weights = std::array<double, count>;
  // The components of one subsystem that are near a singular pose.
  struct Part {
    int subsystem = 0;
    std::vector<int> components;
    double x = 0;      // signed distance along the velocity: below 0 before the pose
    double speed = 0;  // units per second, over the dofs with a weight
    double r = 0, best_r = 0;
    double best = 0;     // difference of the two polynomials at best_r
    double fastest = 0;  // units per second, over all dofs
    Weights weights{};
    bool is_parked = false;  // displaced to the first node only
  };

  // Components that may be near.
  std::vector<int> candidates(const State& state) const;
  // Sets the displacement of components by one unit along the velocity; the speed, 0 at rest.
  double set_way(const State& state, std::span<const int> components);
  // Signed distances of sets of components along way_.
  std::vector<double> distances_along_way(const State& state,
                                          std::span<const std::vector<int>> sets);
  void find_parts(const State& state);
  void assign_dofs();
  // Whether all parts are crossed; the state is then projected.
  bool interpolate_parts(State& state, Workspace& workspace, const Project& at_node);
  bool find_radii(const State& state, const Project& at_node);
  // Interpolates at the parts' radii. Per part: the difference of the two polynomials, positions in
  // units, velocities relative to the largest; infinity if a node fails.
  std::vector<double> interpolate(const State& state, const Project& at_node);
  bool crosses_alone(std::size_t part, const State& state, Workspace& workspace,
                     const Project& at_node);

  const Model& model_;
  Dofs dofs_;
  bool moves_in_time_;
  RowDistances row_distances_;
  std::vector<std::vector<int>> dofs_of_component_;
  std::vector<Part> parts_;       // of the last projection
  std::vector<int> part_of_dof_;  // 0 for dofs of subsystems without a part
  std::vector<double> way_;       // a displacement by one unit along the velocity
  std::vector<double> moved_, q_;
  std::array<State, count> nodes_;
  Eigen::VectorXd shift_, v_;  // interpolated displacement from the state's position, and velocity
  std::vector<int> failures_;  // per subsystem
  std::vector<Approach> expected_;
  bool is_expected_ = false;
};

}  // namespace trammel
