// Assembly solver: Newton's method for the position constraints, target poses and required loop
// coordinates together. Internal to the constraint module.
//
// The equations fall into connected components that share no free joint (equation_components.hpp).
// Steps, line searches and convergence tests are those of each component; kinematics and residuals
// are evaluated for all of them at once. Cost of a step: O(bodies) and the sum of the components'
// cubes.
//
// assembly_solver.cpp: Newton's method; the other files with this stem: equations, least-squares
// configuration, continuation, guesses and distances, velocities, messages.
#pragma once

#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/assembly/equation_components.hpp"
#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/equations/limits.hpp"
#include "trammel/dynamics/mass_matrix_blocks.hpp"

namespace trammel {

class AssemblySolver {
 public:
  // `let_go`: couplings, locked and prescribed joints whose rows are ignored, by their owner names
  // in ConstraintRows.
  AssemblySolver(const Model& model, Workspace& workspace, const AssemblyOptions& options,
                 const std::vector<std::string>& let_go = {});

  // Newton iteration from q until all equations are satisfied or no step reduces the residual, for
  // each component by itself: one that is closed is not moved. Returns the remaining violation.
  double close(std::vector<double>& q);
  // Copies the joints of the components that are closed at `from`.
  void copy_closed_components(const std::vector<double>& from, std::vector<double>& to);
  // Joins two positions: components that violate their equations less in `other` are copied from
  // there into q. Returns the violation of q.
  double take_better_components(std::vector<double>& q, const std::vector<double>& other);
  // Least-squares configuration where assembly fails: a local minimum of the violation; if the
  // loops alone can be closed, the closed position nearest to the targets. Levenberg-Marquardt
  // method, which also converges where the residual cannot vanish.
  void settle(std::vector<double>& q);
  // From the closed q along the constraint manifold to the closed position nearest to `guess`.
  void come_near(std::vector<double>& q, const std::vector<double>& guess);

  // Random guess: angles anywhere, slides within pi characteristic lengths of q, inside the limits.
  std::vector<double> somewhere(std::vector<double> q, unsigned seed) const;
  // Random guess near q: every dof moved by at most `far`, an angle or a part of the characteristic
  // length.
  std::vector<double> perturbed(const std::vector<double>& q, unsigned seed, double far) const;
  // Distance between two positions over the dofs that close() may move, slides scaled by the
  // length.
  double distance(const std::vector<double>& q, const std::vector<double>& other) const;
  // Distance in the mass metric at q over all dofs, angles within half a turn: sqrt(d^T M d).
  double mass_distance(const std::vector<double>& q, const std::vector<double>& other);
  // Numerical continuation from the closed q: the dofs in `lead` (nv, zero for the others) and the
  // coordinates of loop joints go to their ends in a straight line, the others follow. Returns the
  // share of the path that was possible: 1, or less at a dead point.
  struct Way {
    Eigen::VectorXd lead;                          // nv
    std::vector<std::vector<double>> loops_begin;  // per options.loop_positions
  };
  double follow(const Way& way, std::vector<double>& q);
  // Coordinates of the joints of options.loop_positions at q.
  std::vector<std::vector<double>> loop_coordinates(const std::vector<double>& q);
  // A maximal subset of the dofs in `given` that can move independently at q.
  std::vector<int> independent(const std::vector<double>& q, const std::vector<int>& given);
  // Mobility that the equations leave the free dofs at q.
  int ways_left(const std::vector<double>& q);
  bool is_closed(double violation) const { return violation <= 1e-9 * size(); }
  // Constraint violation at q: the largest of the components' norms, in meters (angles times the
  // characteristic length).
  double violation(const std::vector<double>& q) { return evaluate(q); }

  // Description of the largest violation at q and of the joints at a limit, for messages: "loop
  // joint 'foot' is violated by 0.1 m and 0 rad", "frame 'tool' stays 0.1 m and 0 rad from its
  // target".
  std::string widest_at(const std::vector<double>& q);
  // Name of a wheel that lies flat at q, or empty.
  std::string flat_wheel_at(const std::vector<double>& q);
  // Constraint between frames whose rows are undefined at q, with the reason, or empty.
  std::string undefined_at(const std::vector<double>& q);
  // Projects v onto the velocity constraints by the least change. Returns the owner of the row that
  // is violated most if no projection exists, or empty.
  std::string make_consistent(const std::vector<double>& q, std::vector<double>& v);
  const std::vector<int>& free_dofs() const { return free_; }

