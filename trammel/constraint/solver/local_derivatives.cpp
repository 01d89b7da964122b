#include "trammel/constraint/solver/local_derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "trammel/constraint/solver/dual_residuals.hpp"
#include "trammel/model/dofs_between.hpp"

namespace trammel {

namespace {

bool is_finite_force(const Force<double>& F) {
  const auto& [m, f] = F;
  return std::isfinite(m.x + m.y + m.z + f.x + f.y + f.z);
}
Force<double> derivative_of(const Force<Duals>& F, int lane) {
  const auto of = [&](const Vec3<Duals>& a) {
    return Vec3<double>{a.x.derivative[std::size_t(lane)], a.y.derivative[std::size_t(lane)],
                        a.z.derivative[std::size_t(lane)]};
  };
  return {of(F.moment), of(F.force)};
}

// Color of each dof such that the dofs of a set have different colors; -1: in no set. Greedy in the
// order of the dofs. Cost: the sum of the squares of the sets' sizes.
std::vector<int> colors_of(int nv, const std::vector<std::vector<int>>& sets) {
  std::vector<std::vector<int>> sets_of(static_cast<std::size_t>(nv));
  for (std::size_t s = 0; s < sets.size(); ++s)
    for (const int f : sets[s]) sets_of[std::size_t(f)].push_back(int(s));
  std::vector<int> color(std::size_t(nv), -1), taken_by;
  for (int f = 0; f < nv; ++f) {
    if (sets_of[std::size_t(f)].empty()) continue;
    for (const int s : sets_of[std::size_t(f)])
      for (const int other : sets[std::size_t(s)])
        if (const int c = color[std::size_t(other)]; c >= 0) {
          if (int(taken_by.size()) <= c) taken_by.resize(std::size_t(c) + 1, -1);
          taken_by[std::size_t(c)] = f;
        }
    int c = 0;
    while (c < int(taken_by.size()) && taken_by[std::size_t(c)] == f) ++c;
    color[std::size_t(f)] = c;
  }
  return color;
}

// Sign of each dof in the direction of its color: alternating along the tree, so that in a long
// chain of loops the rotations do not add up, and differences of positions keep their digits.
std::vector<double> signs_of(const Model& model, const std::vector<int>& color, int colors) {
  std::vector<double> sign(color.size(), 1.0);
  // per body, the sign of the last dof of each color on the path to ground
  std::vector<std::vector<signed char>> last(model.bodies().size());
  last[0].assign(std::size_t(colors), -1);
  std::vector<int> open_children(model.bodies().size(), 0);
  for (std::size_t i = 1; i < last.size(); ++i)
    ++open_children[std::size_t(model.bodies()[i].parent)];
  for (std::size_t i = 1; i < last.size(); ++i) {
    const Body& body = model.bodies()[i];
    const std::size_t parent = std::size_t(body.parent);
    if (--open_children[parent] == 0)
      last[i] = std::move(last[parent]);
    else
      last[i] = last[parent];
    for (int f = body.v_start; f < body.v_end; ++f)
      if (const int c = color[std::size_t(f)]; c >= 0) {
        last[i][std::size_t(c)] = static_cast<signed char>(-last[i][std::size_t(c)]);
        sign[std::size_t(f)] = last[i][std::size_t(c)];
      }
  }
  return sign;
}

class Differentiation {
 public:
  Differentiation(const EvalContext& context, const ConstraintRows& rows,
                  const Kinematics& kinematics, const Eigen::VectorXd& lambda,
                  LocalDerivatives& out)
      : context_(context),
        model_(context.model()),
        rows_(rows),
        kinematics_(kinematics),
        lambda_(lambda),
        residuals_(context, rows),
        out_(out) {}

