// Which of the drives give what a motion takes. For this room only.
#pragma once

#include "trammel/constraint/constrained_dynamics.hpp"
#include "trammel/constraint/rows.hpp"
#include "trammel/dynamics/question.hpp"

namespace trammel {

// A freedom of a joint that closes a loop and is driven; -1 if there is none.
int driven_loop_freedom(const Model& model);

// What the drives have to do together, A efforts = needed: `effort` is what the motion takes on the
// tree without its loops, and only what the motions that the rows leave need is asked of them.
// `rows` and `plan` without those of planned joints, which are drives here.
void demand_on_drives(const Model& model, const Kinematics& kinematics, const Rows& rows,
                      const RankPlan& plan, std::span<const double> effort, DriveDemand& out);

// The least efforts that do it. `effort`: what the motion takes on the tree without its loops.
Status share_among_drives(const Question& question, const Kinematics& kinematics, const Rows& rows,
                          const RankPlan& plan, std::span<const double> effort, DriveEfforts& out);

// The efforts of the question, and those of planned and locked joints: the answer's multipliers
// lambda + N z of their rows, with the self-stresses N (dependent_sets) and the z of least squares.
void efforts_of_planned(const Question& question, const Rows& rows, const ConstrainedAnswer& answer,
                        DriveEfforts& out);

}  // namespace trammel
