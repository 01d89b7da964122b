#include "trammel/constraint/mobility/natural_complement.hpp"

#include <fmt/format.h>

#include <Eigen/Core>

#include "trammel/base/expects.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/kernel/tree/passive_forces.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Columns6 = Eigen::Matrix<double, 6, Eigen::Dynamic>;

Vector6 six(const Vec3<double>& a, const Vec3<double>& b) {
  Vector6 x;
  x << a.x, a.y, a.z, b.x, b.y, b.z;
  return x;
}
Force<double> force_of(const Vector6& x) { return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}}; }

// A relation between two bodies: a wrench at a point, in world axes.
struct Relation {
  std::string name;
  BodyId inboard, outboard;
  Vec3<double> p;
  Force<double> F;
};

class MaximalCoordinates {
 public:
  MaximalCoordinates(const Model& model, const Kinematics& moving, NaturalComplement& out)
      : model_(model), moving_(moving), out_(out) {
    for (std::size_t n = 1; n < model.named_bodies().size(); ++n) {
      const Inertia<double>& I = model.numbers().own_inertia[n];
      const Vec3<double> com =
          I.mass > 0 ? (1 / I.mass) * I.first_moment : Vec3<double>{};  // else its origin
      out.bodies.push_back(BodyId{int(n)});
      centers_.push_back({BodyId{int(n)}, {Mat3<double>::identity(), com}});
    }
  }

  void write_motion(const OrthogonalComplement& complement) {
    const Eigen::Index n = 6 * Eigen::Index(centers_.size());
    out_.T.resize(n, complement.T.cols());
    out_.t.resize(n);
    out_.T_dot_u.resize(n);
    out_.gyroscopic.resize(n);
    out_.M = Eigen::MatrixXd::Zero(n, n);
    Eigen::MatrixXd J(6, model_.nv());
    for (std::size_t k = 0; k < centers_.size(); ++k) {
      const auto start = Eigen::Index(6 * k);
      const Status status = jacobian(model_, moving_, centers_[k], Axes::world, J);
      TRAMMEL_EXPECTS(status.ok());
      out_.T.middleRows<6>(start) = J * complement.T;
      const Motion<double> V = velocity(model_, moving_, centers_[k]);
      const Motion<double> A = acceleration(model_, moving_, centers_[k]);
      out_.t.segment<6>(start) = six(V.angular, V.linear);
      out_.T_dot_u.segment<6>(start) = six(A.angular, A.linear);

      const Inertia<double>& own = model_.numbers().own_inertia[std::size_t(index(out_.bodies[k]))];
      const Inertia<double> I =
          turned(X_WU(out_.bodies[k]).R, shifted(-1.0 * centers_[k].X_UA.p, own));
      for (int column = 0; column < 3; ++column) {
        const Vec3<double> axis = unit(column);
        const Vec3<double> c = I.rotational * axis;
        out_.M.block<3, 1>(start, start + column) << c.x, c.y, c.z;
        out_.M(start + 3 + column, start + 3 + column) = I.mass;
      }
      out_.gyroscopic.segment<6>(start) =
          six(cross(V.angular, I.rotational * V.angular), Vec3<double>{});
    }
  }

  // rows of tree joints and fixed joints, then the constraint rows
  void write_rows(const ConstraintRows& rows) {
    for (const JointId id : model_.outward_joints()) add_joint(model_[id]);
    const int start = int(relations_.size());
    out_.A = Eigen::MatrixXd::Zero(start + rows.count(), 6 * Eigen::Index(centers_.size()));
    for (const Relation& relation : relations_) {
      add_to_row(int(out_.rows.size()), relation, 1);
      out_.rows.push_back(relation.name);
    }
    for (int k = 0; k < rows.count(); ++k) out_.rows.push_back(rows.name(k));
    for (const ConstraintRows::RowWrench& push : rows.row_wrenches())
      add_to_row(start + push.row, {"", push.parent, push.child, push.p, push.F}, 1);
    // rows on the tree's own velocities: prescribed and locked joints, couplings
    for (const auto& [row, dof, factor] : rows.at().evaluated().directs)
      add_to_row(start + row, rate_of(dof), factor);
  }

  // effort of each dof, between the two bodies that its joint connects
  void push_joints(const Eigen::VectorXd& effort) {
    for (const NamedJoint& joint : model_.joints())
      for (int f = joint.v_start; f < joint.v_start + joint.nv; ++f)
        if (effort[f] != 0) push(rate_of(f), effort[f]);
  }
  void push_body(BodyId body, const Vec3<double>& p, const Force<double>& F) {
    push({"", BodyId{0}, body, p, F}, 1);
  }
  void push_between(const ElementForce& force) {
    push({"", force.parent, force.child, force.p, force.F}, 1);
  }
  void start_working() { out_.working = Eigen::VectorXd::Zero(6 * Eigen::Index(centers_.size())); }
  void push_gravity() {
    for (std::size_t k = 0; k < centers_.size(); ++k) {
      const double mass = out_.M(Eigen::Index(6 * k + 3), Eigen::Index(6 * k + 3));
      const Vec3<double>& g = model_.numbers().gravity;
      out_.working.segment<3>(Eigen::Index(6 * k + 3)) += mass * Eigen::Vector3d(g.x, g.y, g.z);
    }
  }
  Pose<double> X_WU(BodyId body) const { return pose(model_, moving_, FrameRef{body}); }