  Status run(const Eigen::VectorXd& a) {
    const Eigen::Index nv = model_.nv();
    residuals_.evaluate(a);
    if (Status status = residuals_.evaluate_elements(); !status) return status;
    find_sets();
    color_ = colors_of(int(nv), sets_);
    const int colors = color_.empty() ? 0 : 1 + *std::ranges::max_element(color_);
    sign_ = signs_of(model_, color_, colors);
    out_.directions = colors;
    out_.loads.clear();
    // first the directions of q, then those of v
    Eigen::MatrixXd dq = Eigen::MatrixXd::Zero(nv, 2 * colors), dv = dq;
    for (Eigen::Index f = 0; f < nv; ++f)
      if (const int c = color_[std::size_t(f)]; c >= 0)
        dq(f, c) = dv(f, colors + c) = sign_[std::size_t(f)];
    const Eigen::MatrixXd q_dot = rates_of_positions(context_, dq);
    for (Eigen::Index first = 0; first < 2 * colors; first += native_lanes) {
      residuals_.seed(q_dot, dv, first);
      residuals_.evaluate(a);
      if (Status status = residuals_.evaluate_elements(); !status) return status;
      for (int lane = 0; lane < native_lanes && first + lane < 2 * colors; ++lane) {
        const bool is_of_q = first + lane < colors;
        read_rows(lane, int(first) + lane - (is_of_q ? 0 : colors), is_of_q);
        read_loads(lane, int(first) + lane - (is_of_q ? 0 : colors), is_of_q);
      }
    }
    out_.rate_by_q = sparse_matrix(rows_.count(), nv, rate_by_q_);
    out_.acceleration_by_q = sparse_matrix(rows_.count(), nv, acceleration_by_q_);
    out_.acceleration_by_v = sparse_matrix(rows_.count(), nv, acceleration_by_v_);
    for (const auto& [place, load] : loads_) out_.loads.push_back(load);
    add_wrenches();
    return {};
  }

 private:
  // The dofs of each row are those of J; of a force, those of the joints between its bodies.
  void find_sets() {
    for (int row = 0; row < rows_.count(); ++row) {
      const std::span<const int> dofs = rows_.sparse_jacobian().columns(row);
      if (row == 0 || rows_.owner(row) != rows_.owner(row - 1) ||
          !std::ranges::equal(dofs, sets_.back()))
        sets_.emplace_back(dofs.begin(), dofs.end());
      set_of_row_.push_back(int(sets_.size()) - 1);
    }
    const bool are_laws_known =
        model_.force_elements(force_element_kind<UserForceDescription>()).empty();
    for (const auto& element : residuals_.elements()) {
      const int parent = model_[element.parent].tree_body, child = model_[element.child].tree_body;
      std::vector<int> dofs = dofs_between(model_, parent, child);
      if (!are_laws_known) {
        const std::vector<int> inboard =
            dofs_between(model_, common_ancestor(model_, parent, child), 0);
        dofs.insert(dofs.begin(), inboard.begin(), inboard.end());
      }
      set_of_element_.push_back(int(sets_.size()));
      sets_.push_back(std::move(dofs));
    }
  }

  void read_rows(int lane, int color, bool is_of_q) {
    const EvaluatedRows<Duals>& rows = residuals_.rows().evaluated();
    for (int row = 0; row < rows_.count(); ++row)
      for (const int f : rows_.sparse_jacobian().columns(row)) {
        if (color_[std::size_t(f)] != color) continue;
        const double sign = sign_[std::size_t(f)];
        const auto of = [&](const std::vector<Duals>& x) {
          return sign * x[std::size_t(row)].derivative[std::size_t(lane)];
        };
        if (is_of_q) rate_by_q_.emplace_back(row, f, of(rows.rate));
        (is_of_q ? acceleration_by_q_ : acceleration_by_v_)
            .emplace_back(row, f, of(rows.acceleration));
      }
  }

