// A model's rows as they are seen at a state, the inertia there, and which of them are independent.
// For this room only.
#pragma once

#include "trammel/constraint/rank_plan.hpp"
#include "trammel/constraint/rows.hpp"
#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

enum class Singular { told, left_out };  // singular values of the rows

struct RowSight {
  explicit RowSight(const Model& model) : rows(model), M(model.nv(), model.nv()) {}

  // Rows and the workspace's kinematics are those of the state from here on; so is M, if asked for.
  void look(const Model& model, std::span<const double> q, std::span<const double> v,
            Workspace& workspace);
  void look_with_inertia(const Model& model, const State& state, Workspace& workspace);

  // Of the first `count` rows, of all if none is said, and no more than `held`, if that is said.
  // Judged at the state, or, if that is a little open, at the closed one beside it: not where a run
  // holds on to them, which keeps it closed but for rows that it does not hold. `error`: where to
  // write relative_error of the plan, if wanted.
  struct Asked {
    int count = -1, held = -1;
    Singular values = Singular::left_out;
    double* error = nullptr;
  };
  [[nodiscard]] Status decide(const Model& model, const State& state, Workspace& workspace,
                              const Asked& asked, RankPlan& plan);

  Rows rows;
  Eigen::MatrixXd M;
};

}  // namespace trammel
