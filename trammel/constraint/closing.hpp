// Newton's method on all that is to be closed: loops, and places that are to come somewhere. For
// this room only.
#pragma once

#include "trammel/constraint/assembly.hpp"
#include "trammel/constraint/limits.hpp"
#include "trammel/constraint/rows.hpp"

namespace trammel {

class Closing {
 public:
  // `let_go`: names of couplings, locked and planned joints that hold nothing here, as Rows has
  // them.
  Closing(const Model& model, Workspace& workspace, const AssemblyOptions& options,
          const std::vector<std::string>& let_go = {});

  // Moves q until nothing is open, or no step helps any more. Returns what stays open, in metres
  // (turns by the mechanism's length).
  double close(std::vector<double>& q);
  // Where it cannot be closed: to where a little more or less of anything opens it wider; if the
  // loops alone can be closed, to the nearest place to the targets at which they are. By Levenberg
  // and Marquardt, which do not mind that no step closes it.
  void settle(std::vector<double>& q);
  // Once closed, along the ways that stay open to it, to the nearest place to `guess`.
  void come_near(std::vector<double>& q, const std::vector<double>& guess);

  // A guess somewhere: angles anywhere, slides within some lengths, inside the limits.
  std::vector<double> somewhere(std::vector<double> q, unsigned seed) const;
  // A guess beside q, every freedom by at most so much: an angle, or a part of the length.
  std::vector<double> beside(const std::vector<double>& q, unsigned seed, double far) const;
  // How far apart two positions are, in what close() moves.
  double distance(const std::vector<double>& q, const std::vector<double>& other) const;
  // The same in the mass metric at q, angles within half a turn: sqrt(d^T M d).
  double mass_distance(const std::vector<double>& q, const std::vector<double>& other);
  // Mass matrix at q in scaled freedoms (angles, slides by the length), nv x nv, with a millionth
  // of its largest entry added to the diagonal: positive definite for massless parts, too.
  Eigen::MatrixXd metric(const std::vector<double>& q);

  // Numerical continuation from the closed q: the freedoms in `lead` (nv, zero for the others) and
  // the coordinates of loop joints go to their ends in a straight line, the others follow. `s` is
  // the share of the way that was possible: 1, or where a dead point is.
  struct Way {
    Eigen::VectorXd lead;                          // nv
    std::vector<std::vector<double>> loops_begin;  // per options.loop_positions
  };
  double follow(const Way& way, std::vector<double>& q);
  // Coordinates of the joints of options.loop_positions at q.
  std::vector<std::vector<double>> loop_coordinates(const std::vector<double>& q);
  // Of the freedoms in `given`: as many as can be led independently at q.
  std::vector<int> independent(const std::vector<double>& q, const std::vector<int>& given);
  // Ways to move that closing leaves at q.
  int ways_left(const std::vector<double>& q);
  bool is_closed(double gap) const { return gap <= 1e-9 * size(); }
  // What is open at q, in metres (turns by the mechanism's length).
  double violation(const std::vector<double>& q) { return look(q); }

  // "loop joint 'foot' is open by 0.1 m and 0 rad", "'tool' stays 0.1 m and 0 rad from its target";
  // with the joints that stand at a limit.
  std::string widest_at(const std::vector<double>& q);
  // A wheel that lies flat at q, or empty.
  std::string flat_wheel_at(const std::vector<double>& q);
  // The velocities' least change that keeps loops closed. Returns what they tear all the same: a
  // holder of rows, or empty.
  std::string make_consistent(const std::vector<double>& q, std::vector<double>& v);
  const std::vector<int>& free_freedoms() const { return free_; }

 private:
  struct Limit {
    int freedom, coordinate;  // of the tree
    Range range;
  };
  double size() const { return model_.characteristic_length(); }
  double look(std::span<const double> q);
  void add_targets(std::span<const double> q);
  void add_loop_goals();
  void forget_plans();
  Eigen::VectorXd error_between(int closure, const std::vector<double>& from,
                                const double* to) const;
  double look_at_loop_limits();
  Eigen::VectorXd solve(const Eigen::VectorXd& rhs, const Eigen::MatrixXd& J) const;
  Eigen::VectorXd least_step(std::span<const double> q, const Eigen::VectorXd& pull) const;
  Eigen::VectorXd spread(const Eigen::VectorXd& x) const;
  bool take(std::vector<double>& q, Eigen::VectorXd step, double& gap);
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
  Rows rows_;
  std::vector<bool> holds_;    // rows that hold a position, without those that are let go
  std::vector<int> free_;      // freedoms that may move
  std::vector<int> willing_;   // those that may change their velocity
  Eigen::VectorXd unit_;       // per one of those: how far it moves for one unit of a step
  std::vector<Limit> limits_;  // of those
  std::vector<LoopLimit> loop_limits_;
  int steps_ = 0;
  Eigen::VectorXd error_;           // of rows, targets and coordinates of loop joints, in metres
  Eigen::MatrixXd J_all_;           // of them, by the steps of all freedoms
  Eigen::MatrixXd J_;               // and of the free ones
  Eigen::VectorXd unit_all_;        // of all freedoms
  std::vector<bool> is_curved_;     // freedoms on which rows depend other than linearly
  std::vector<LoopValues> goals_;   // coordinates that joints that close loops come to
  std::vector<LoopValues> speeds_;  // and velocities
  Eigen::VectorXd loop_q_;          // of limited joints that close loops: where they stand
  Eigen::MatrixXd J_loop_;          // and how they go with the steps of the free ones
};

}  // namespace trammel
