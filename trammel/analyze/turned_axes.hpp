// Derivatives of vectors that are expressed in axes of a body. Internal to this module.
#pragma once

#include <Eigen/Core>
#include <span>

#include "trammel/model/model.hpp"

namespace trammel {

// Components of ball and free joints are expressed in axes of the child, which rotate with a small
// displacement x: a vector v that is constant in the world changes in these axes by [v, x] (Lie
// bracket). Returns -[v, x], one column per column of x, which compensates this; zero for other
// joints.
Eigen::MatrixXd turned_back(const Model& model, std::span<const double> v,
                            const Eigen::MatrixXd& x);

}  // namespace trammel
