// Forward dynamics in maximal coordinates, a reference for tests only: six accelerations of every
// body in world axes, every joint (of the tree or of a loop) as constraint rows, one dense
// rank-revealing solve of the KKT system
//
//   M A = f + J^T lambda,  J A = gamma
//
// There is no tree, no cut, no recursion and no row selection. A joint of several steps is a chain
// of massless bodies. Poses and velocities are taken from the engine.
#pragma once

#include <map>

#include "tests/support/maximal_forms.hpp"
#include "trammel/constraint/forces/stress_length.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel {

class MaximalKkt {
 public:
  MaximalKkt(const Model& model, const State& state, const Inputs& inputs, Workspace& workspace)
      : model_(model), values_(evaluate_at_nominal(model.description())) {
    place_bodies(state, workspace);
    for (int k = 0; k < 6; ++k) {
      Form at_rest;
      at_rest.on(index(ground))[k] = 1;
      add_row(std::move(at_rest));
    }
    forces_.resize(model.joints().size());
    tree_.resize(std::size_t(model.nv()));
    for (std::size_t j = 0; j < model.joints().size(); ++j) add_joint(j, state);
    for (const ConstraintDescription& description : model.description().constraints)
      add_constraint(description);
    for (const CouplingDescription& description : model.description().couplings)
      add_coupling(description);
    for (const WheelDescription& description : model.description().wheels) add_wheel(description);
    for (int f = 0; f < model.nv(); ++f)
      if (model.is_prescribed(f)) {
        const bool is_prescribed = model.prescription(f) == Drive::motion && !inputs.a.empty();
        Form form = tree_[std::size_t(f)];
        form.bias -= is_prescribed ? inputs.a[std::size_t(f)] : 0;
        add_effort_row(std::move(form), f);
      }
    solve(state, inputs);
  }

  Eigen::VectorXd a;  // accelerations of the tree's joints, nv
  // Joint reactions: wrench of the parent on the child at the joint frame on the child, in the axes
  // of that frame; among all possible ones the minimum norm, moments scaled by the model's length.
  std::vector<Vector6> carried;
  std::vector<Eigen::Matrix<bool, 6, 1>> is_unique;  // components that no self-stress changes
  int redundant = 0;                                 // number of redundant rows

  // Joint kinds that are sequences of steps, or need none.
  static bool knows(JointKind kind) {
    return kind != JointKind::constant_velocity && kind != JointKind::plunging_constant_velocity;
  }

 private:
  using Form = LinearForm;
  // The rows and coordinates that make up the wrench on the child of a joint.
  struct Carrier {
    int child = 0;
    PlainFrame M;
    std::vector<int> rows;
    struct Effort {
      Form rate;
      int coordinate;  // index k within this joint
      int dof;         // index in the tree; -1: none
    };
    std::vector<Effort> efforts;
  };

  void place_bodies(const State& state, Workspace& workspace) {
    Kinematics at(model_);
    EXPECT_TRUE(kinematics(model_, state, {}, workspace, at).ok());
    for (std::size_t k = 0; k < model_.named_bodies().size(); ++k) {
      const FrameRef place{BodyId(int(k))};
      const Motion<double> V = velocity(model_, at, place, Axes::world);
      forms_.solids.push_back(
          {plain(pose(model_, at, place)), column(V.angular), column(V.linear)});
    }
    real_ = forms_.solids.size();
  }
  int add_row(Form form) {
    rows_.push_back(std::move(form));
    return int(rows_.size()) - 1;
  }
  void meet(int A, const Eigen::Vector3d& F, int B, const Eigen::Vector3d& M,
            std::vector<int>& rows) {
    for (int k = 0; k < 3; ++k) {
      Form form;
      const Eigen::Vector3d e = Eigen::Vector3d::Unit(k);
      forms_.add_point(form, B, M, e, 1);
      forms_.add_point(form, A, F, e, -1);
      rows.push_back(add_row(std::move(form)));
    }
  }
  void face(int A, int B, const std::vector<Eigen::Vector3d>& across, std::vector<int>& rows) {
    for (const Eigen::Vector3d& e : across) rows.push_back(add_row(forms_.turning(A, B, e, A)));
  }

