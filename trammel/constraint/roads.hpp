// Accelerations and multipliers of M a = f + J^T lambda, J a = gamma, by several roads to one
// answer.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>

#include "trammel/base/status.hpp"
#include "trammel/constraint/rank_plan.hpp"

namespace trammel {

enum class Road {
  automatic,
  schur,       // J M^-1 J^T lambda = gamma - J M^-1 f
  star,        // the same, each arm where it holds on to the body that all of them hold
  cluster,     // the same, each loop at the body that carries it
  complement,  // v = T u with J T = 0: T^T M T u' = T^T (f - M a_p)   [Saha's orthogonal
               // complement]
  kkt          // [M J^T; J 0] as it is: also where M is singular but not on the motions J allows
};
std::string to_string(Road road);
std::optional<Road> road_named(std::string_view name);

struct RoadAnswer {
  Eigen::VectorXd a, lambda;  // lambda of all rows; zero for those not in the plan
  Road taken = Road::automatic;
};

// By matrices, for any rows and any plan: schur, complement or kkt. `f`: the efforts less the bias.
// Fails where what is left of M is singular.
[[nodiscard]] Status travel(Road road, const Eigen::MatrixXd& M, const Eigen::MatrixXd& J,
                            const Eigen::VectorXd& f, const Eigen::VectorXd& gamma,
                            const RankPlan& plan, RoadAnswer& out);

// T: a basis of the motions that the rows of the plan allow, each of length 1, J T = 0.
Eigen::MatrixXd complement(const Eigen::MatrixXd& J, const RankPlan& plan);

}  // namespace trammel
