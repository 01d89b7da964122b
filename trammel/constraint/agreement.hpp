// Do all rows agree, those too that the plan leaves out; and does something decide every motion?
// For this room only.
#pragma once

#include "trammel/constraint/rank_plan.hpp"
#include "trammel/constraint/rows.hpp"
#include "trammel/dynamics/question.hpp"

namespace trammel {

// Fails where a row that was left out, because it depends on others, asks for another acceleration
// than they do: plans that contradict each other, or velocities at a singular pose that lead along
// none of its branches. `rows` as evaluated at zero acceleration. The message names every joint
// whose prescribed motion takes part, its value, the value that would agree, and what to change.
[[nodiscard]] Status check_left_out_rows(const Question& question, const Rows& rows,
                                         const RankPlan& plan, const Eigen::VectorXd& a);

// The same of velocities, where a run has held those rows out: they have come to differ.
[[nodiscard]] Status check_left_out_rates(const Model& model, const Rows& rows,
                                          const RankPlan& plan, std::span<const double> v);

// ", in which joint 'elbow' moves": the motion that the rows allow and that meets no inertia.
std::string undetermined_motion(const Model& model, const Eigen::MatrixXd& M,
                                const Eigen::MatrixXd& J, const RankPlan& plan);

}  // namespace trammel