  // One step from A's frame F to B's frame M: adds its rows, returns its coordinate.
  Form add_step(const PlainStep& step, int A, const PlainFrame& F, int B, const PlainFrame& M,
                std::vector<int>& rows) {
    const Eigen::Vector3d u = F.R * step.axis, e = u.unitOrthogonal(), g = u.cross(e);
    if (step.kind == PlainStep::Kind::turn) {
      meet(A, F.p, B, M.p, rows);
      face(A, B, {e, g}, rows);
      return forms_.turning(A, B, u, A);
    }
    for (const Eigen::Vector3d& x : {e, g})
      rows.push_back(add_row(forms_.sliding(A, F.p, B, M.p, x)));
    if (step.kind == PlainStep::Kind::slide) {
      face(A, B, {e, g, u}, rows);
      return forms_.sliding(A, F.p, B, M.p, u);
    }
    face(A, B, {e, g}, rows);
    Form turn = forms_.turning(A, B, u, A), advance = forms_.sliding(A, F.p, B, M.p, u);
    for (const auto& [body, part] : turn.parts) advance.on(body) -= step.pitch * part;
    advance.bias -= step.pitch * turn.bias;
    rows.push_back(add_row(std::move(advance)));
    // an effort on the angle acts as a torque: the row couples angle and advance
    return turn;
  }