 private:
  struct Limit {
    int dof, coordinate;  // of the tree
    Range range;
  };
  // A connected component of the equations, loop joint limits included.
  struct Component {
    EquationComponent equations;   // rows of error_ and J_
    std::vector<int> limits;       // indices in limits_
    std::vector<int> loop_limits;  // indices in loop_limits_
  };
  struct VelocityEquations {
    SparseRows J;
    Eigen::VectorXd rate;
    std::vector<int> loop_dofs;  // of the rows after those of the constraints
  };
  VelocityEquations velocity_equations(const std::vector<double>& v,
                                       const Eigen::VectorXd& unit) const;
  // Dofs that are neither fixed nor locked; locks in let_go are ignored.
  static std::vector<int> all_but(const Model& model, const std::vector<JointId>& kept,
                                  const std::vector<int>& kept_dofs,
                                  const std::vector<std::string>& let_go = {});
  double size() const { return model_.characteristic_length(); }
  void find_limits();
  // Pattern of the equations, and its components.
  void connect();
  double evaluate(std::span<const double> q);
  void add_targets();
  void add_loop_goals();
  void add_loop_limits();
  void free_prescribed_rows();
  struct LeastMotion;
  std::vector<LeastMotion> least_motions(const std::vector<double>& q);
  // Norm of the residuals of a component as last evaluated, and the largest of all components and
  // of the rows that no free dof changes.
  double violation_of(const Component& component) const;
  double largest_violation() const;
  Eigen::VectorXd error_between(int closure, const std::vector<double>& from,
                                const double* to) const;
  // Steps are in scaled dofs: angles, and slides divided by the characteristic length.
  Eigen::VectorXd step_of(const Component& component, std::span<const double> q,
                          const Eigen::VectorXd& pull) const;
  Eigen::VectorXd bounded_least_squares(std::span<const double> q,
                                        const Eigen::VectorXd& pull) const;
  // q + step, for all joints.
  std::vector<double> moved(const std::vector<double>& q, const Eigen::VectorXd& step) const;
  // Copies the coordinates of a component's joints.
  void copy_joints(const Component& component, const std::vector<double>& from,
                   std::vector<double>& to) const;
  bool have_moved(const Component& component, const std::vector<double>& from,
                  const std::vector<double>& to) const;
  void take(std::vector<double>& q, Eigen::VectorXd step, std::vector<std::size_t>& open,
            std::vector<double>& violations);
  void push_inside(std::vector<double>& q) const;
  void settle_all(std::vector<double>& q);
  void swap_targets(std::vector<Target>& targets);
  bool close_loops_alone(std::vector<double>& q);
  Eigen::VectorXd way_to_targets(double damping) const;
  Eigen::VectorXd along_loops(const std::vector<double>& q, const Eigen::VectorXd& pull);
  void come_near_targets(std::vector<double>& q);
  std::string limits_met(const std::vector<double>& q) const;

  const Model& model_;
  Workspace& workspace_;
  std::vector<Target> targets_;
  std::vector<std::string> target_names_;
  ConstraintRows rows_;
  std::vector<bool> holds_;    // holonomic rows, without those that are ignored (let_go)
  std::vector<int> free_;      // dofs that may move, ascending
  std::vector<int> willing_;   // dofs whose velocity may change, ascending
  Eigen::VectorXd unit_;       // per dof: its change for one unit of a step
  std::vector<Limit> limits_;  // of the free dofs
  std::vector<LoopLimit> loop_limits_;
  int steps_ = 0;
  std::vector<Component> components_;  // over the free dofs
  std::vector<int> immobile_rows_;     // rows of error_ that no free dof changes
  Eigen::VectorXd error_;              // residuals of rows, targets and loop coordinates [m]
  SparseRows J_;                       // their Jacobian with respect to scaled steps of all dofs
  std::vector<bool> is_curved_;        // dofs on which rows depend nonlinearly
  std::vector<LoopValues> goals_;      // required coordinates of loop joints
  std::vector<LoopValues> speeds_;     // and their required velocities
  Eigen::VectorXd loop_q_;             // coordinates of loop joints with limits
  SparseRows J_loop_;                  // and their Jacobian with respect to scaled steps
  MassMatrixBlocks mass_;
};

}  // namespace trammel
