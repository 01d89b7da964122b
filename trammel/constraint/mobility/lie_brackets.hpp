// Numerical directional derivatives and Lie brackets of velocity fields on the configuration space
// of the tree. Internal to the constraint module.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <vector>

#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

// Scale of each dof of the tree at a position: 1 for a rotation, the characteristic length for a
// slide. Velocities divided by these scales are comparable.
Eigen::VectorXd dof_sizes(const Model& model, const State& state, Workspace& workspace);

class LieBrackets {
 public:
  // A velocity field: a tree velocity, divided by the dof scales, as a function of the position.
  using Field = std::function<Eigen::VectorXd(const std::vector<double>& q)>;

  LieBrackets(const Model& model, Eigen::VectorXd sizes, const std::vector<double>& q);

  // Directional derivative of a field, or of any vector function of the position, along velocity x
  // at q: central differences of order six.
  Eigen::VectorXd change(const Field& field, const std::vector<double>& q,
                         const Eigen::VectorXd& x) const;
  // Lie bracket [f, g] = (derivative of g along f) - (derivative of f along g) + frame_bracket(f,
  // g). The last term comes from joint velocities that do not commute, such as those of a ball
  // joint.
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
  std::vector<Constant> constants_;  // nonzero structure constants, per pair of dofs of one joint
};

}  // namespace trammel