  void add_joint(std::size_t j, const State& state) {
    const NamedJoint& joint = model_.joints()[j];
    const JointDescription& description =
        model_.description().joints[std::size_t(joint.description)];
    const int A = index(joint.parent), B = index(joint.child);
    const PlainFrame F = forms_.solid(A).X * plain(joint.X_PF),
                     M = forms_.solid(B).X * plain(joint.X_CM);
    Carrier& tree_body = forces_[j];
    tree_body.child = B;
    tree_body.M = M;
    const bool is_tree = joint.role == NamedJoint::Role::tree;
    const auto own = [&](int k, Form form) {
      if (is_tree) tree_[std::size_t(joint.v_start + k)] = form;
      coordinates_[{joint.name, k}] = form;
      return form;
    };
    const auto acts_last = [&](int k, const Form& form) {
      tree_body.efforts.push_back({form, k, is_tree ? joint.v_start + k : -1});
    };
    const std::vector<PlainStep> steps = steps_of(description, values_);
    EXPECT_TRUE(knows(description.kind)) << joint.name;
    if (steps.empty()) {
      if (description.kind == JointKind::fixed || description.kind == JointKind::spherical)
        meet(A, F.p, B, M.p, tree_body.rows);
      if (description.kind == JointKind::fixed)
        face(A, B, {M.R.col(0), M.R.col(1), M.R.col(2)}, tree_body.rows);
      else
        for (int k = 0; k < 3; ++k) acts_last(k, own(k, forms_.turning(A, B, M.R.col(k), B)));
      if (description.kind == JointKind::free)
        for (int k = 0; k < 3; ++k)
          acts_last(3 + k, own(3 + k, forms_.gliding(A, F.p, B, M.p, M.R.col(k))));
      return;
    }
    const auto n = Eigen::Index(steps.size());
    Eigen::VectorXd q(n), v(n);
    if (is_tree) {
      for (Eigen::Index k = 0; k < n; ++k)
        q[k] = state.q[std::size_t(joint.q_start + k)],
        v[k] = state.v[std::size_t(joint.v_start + k)];
    } else if (n > 1 || !description.options.stiffness.empty() ||
               !description.options.damping.empty()) {
      // a single step needs no coordinate, unless it has a spring
      q = fitted(steps, inverse(F) * M);
      const Eigen::Vector3d w = forms_.solid(B).w - forms_.solid(A).w,
                            u = forms_.velocity_at(B, M.p) - forms_.velocity_at(A, M.p);
      Vector6 seen;
      seen << F.R.transpose() * w, F.R.transpose() * u;
      v = step_columns(steps, q).completeOrthogonalDecomposition().solve(seen);
      // the state does not determine the number of full turns of a loop joint: the one nearest the
      // rest angle of its spring is taken
      for (Eigen::Index k = 0; k < n; ++k) {
        const double rest =
            description.options.rest.empty() ? 0 : values_(description.options.rest[0]);
        if (steps[std::size_t(k)].kind == PlainStep::Kind::turn)
          q[k] = rest + std::remainder(q[k] - rest, 2 * std::numbers::pi);
      }
    }
    int inner = A;
    PlainFrame inner_frame = F;
    for (Eigen::Index k = 0; k < n; ++k) {
      const bool is_last = k + 1 == n;
      const PlainStep& step = steps[std::size_t(k)];
      int outer = B;
      PlainFrame outer_frame = M;
      if (!is_last) {
        outer_frame = inner_frame * step.pose(q[k]);
        const Eigen::Vector3d along = v[k] * (inner_frame.R * step.axis);
        const bool is_slide = step.kind == PlainStep::Kind::slide;
        PlainSolid massless{outer_frame, forms_.solid(inner).w,
                            forms_.velocity_at(inner, outer_frame.p)};
        (is_slide ? massless.v : massless.w) += along;
        if (!is_slide) massless.v += step.pitch * along;
        outer = int(forms_.solids.size());
        forms_.solids.push_back(massless);
      }
      std::vector<int> rows;
      const Form form = own(int(k), add_step(step, inner, inner_frame, outer, outer_frame, rows));
      if (is_last) {
        acts_last(int(k), form);
        tree_body.rows = rows;
      }
      inner = outer;
      inner_frame = outer_frame;
      if (joint.role == NamedJoint::Role::loop) add_passive(description, int(k), q[k], v[k], form);
    }
  }
  double passive_effort(const JointOptions& how, int k, double q, double v) const {
    const auto number = [&](const std::vector<Expr>& list) {
      return list.empty() ? 0 : values_(list[list.size() == 1 ? 0 : std::size_t(k)]);
    };
    return -number(how.stiffness) * (q - number(how.rest)) - number(how.damping) * v;
  }
  void add_passive(const JointDescription& description, int k, double q, double v,
                   const Form& form) {
    const JointOptions& how = description.options;
    passive_[{description.name, k}] = passive_effort(how, k, q, v);
    if (how.drive == Drive::locked) coupled_.push_back({description.name, k, add_row(form), 1});
  }
  // springs and dampers of the joints of the tree; a quaternion has no spring
  std::vector<double> tree_passive(const State& state) const {
    std::vector<double> effort(std::size_t(model_.nv()));
    for (const NamedJoint& joint : model_.joints()) {
      const JointOptions& how = model_.description().joints[std::size_t(joint.description)].options;
      for (int k = 0; joint.role == NamedJoint::Role::tree && k < joint.nv; ++k) {
        const double q = joint.nq == joint.nv ? state.q[std::size_t(joint.q_start + k)] : 0;
        effort[std::size_t(joint.v_start + k)] =
            passive_effort(how, k, q, state.v[std::size_t(joint.v_start + k)]);
      }
    }
    return effort;
  }
  double passive_of_loop(const std::pair<std::string, int>& coordinate) const {
    const auto found = passive_.find(coordinate);
    return found == passive_.end() ? 0 : found->second;
  }
  void add_effort_row(Form form, int dof) {
    for (const NamedJoint& joint : model_.joints())
      if (joint.v_start <= dof && dof < joint.v_start + joint.nv)
        coupled_.push_back({joint.name, dof - joint.v_start, int(rows_.size()), 1});
    add_row(std::move(form));
  }

