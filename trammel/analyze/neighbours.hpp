// The states beside one, in as few numbers as there are: freedoms that can be chosen, and the
// others that follow because loops stay closed. With wheels there are more positions than
// velocities to choose.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/constraint/rows.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

class Neighbours {
 public:
  // Freedoms are chosen where the rows leave them best determined. Fails where the state is open.
  // Joints that are locked or driven by motion stay as they are.
  [[nodiscard]] static Status of(const Model& model, const State& state, Workspace& workspace,
                                 std::optional<Neighbours>& out);

  int positions() const { return int(positions_.size()); }
  int velocities() const { return int(velocities_.size()); }
  const std::vector<int>& position_freedoms() const { return positions_; }
  const std::vector<int>& velocity_freedoms() const { return velocities_; }

  // The state whose chosen positions have moved on by x (radians, metres), whose chosen velocities
  // are the state's own and w more. Fails where the loops cannot follow.
  [[nodiscard]] Status at(const Eigen::VectorXd& x, const Eigen::VectorXd& w, State& out);

  // How all freedoms go along when one that is chosen goes alone: nv x positions() of small turns
  // and slides, nv x velocities() of velocities.
  Eigen::MatrixXd position_directions() const;
  Eigen::MatrixXd velocity_directions() const;
  // Velocities of those that follow which make up for rates of the rows (rows x any), nv x any.
  Eigen::MatrixXd following_velocities(const Eigen::MatrixXd& rates) const;

 private:
  Neighbours(const Model& model, const State& state, Workspace& workspace);
  void look(const State& state);
  // The rows that hold positions, or velocities. Joints that close loops and are locked or planned
  // count in both; those of the tree are never moved.
  std::vector<int> holding(bool of_positions) const;
  void choose(const std::vector<int>& rows, std::vector<int>& chosen,
              std::vector<int>& others) const;
  Eigen::VectorXd errors(const std::vector<int>& rows) const;

  const Model& model_;
  Workspace& workspace_;
  State state_;
  Rows rows_;
  Eigen::MatrixXd J_;              // at the state itself
  std::vector<double> closure_q_;  // there
  std::vector<int> position_rows_, velocity_rows_;
  std::vector<int> positions_, velocities_, followers_, velocity_followers_;
};

}  // namespace trammel
