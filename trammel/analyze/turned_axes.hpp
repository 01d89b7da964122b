// Derivatives of vectors that are expressed in axes of a body. For this room only.
#pragma once

#include <Eigen/Core>
#include <span>

#include "trammel/model/model.hpp"

namespace trammel {

// Components of spherical and free joints are expressed in axes of the child, which turn with a
// small motion x: a vector v that stays as it is in the world changes in them by [v, x]. Columns:
// -[v, x], one per column of x, which take this back; zero for other joints.
Eigen::MatrixXd turned_back(const Model& model, std::span<const double> v,
                            const Eigen::MatrixXd& x);

}  // namespace trammel