  std::pair<int, PlainFrame> placed_at(const std::string& name) const {
    const FrameRef place = frame_ref(model_, name);
    return {index(place.body), forms_.solid(index(place.body)).X * plain(place.X_UA)};
  }
  void add_constraint(const ConstraintDescription& description) {
    const auto [A, F] = placed_at(description.frame);
    const auto [B, M] = placed_at(description.other_frame);
    std::vector<int> rows;
    if (description.kind == ConstraintDescription::Kind::distance) {
      // d . d'' + d' . d' = 0, divided by the length
      const Eigen::Vector3d d = M.p - F.p,
                            rate = forms_.velocity_at(B, M.p) - forms_.velocity_at(A, F.p);
      Form form;
      forms_.add_point(form, B, M.p, d.normalized(), 1);
      forms_.add_point(form, A, F.p, d.normalized(), -1);
      form.bias += rate.squaredNorm() / d.norm();
      add_row(std::move(form));
      return;
    }
    meet(A, F.p, B, M.p, rows);
    if (description.kind == ConstraintDescription::Kind::weld)
      face(A, B, {M.R.col(0), M.R.col(1), M.R.col(2)}, rows);
  }
  void add_wheel(const WheelDescription& description) {
    const int body = index(*model_.find_body(description.body));
    const PlainFrame X = forms_.solid(body).X * plain(pose_of(description.at, values_));
    const Eigen::Vector3d axis = X.R * column(value_of(description.axis, values_)).normalized();
    for (std::size_t k = 0; k < model_.terrains().size(); ++k)
      if (model_.description().terrains[k].name == description.on) {
        EXPECT_TRUE(description.touches);
        const bool is_ball = description.kind == WheelDescription::Kind::ball;
        EXPECT_TRUE(is_ball || description.kind == WheelDescription::Kind::conventional);
        for (Form& form :
             forms_.standing(body, X.p, values_(description.radius),
                             is_ball ? std::nullopt : std::optional(axis), model_.terrains()[k]))
          add_row(std::move(form));
        return;
      }
    EXPECT_EQ(description.on, "ground");
    const MaximalForms::Rim rim = forms_.rim(body, X.p, axis, values_(description.radius));
    EXPECT_NE(description.kind, WheelDescription::Kind::ball);
    if (description.touches) add_row(rim.up);
    if (description.kind == WheelDescription::Kind::omni) {
      // along the axis of the roller, which turns on the floor with the axis of the wheel
      const double angle = values_(description.roller_angle);
      add_row(sum_of(std::cos(angle), rim.across, std::sin(angle), rim.along));
      return;
    }
    add_row(rim.across);
    if (description.kind != WheelDescription::Kind::knife_edge) add_row(rim.along);
  }
  static Form sum_of(double a, const Form& first, double b, const Form& second) {
    Form sum;
    for (const auto& [factor, form] : {std::pair(a, &first), std::pair(b, &second)}) {
      for (const auto& [body, part] : form->parts) sum.on(body) += factor * part;
      sum.bias += factor * form->bias;
    }
    return sum;
  }
  void add_coupling(const CouplingDescription& description) {
    Form sum;
    for (const auto& [joint, factor] : description.terms) {
      const Form& form = coordinates_.at({joint, 0});
      for (const auto& [body, part] : form.parts) sum.on(body) += values_(factor) * part;
      sum.bias += values_(factor) * form.bias;
    }
    const int row = add_row(std::move(sum));
    for (const auto& [joint, factor] : description.terms)
      coupled_.push_back({joint, 0, row, values_(factor)});
  }

  static Eigen::RowVectorXd dense(const Form& form, Eigen::Index n) {
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(n);
    for (const auto& [body, part] : form.parts) row.segment<6>(6 * body) += part.transpose();
    return row;
  }