 private:
  static Vec3<double> unit(int k) { return {k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0}; }
  static std::pair<BodyId, BodyId> inboard_and_outboard(const NamedJoint& joint) {
    return joint.is_reversed ? std::pair{joint.child, joint.parent}
                             : std::pair{joint.parent, joint.child};
  }
  // motion subspace of a tree joint, at its body's origin in that body's axes
  Columns6 columns_of(const NamedJoint& joint) const {
    const Mat3<double>& R = moving_.X_WB[std::size_t(joint.body)].R;
    Columns6 S(6, joint.nv);
    for (int k = 0; k < joint.nv; ++k) {
      const Motion<double>& column = moving_.axes[std::size_t(joint.v_start + k)];
      S.col(k) = six(transpose_times(R, column.angular), transpose_times(R, column.linear));
    }
    return S;
  }
  void add_relation(const std::string& name, BodyId inboard, BodyId outboard, const Pose<double>& X,
                    const Force<double>& F) {
    relations_.push_back({name, inboard, outboard, X.p, {X.R * F.moment, X.R * F.force}});
  }
  // constraint wrenches: those without power on any dof of the joint
  void add_joint(const NamedJoint& joint) {
    const auto [inboard, outboard] = inboard_and_outboard(joint);
    const bool is_fixed = joint.role == NamedJoint::Role::fixed;
    const Pose<double> X =
        is_fixed ? X_WU(joint.child) * joint.X_CM : moving_.X_WB[std::size_t(joint.body)];
    Eigen::Matrix<double, 6, 6> Q = Eigen::Matrix<double, 6, 6>::Identity();
    if (joint.nv > 0) Q = full_pivot_q(columns_of(joint));
    for (int k = joint.nv; k < 6; ++k)
      add_relation(fmt::format("joint '{}': wrench {}", joint.name, k - joint.nv + 1), inboard,
                   outboard, X, force_of(Q.col(k)));
  }
  // wrench whose power on the motion across the joint is the velocity of one dof
  Relation rate_of(int dof) const {
    for (const NamedJoint& joint : model_.joints()) {
      if (dof < joint.v_start || dof >= joint.v_start + joint.nv) continue;
      const auto [inboard, outboard] = inboard_and_outboard(joint);
      const Pose<double>& X = moving_.X_WB[std::size_t(joint.body)];
      const Eigen::MatrixXd dual = OrthogonalDecomposition(columns_of(joint)).pseudo_inverse();
      const Force<double> F = force_of(dual.row(dof - joint.v_start).transpose());
      return {"", inboard, outboard, X.p, {X.R * F.moment, X.R * F.force}};
    }
    return {};
  }
  // the wrench, shifted to each body's center of mass
  template <class Visit> void at_centers(const Relation& relation, const Visit& visit) const {
    for (const auto& [body, sign] : {std::pair{relation.outboard, 1.0}, {relation.inboard, -1.0}}) {
      if (index(body) == 0) continue;
      const auto k = std::size_t(index(body) - 1);
      const Vec3<double> center = X_WU(body) * centers_[k].X_UA.p;
      const Force<double> F = acting_at(relation.p - center, relation.F);
      visit(Eigen::Index(6 * k), Vector6(sign * six(F.moment, F.force)));
    }
  }
  void add_to_row(int row, const Relation& relation, double factor) {
    at_centers(relation, [&](Eigen::Index start, const Vector6& F) {
      out_.A.block<1, 6>(row, start) += factor * F.transpose();
    });
  }
  void push(const Relation& relation, double factor) {
    at_centers(relation, [&](Eigen::Index start, const Vector6& F) {
      out_.working.segment<6>(start) += factor * F;
    });
  }

  const Model& model_;
  const Kinematics& moving_;
  NaturalComplement& out_;
  std::vector<FrameRef> centers_;
  std::vector<Relation> relations_;
};

}  // namespace

Status natural_complement(const Model& model, const State& state, const Inputs& inputs,
                          const OrthogonalComplement& complement, Workspace& workspace,
                          NaturalComplement& out) {
  const EvalContext context("natural_complement", model, state, inputs, workspace,
                            Constraints::honored, Forces::acting);
  if (!context.ok()) return context.status();
  expects_matrix("natural_complement", "the complement's T", complement.T, model.nv(),
                 int(complement.u.size()));
  const auto& [V, A] = inputs.ground;
  if (dot(V.angular, V.angular) + dot(V.linear, V.linear) + dot(A.angular, A.angular) +
          dot(A.linear, A.linear) >
      0)
    return Status::failure(
        "natural_complement: ground moves, but ground has no twist in maximal coordinates: replace "
        "it by a body with a joint driven by motion");
  out = {};
  Kinematics moving(model);
  kernel::kernels().kinematics(context.unloaded_input(), context.q(), context.v(),
                               as_span(complement.T_dot_u), *workspace, moving);
  MaximalCoordinates maximal(model, moving, out);
  maximal.write_motion(complement);
  ConstraintRows rows(model);
  const std::vector<double> steady(std::size_t(model.loop_nv()));
  rows.evaluate(model, moving, state.q, state.v, as_span(complement.T_dot_u), inputs.a,
                inputs.loop_a.empty() ? std::span<const double>(steady) : inputs.loop_a);
  maximal.write_rows(rows);

  maximal.start_working();
  maximal.push_gravity();
  for (const Wrench& wrench : inputs.wrenches) {
    const Pose<double> X_WA = maximal.X_WU(wrench.at.body) * wrench.at.X_UA;
    const Force<double>& F = wrench.F;
    maximal.push_body(
        wrench.at.body, X_WA.p,
        wrench.axes == Axes::world ? F : Force<double>{X_WA.R * F.moment, X_WA.R * F.force});
  }
  for (const ElementForce& force : workspace->element_forces) maximal.push_between(force);
  Eigen::VectorXd effort = as_vector(context.tau());
  kernel::add_passive_forces<double, double>(model.numbers(), state.q, state.v,
                                             {effort.data(), std::size_t(effort.size())});
  maximal.push_joints(effort);
  return {};
}

}  // namespace trammel
