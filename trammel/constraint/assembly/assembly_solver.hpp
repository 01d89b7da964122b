// Assembly solver: Newton's method for the position constraints, target poses and required loop
// coordinates together. Internal to the constraint module.
//
// assembly_solver.cpp: Newton's method; the other files with this stem: equations, least-squares
// configuration, continuation, guesses and distances, velocities, messages.
#pragma once

#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/equations/limits.hpp"

namespace trammel {

class AssemblySolver {
 public:
  // `let_go`: couplings, locked and prescribed joints whose rows are ignored, by their owner names
  // in ConstraintRows.
  AssemblySolver(const Model& model, Workspace& workspace, const AssemblyOptions& options,
                 const std::vector<std::string>& let_go = {});

  // Newton iteration from q until all equations are satisfied or no step reduces the residual.
  // Returns the remaining violation in meters (angles times the characteristic length).
  double close(std::vector<double>& q);
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
  // Mass matrix at q in scaled dofs (angles, slides by the length), nv x nv, with a millionth of
  // its largest diagonal entry added to the diagonal: positive definite for massless parts, too.
  Eigen::MatrixXd metric(const std::vector<double>& q);

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
  // Constraint violation at q in meters (angles times the characteristic length).
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
  // Dofs that are neither fixed nor locked; locks in let_go are ignored.
  static std::vector<int> all_but(const Model& model, const std::vector<JointId>& kept,
                                  const std::vector<int>& kept_dofs,
                                  const std::vector<std::string>& let_go = {});
  double size() const { return model_.characteristic_length(); }
  double evaluate(std::span<const double> q);
  void add_targets(std::span<const double> q);
  void add_loop_goals();
  void free_prescribed_rows();
  Eigen::VectorXd error_between(int closure, const std::vector<double>& from,
                                const double* to) const;
  double loop_limit_violation();
  Eigen::VectorXd solve(const Eigen::VectorXd& rhs, const Eigen::MatrixXd& J) const;
  Eigen::VectorXd bounded_least_squares(std::span<const double> q,
                                        const Eigen::VectorXd& pull) const;
  Eigen::VectorXd spread(const Eigen::VectorXd& x) const;
  bool take(std::vector<double>& q, Eigen::VectorXd step, double& violation);
  void push_inside(std::vector<double>& q) const;
  void settle_all(std::vector<double>& q);
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
  std::vector<int> free_;      // dofs that may move
  std::vector<int> willing_;   // dofs whose velocity may change
  Eigen::VectorXd unit_;       // per free dof: its change for one unit of a step
  std::vector<Limit> limits_;  // of the free dofs
  std::vector<LoopLimit> loop_limits_;
  int steps_ = 0;
  Eigen::VectorXd error_;           // residuals of rows, targets and loop coordinates [m]
  Eigen::MatrixXd J_all_;           // their Jacobian with respect to scaled steps of all dofs
  Eigen::MatrixXd J_;               // and of the free dofs
  Eigen::VectorXd unit_all_;        // unit_ of all dofs
  std::vector<bool> is_curved_;     // dofs on which rows depend nonlinearly
  std::vector<LoopValues> goals_;   // required coordinates of loop joints
  std::vector<LoopValues> speeds_;  // and their required velocities
  Eigen::VectorXd loop_q_;          // coordinates of loop joints with limits
  Eigen::MatrixXd J_loop_;          // and their Jacobian with respect to steps of the free dofs
};

}  // namespace trammel