  void solve(const State& state, const Inputs& inputs) {
    const auto n = Eigen::Index(6 * forms_.solids.size()), m = Eigen::Index(rows_.size());
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n), J(m, n);
    Eigen::VectorXd f = Eigen::VectorXd::Zero(n), gamma(m);
    for (std::size_t k = 1; k < real_; ++k) add_body(k, M, f);
    for (const Wrench& wrench : inputs.wrenches) add_wrench(wrench, f);
    std::vector<double> effort = tree_passive(state);
    for (std::size_t k = 0; k < inputs.tau.size(); ++k) effort[k] += inputs.tau[k];
    for (std::size_t k = 0; k < effort.size(); ++k) f += effort[k] * dense(tree_[k], n).transpose();
    for (const auto& [coordinate, effort_there] : passive_)
      f += effort_there * dense(coordinates_.at(coordinate), n).transpose();
    for (const SpringDescription& spring : model_.description().springs) add_spring(spring, f);
    for (Eigen::Index k = 0; k < m; ++k) {
      J.row(k) = dense(rows_[std::size_t(k)], n);
      gamma[k] = -rows_[std::size_t(k)].bias;
    }
    // redundant rows are found from J alone; a state closed to 1e-12 gives them singular values of
    // about that size
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(J, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Eigen::VectorXd& singular = svd.singularValues();
    Eigen::Index rank = 0;
    while (rank < singular.size() && singular[rank] > 1e-9 * singular[0]) ++rank;
    redundant = int(m - rank);
    const Eigen::MatrixXd U = svd.matrixU().leftCols(rank), V = svd.matrixV().leftCols(rank),
                          Z = svd.matrixV().rightCols(n - rank);
    const Eigen::VectorXd inverse = singular.head(rank).cwiseInverse();
    const Eigen::VectorXd some = V * (inverse.asDiagonal() * (U.transpose() * gamma));
    Eigen::VectorXd A = some;
    if (Z.cols() > 0) {
      // Z^T M Z is regular in spite of massless bodies, unless a degree of freedom has no inertia
      // at all
      const Eigen::MatrixXd reduced = Z.transpose() * M * Z;
      A += Z * reduced.colPivHouseholderQr().solve(Z.transpose() * (f - M * some));
    }
    const Eigen::VectorXd lambda = U * (inverse.asDiagonal() * (V.transpose() * (M * A - f)));
    a.resize(model_.nv());
    for (int k = 0; k < model_.nv(); ++k) {
      const Form& rate = tree_[std::size_t(k)];
      a[k] = dense(rate, n).dot(A) + rate.bias;
    }
    share(lambda, svd.matrixU().rightCols(m - rank), effort);
  }
  void add_body(std::size_t k, Eigen::MatrixXd& M, Eigen::VectorXd& f) {
    const Inertia<double>& I = model_.numbers().own_inertia[k];
    const PlainSolid& s = forms_.solids[k];
    const auto& J = I.rotational;
    Eigen::Matrix3d about;
    about << J.xx, J.xy, J.xz, J.xy, J.yy, J.yz, J.xz, J.yz, J.zz;
    about = s.X.R * about * s.X.R.transpose();
    const Eigen::Vector3d mc = s.X.R * column(I.first_moment), g = column(model_.numbers().gravity);
    Matrix6 spatial;
    spatial << about, cross_matrix(mc), -cross_matrix(mc), I.mass * Eigen::Matrix3d::Identity();
    const auto at = Eigen::Index(6 * k);
    M.block<6, 6>(at, at) = spatial;
    f.segment<3>(at) += mc.cross(g) - s.w.cross(about * s.w);
    f.segment<3>(at + 3) += I.mass * g - s.w.cross(s.w.cross(mc));
  }
  void add_spring(const SpringDescription& spring, Eigen::VectorXd& f) {
    const auto [A, F] = placed_at(spring.frame);
    const auto [B, M] = placed_at(spring.other_frame);
    const Eigen::Vector3d d = M.p - F.p, u = d.normalized();
    const double rate = u.dot(forms_.velocity_at(B, M.p) - forms_.velocity_at(A, F.p));
    const double pull = values_(spring.stiffness) * (d.norm() - values_(spring.length)) +
                        values_(spring.damping) * rate;
    for (const auto& [body, p, sign] : {std::tuple{A, F.p, 1.0}, std::tuple{B, M.p, -1.0}}) {
      f.segment<3>(6 * body) += sign * pull * (p - forms_.solid(body).X.p).cross(u);
      f.segment<3>(6 * body + 3) += sign * pull * u;
    }
  }
  void add_wrench(const Wrench& wrench, Eigen::VectorXd& f) {
    const int body = index(wrench.at.body);
    const PlainFrame X = forms_.solid(body).X * plain(wrench.at.X_UA);
    Eigen::Vector3d moment = column(wrench.F.moment), force = column(wrench.F.force);
    if (wrench.axes == Axes::body) moment = X.R * moment, force = X.R * force;
    f.segment<3>(6 * body) += moment + (X.p - forms_.solid(body).X.p).cross(force);
    f.segment<3>(6 * body + 3) += force;
  }

