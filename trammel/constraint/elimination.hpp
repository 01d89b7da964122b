// Where each row of a model's constraints is solved for on the way inward: what makes a road of the
// one sweep (dynamics/kernel/closed_dynamics).
#pragma once

#include <optional>

#include "trammel/constraint/roads.hpp"
#include "trammel/dynamics/kernel/row_schedule.hpp"
#include "trammel/model/model.hpp"

namespace trammel {

struct Elimination {
  kernel::RowSchedule schedule;
  Road road = Road::schur;
  std::vector<int> rows;  // as Rows counts them: those solved for, bundle after bundle
  // What the sweep cannot work out by itself: rows of the kind `given`.
  struct Given {
    int row, bundle, row_of_bundle;
  };
  std::vector<Given> given;
};

// For the rows of the plan, with J as it is at the closed state where the plan was made.
//
// `schur`: all at the end. `star`: where one side of a loop has been swept to ground and the other
// is a body, at that body: many arms on one object. `cluster`: at the body that carries the whole
// loop. Automatic: wherever a constraint can be solved for first. None if the road has no stage of
// its own on this model.
std::optional<Elimination> eliminate_rows(const Model& model, const RankPlan& plan,
                                          const Eigen::MatrixXd& J, Road road);

}  // namespace trammel
