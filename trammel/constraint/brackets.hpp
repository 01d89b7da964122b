// Differences along motions of the tree: how fields of velocities change from place to place, and
// what is left of going along two of them, there and back. For this room only.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <vector>

#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

// Of each freedom of the tree at a position: 1 for turns, the mechanism's length for slides.
// Numbers told in these units can be compared.
Eigen::VectorXd freedom_sizes(const Model& model, const State& state, Workspace& workspace);

class Brackets {
 public:
  // A field: a velocity of the tree, in units of the freedoms' sizes, at every position.
  using Field = std::function<Eigen::VectorXd(const std::vector<double>& q)>;

  Brackets(const Model& model, Eigen::VectorXd sizes, const std::vector<double>& q);

  // How a field, or any list of numbers, changes when the tree moves with velocity x from q: by
  // central differences of order six.
  Eigen::VectorXd change(const Field& field, const std::vector<double>& q,
                         const Eigen::VectorXd& x) const;
  // [f, g] = (change of g along f) - (change of f along g) + what the joints' velocities
  // themselves leave: those of a ball joint, taken one after the other and back, turn it.
  Field bracket(const Field& f, const Field& g) const;
  Eigen::VectorXd frame_bracket(const Eigen::VectorXd& x, const Eigen::VectorXd& y) const;

 private:
  std::vector<double> moved(const std::vector<double>& q, const Eigen::VectorXd& x) const;
  Eigen::VectorXd loop_left(const std::vector<double>& q, int a, int b, double step) const;

  const Model& model_;
  Eigen::VectorXd sizes_;
  struct Constant {
    int a, b;
    Eigen::VectorXd left;
  };
  std::vector<Constant> constants_;  // of pairs of freedoms of one joint; zeros left out
};

}  // namespace trammel