  // Wrenches on the children, with the self-stress of minimum norm.
  void share(const Eigen::VectorXd& lambda, const Eigen::MatrixXd& stress,
             const std::vector<double>& effort) {
    const auto m = Eigen::Index(rows_.size());
    const auto joints = Eigen::Index(forces_.size());
    Eigen::MatrixXd C = Eigen::MatrixXd::Zero(6 * joints, m);
    Eigen::VectorXd base = Eigen::VectorXd::Zero(6 * joints);
    for (Eigen::Index j = 0; j < joints; ++j) {
      const Carrier& tree_body = forces_[std::size_t(j)];
      const std::string& name = model_.joints()[std::size_t(j)].name;
      const Eigen::Vector3d r = forms_.solid(tree_body.child).X.p - tree_body.M.p;
      const auto at_M = [&](const Form& form) -> Vector6 {
        Vector6 F = Vector6::Zero();
        for (const auto& [body, part] : form.parts)
          if (body == tree_body.child) F += part;
        const Eigen::Vector3d moment = F.head<3>() + r.cross(F.tail<3>());
        Vector6 out;
        out << tree_body.M.R.transpose() * moment, tree_body.M.R.transpose() * F.tail<3>();
        return out;
      };
      for (const int row : tree_body.rows)
        C.block<6, 1>(6 * j, row) += at_M(rows_[std::size_t(row)]);
      for (const auto& [rate, coordinate, dof] : tree_body.efforts) {
        const Vector6 F = at_M(rate);
        if (dof < 0) base.segment<6>(6 * j) += passive_of_loop({name, coordinate}) * F;
        if (dof >= 0) base.segment<6>(6 * j) += effort[std::size_t(dof)] * F;
        for (const Coupled& coupled : coupled_)
          if (coupled.joint == name && coupled.coordinate == coordinate)
            C.block<6, 1>(6 * j, coupled.row) += coupled.factor * F;
      }
    }
    Eigen::VectorXd weight(6 * joints);
    for (Eigen::Index k = 0; k < weight.size(); ++k)
      weight[k] = k % 6 < 3 ? 1 / stress_length(model_) : 1;
    Eigen::VectorXd all = base + C * lambda;
    const Eigen::MatrixXd free = C * stress;
    if (stress.cols() > 0) {
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> least;
      least.setThreshold(1e-9);
      least.compute(weight.asDiagonal() * free);
      all -= free * least.solve(weight.asDiagonal() * all);
    }
    const double noise = 1e-9 * largest(free);
    for (Eigen::Index j = 0; j < joints; ++j) {
      carried.push_back(all.segment<6>(6 * j));
      is_unique.emplace_back();
      for (Eigen::Index k = 0; k < 6; ++k)
        is_unique.back()[k] = largest(free.row(6 * j + k)) <= noise;
    }
  }
  // a row that acts on a coordinate of a joint
  struct Coupled {
    std::string joint;
    int coordinate, row;
    double factor;
  };
  const Model& model_;
  Values<double> values_;
  MaximalForms forms_;  // of the named bodies, then of massless ones
  std::size_t real_ = 0;
  std::vector<Form> rows_;
  std::vector<Form> tree_;  // per degree of freedom: its rate
  std::map<std::pair<std::string, int>, Form> coordinates_;
  std::vector<Carrier> forces_;
  std::vector<Coupled> coupled_;
  std::map<std::pair<std::string, int>, double> passive_;  // of loop joints
};

}  // namespace trammel