  void read_loads(int lane, int color, bool is_of_q) {
    const auto add = [&](int set, BodyId body, const Force<Duals>& F, const Vec3<Duals>& p) {
      const int tree_body = model_[body].tree_body;
      if (tree_body == 0) return;
      bool is_moved = false;
      for (const int f : sets_[std::size_t(set)]) is_moved |= color_[std::size_t(f)] == color;
      if (!is_moved) return;
      const Force<double> change = turned(kinematics_.X_WB[std::size_t(tree_body)].R,
                                          derivative_of(residuals_.on_body(tree_body, F, p), lane));
      for (const int f : sets_[std::size_t(set)]) {
        if (color_[std::size_t(f)] != color) continue;
        LocalDerivatives::LoadDerivative& load =
            loads_
                .try_emplace({tree_body, f}, LocalDerivatives::LoadDerivative{tree_body, f, {}, {}})
                .first->second;
        (is_of_q ? load.by_q : load.by_v) += sign_[std::size_t(f)] * change;
      }
    };
    const auto between = [&](int set, BodyId parent, BodyId child, const Force<Duals>& F,
                             const Vec3<Duals>& p) {
      add(set, child, F, p);
      add(set, parent, -F, p);
    };
    for (const auto& push : residuals_.rows().evaluated().row_wrenches)
      if (const double lambda = lambda_[push.row]; lambda != 0)
        between(set_of_row_[std::size_t(push.row)], push.parent, push.child, lambda * push.F,
                push.p);
    const auto& elements = residuals_.elements();
    for (std::size_t k = 0; k < elements.size(); ++k)
      between(set_of_element_[k], elements[k].parent, elements[k].child, elements[k].F,
              elements[k].p);
  }

  // A wrench in world axes turns against its body: with W = [m + r x F; F] about the body's origin
  // and a rotation w, the change relative to the body is -[w x m + r x (w x F); w x F].
  void add_wrenches() {
    for (const Wrench& wrench : context_.inputs().wrenches) {
      const int tree_body = model_[wrench.at.body].tree_body;
      if (wrench.axes != Axes::world || tree_body == 0) continue;
      const Vec3<double> r =
          kinematics_.X_WB[std::size_t(tree_body)].R * placed(model_, wrench.at).p;
      for (int i = tree_body; i > 0; i = model_.bodies()[std::size_t(i)].parent) {
        const Body& body = model_.bodies()[std::size_t(i)];
        for (int f = body.v_start; f < body.v_end; ++f) {
          const Vec3<double>& w = kinematics_.axes[std::size_t(f)].angular;
          const Force<double> turned_back{-cross(w, wrench.F.moment), -cross(w, wrench.F.force)};
          out_.loads.push_back({tree_body, f, acting_at(r, turned_back), {}});
        }
      }
    }
  }

  const EvalContext& context_;
  const Model& model_;
  const ConstraintRows& rows_;
  const Kinematics& kinematics_;
  const Eigen::VectorXd& lambda_;
  DualResiduals residuals_;
  LocalDerivatives& out_;
  std::vector<std::vector<int>> sets_;
  std::vector<int> set_of_row_, set_of_element_, color_;
  std::vector<double> sign_;
  Triplets rate_by_q_, acceleration_by_q_, acceleration_by_v_;
  std::map<std::pair<int, int>, LocalDerivatives::LoadDerivative> loads_;  // by body and dof
};

}  // namespace

bool LocalDerivatives::are_finite() const {
  return has_finite_entries(rate_by_q) && has_finite_entries(acceleration_by_q) &&
         has_finite_entries(acceleration_by_v) &&
         std::ranges::all_of(loads, [](const LoadDerivative& load) {
           return is_finite_force(load.by_q) && is_finite_force(load.by_v);
         });
}

Status local_derivatives(const EvalContext& context, const ConstraintRows& rows,
                         const Kinematics& kinematics, const Eigen::VectorXd& a,
                         const Eigen::VectorXd& lambda, LocalDerivatives& out) {
  return Differentiation(context, rows, kinematics, lambda, out).run(a);
}

}  // namespace trammel
