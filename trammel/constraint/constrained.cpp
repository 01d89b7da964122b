#include "trammel/dynamics/constrained.hpp"

#include <Eigen/QR>

#include "trammel/constraint/agreement.hpp"
#include "trammel/constraint/assembly.hpp"
#include "trammel/constraint/constrained_dynamics.hpp"
#include "trammel/constraint/gaps.hpp"
#include "trammel/constraint/rows.hpp"
#include "trammel/dynamics/kernel/table.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/question.hpp"
#include "trammel/dynamics/reactions.hpp"

namespace trammel {

namespace {

// A state this far open is a mistake, not the rounding of an integrator: relative to the
// mechanism's length, and to its fastest velocity.
constexpr double open_tolerance = 1e-6;
// Velocities of a mechanism that stands still, made consistent, are not quite zero. [m/s]
constexpr double rounding = 1e-12;
// A state closed this far can be judged for rank as it is.
constexpr double closed_tolerance = 1e-11;

Eigen::Map<const Eigen::VectorXd> vector(std::span<const double> x) {
  return {x.data(), Eigen::Index(x.size())};
}

class System final : public Constrained {
 public:
  explicit System(const Model& model)
      : rows_(model), M_(model.nv(), model.nv()), effort_(std::size_t(model.nv())) {}

  Status check_closed(const char* question, const Model& model, const State& state,
                      Workspace& workspace) override {
    look(model, state.q, state.v, workspace);
    const double length = model.characteristic_length();
    for (const Gap& gap : gaps(rows_, rows_.error()))
      if (!(gap.length <= open_tolerance * length && gap.angle <= open_tolerance))
        return Status::failure(fmt::format("{}: {}: close the loops first, with assemble", question,
                                           widest_gap(model, rows_)));
    double fastest = 0;
    for (const double v : state.v) fastest = std::max(fastest, std::abs(v));
    const std::vector<Gap> drifts = gaps(rows_, rows_.rate());
    for (std::size_t k = 0; k < drifts.size(); ++k)
      if (!(drifts[k].length + drifts[k].angle * length <=
            open_tolerance * (1 + length) * fastest + rounding))
        return Status::failure(
            fmt::format("{}: the velocities tear {} apart, at {:.3g} m/s and {:.3g} rad/s: make "
                        "them consistent "
                        "with assemble",
                        question, rows_.holder_names()[k], drifts[k].length, drifts[k].angle));
    return {};
  }

  Status forward_dynamics(const Question& question, Workspace& workspace,
                          std::span<double> a) override {
    ConstrainedAnswer answer;
    if (Status status = solve(question, workspace, Road::automatic, nullptr, answer); !status)
      return status;
    std::copy_n(answer.a.data(), a.size(), a.begin());
    return {};
  }

  Status inverse_dynamics(const Question& question, Workspace& workspace,
                          std::span<double> tau) override {
    const Model& model = question.model();
    RankPlan plan;
    if (Status status = decide(model, question.state(), workspace, plan); !status) return status;
    kernel::kernels().inverse_dynamics(question.scene(), question.q(), question.v(), question.a(),
                                       workspace, effort_);
    kernel::kernels().kinematics(question.unloaded_scene(), question.q(), question.v(),
                                 question.a(), workspace, workspace.kinematics);
    rows_.evaluate(model, workspace.kinematics, question.q(), question.v(), question.a(),
                   question.a());
    if (Status status = check_kept_closed(question); !status) return status;

    // what the motions that remain need, shared among the drives
    const std::vector<int> drives = driven_freedoms(model);
    const Eigen::MatrixXd T = complement(rows_.jacobian(), plan);
    Eigen::MatrixXd A(T.cols(), Eigen::Index(drives.size()));
    for (std::size_t k = 0; k < drives.size(); ++k)
      A.col(Eigen::Index(k)) = T.row(drives[k]).transpose();
    const Eigen::VectorXd needed = T.transpose() * vector(effort_);
    const Eigen::VectorXd u =
        A.size() > 0 ? Eigen::VectorXd(A.completeOrthogonalDecomposition().solve(needed))
                     : Eigen::VectorXd::Zero(A.cols());
    const Eigen::VectorXd lacking = needed - A * u;
    if (lacking.norm() > 1e-9 * (1 + vector(effort_).norm()))
      return cannot_drive(question, T * lacking);
    std::fill(tau.begin(), tau.end(), 0.0);
    for (std::size_t k = 0; k < drives.size(); ++k)
      tau[std::size_t(drives[k])] = u[Eigen::Index(k)];
    return {};
  }

  Status reactions(const Question& question, Workspace& workspace,
                   std::vector<Force<double>>& out) override {
    UniqueReactions answer;
    if (Status status = reactions(question, workspace, answer); !status) return status;
    out = std::move(answer.force);
    return {};
  }

  Status solve(const Question& question, Workspace& workspace, Road road, const RankPlan* plan,
               ConstrainedAnswer& out) {
    const Model& model = question.model();
    const auto scene = question.scene();
    kernel::kernels().mass_matrix(scene, question.q(), workspace, span_of(M_));
    kernel::kernels().inverse_dynamics(scene, question.q(), question.v(), question.zero(),
                                       workspace, effort_);
    if (plan == nullptr) {
      if (Status status = decide(model, question.state(), workspace, out.plan); !status)
        return status;
    } else {
      out.plan = *plan;
    }
    kernel::kernels().kinematics(question.unloaded_scene(), question.q(), question.v(),
                                 question.zero(), workspace, workspace.kinematics);
    rows_.evaluate(model, workspace.kinematics, question.q(), question.v(), question.zero(),
                   question.inputs().a);
    RoadAnswer answer;
    const Eigen::VectorXd f = vector(question.tau()) - vector(effort_);
    if (Status status =
            travel(road, M_, rows_.jacobian(), f, -rows_.acceleration(), out.plan, answer);
        !status)
      return Status::failure(
          fmt::format("{}: {}{}", question.name(), status.message(),
                      undetermined_motion(model, M_, rows_.jacobian(), out.plan)));
    out.a = std::move(answer.a);
    out.lambda = std::move(answer.lambda);
    out.road = answer.taken;
    return check_left_out_rows(question.name(), rows_, out.plan, out.a);
  }

  // at the state, or, if that is a little open, at the closed one beside it
  Status decide(const Model& model, const State& state, Workspace& workspace, RankPlan& plan) {
    look(model, state.q, state.v, workspace);
    if (rows_.error().size() > 0 &&
        rows_.error().cwiseAbs().maxCoeff() > closed_tolerance * model.characteristic_length()) {
      State closed = state;
      if (Status status = assemble(model, closed, workspace); !status) return status;
      look(model, closed.q, closed.v, workspace);
      Eigen::MatrixXd M(model.nv(), model.nv());
      kernel::kernels().mass_matrix({model, model.numbers()}, closed.q, workspace, span_of(M));
      plan = decide_rank(rows_.jacobian(), M, rows_.natural_lengths());
      return {};
    }
    kernel::kernels().mass_matrix({model, model.numbers()}, state.q, workspace, span_of(M_));
    plan = decide_rank(rows_.jacobian(), M_, rows_.natural_lengths());
    return {};
  }

  Status reactions(const Question& question, Workspace& workspace, UniqueReactions& out) {
    const Model& model = question.model();
    if (Status status = refuse_accelerations(question); !status) return status;
    ConstrainedAnswer answer;
    if (Status status = solve(question, workspace, Road::automatic, nullptr, answer); !status)
      return status;
    kernel::kernels().kinematics(question.unloaded_scene(), question.q(), question.v(),
                                 {answer.a.data(), std::size_t(answer.a.size())}, workspace,
                                 workspace.kinematics);
    const Eigen::VectorXd some = carried(question, workspace, answer.lambda);
    const Eigen::MatrixXd sets = dependent_sets(rows_.jacobian(), answer.plan);
    Eigen::MatrixXd stress(some.size(), sets.cols());
    for (Eigen::Index k = 0; k < sets.cols(); ++k)
      stress.col(k) = carried(question, workspace, answer.lambda + sets.col(k)) - some;

    // the least, moments measured by the mechanism's length
    Eigen::VectorXd weight(some.size());
    for (Eigen::Index k = 0; k < weight.size(); ++k)
      weight[k] = k % 6 < 3 ? 1 / model.characteristic_length() : 1;
    Eigen::VectorXd chosen = some;
    if (sets.cols() > 0)
      chosen -= stress * (weight.asDiagonal() * stress)
                             .completeOrthogonalDecomposition()
                             .solve(weight.asDiagonal() * some);
    const double noise = 1e-9 * (stress.size() > 0 ? stress.cwiseAbs().maxCoeff() : 0);
    out.force.resize(model.joints().size());
    out.is_unique.resize(model.joints().size());
    for (std::size_t j = 0; j < out.force.size(); ++j) {
      const double* x = chosen.data() + 6 * j;
      out.force[j] = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
      for (std::size_t k = 0; k < 6; ++k)
        out.is_unique[j][k] =
            sets.cols() == 0 || stress.row(Eigen::Index(6 * j + k)).cwiseAbs().maxCoeff() <= noise;
    }
    return {};
  }

  const Eigen::MatrixXd& jacobian() const { return rows_.jacobian(); }

 private:
  // Freedoms of joints with a drive; of all joints if no drive was said.
  static std::vector<int> driven_freedoms(const Model& model) {
    std::vector<int> driven, all;
    for (const NamedJoint& joint : model.joints())
      for (int f = joint.v_start; f < joint.v_start + joint.nv; ++f) {
        all.push_back(f);
        if (joint.drive != Drive::none) driven.push_back(f);
      }
    return driven.empty() ? all : driven;
  }
  Status check_kept_closed(const Question& question) const {
    double largest = 1;
    for (const double a : question.a()) largest = std::max(largest, std::abs(a));
    const double length = question.model().characteristic_length();
    const std::vector<Gap> tears = gaps(rows_, rows_.acceleration());
    for (std::size_t k = 0; k < tears.size(); ++k)
      if (!(tears[k].length + tears[k].angle * length <= open_tolerance * (1 + length) * largest))
        return Status::failure(fmt::format(
            "{}: the accelerations tear {} apart, at {:.3g} m/s^2 and {:.3g} rad/s^2: give those "
            "of a motion that keeps the loops closed",
            question.name(), rows_.holder_names()[k], tears[k].length, tears[k].angle));
    return {};
  }
  static Status cannot_drive(const Question& question, const Eigen::VectorXd& motion) {
    Eigen::Index most = 0;
    motion.cwiseAbs().maxCoeff(&most);
    return Status::failure(fmt::format(
        "{}: the drives cannot produce this motion: none of them acts on the one in which joint "
        "'{}' moves most; drive another joint, or ask forward_dynamics what it does by itself",
        question.name(), question.model().freedom_name(int(most))));
  }
  // Accelerations follow from the efforts; only those of planned joints are an input.
  static Status refuse_accelerations(const Question& question) {
    const std::span<const double> a = question.inputs().a;
    for (std::size_t f = 0; f < a.size(); ++f)
      if (a[f] != 0 && !question.model().is_prescribed(int(f)))
        return Status::failure(fmt::format(
            "{}: the model has loops, and its accelerations follow from inputs.tau: leave "
            "inputs.a of joint '{}' zero",
            question.name(), question.model().freedom_name(int(f))));
    return {};
  }
  void look(const Model& model, std::span<const double> q, std::span<const double> v,
            Workspace& workspace) {
    kernel::kernels().kinematics({model, model.numbers()}, q, v, workspace.zero, workspace,
                                 workspace.kinematics);
    rows_.evaluate(model, workspace.kinematics, q, v, workspace.zero, {});
  }

  // What all joints carry with these multipliers, six numbers each; kinematics are those of the
  // accelerations.
  Eigen::VectorXd carried(const Question& question, Workspace& workspace,
                          const Eigen::VectorXd& lambda) {
    const Model& model = question.model();
    const Kinematics& kinematics = workspace.kinematics;
    std::vector<Force<double>>& on_body = workspace.on_body;
    std::fill(on_body.begin(), on_body.end(), Force<double>{});
    const auto push = [&](BodyId body, const Force<double>& F, const Vec3<double>& p) {
      const Pose<double> X_WU = kinematics.X_WB[std::size_t(model[body].carrier)] *
                                model.numbers().X_BU[std::size_t(index(body))];
      const Force<double> at_origin = acting_at(p - X_WU.p, F);
      on_body[std::size_t(index(body))] += Force<double>{transpose_times(X_WU.R, at_origin.moment),
                                                         transpose_times(X_WU.R, at_origin.force)};
    };
    for (const Wrench& wrench : question.inputs().wrenches) {
      const Pose<double> X_WA =
          kinematics.X_WB[std::size_t(model[wrench.at.body].carrier)] * placed(model, wrench.at);
      const Force<double> F = wrench.axes == Axes::world ? wrench.F
                                                         : Force<double>{X_WA.R * wrench.F.moment,
                                                                         X_WA.R * wrench.F.force};
      push(wrench.at.body, F, X_WA.p);
    }
    for (const Rows::Push& row : rows_.pushes()) {
      const Force<double> F = lambda[row.row] * row.F;
      push(row.child, F, row.p);
      push(row.parent, -F, row.p);
    }
    std::vector<Force<double>> forces(model.joints().size());
    kernel::reactions<double, double>(question.unloaded_scene(), kinematics, on_body, forces);
    const std::vector<Force<double>> of_closures = rows_.carried(lambda);
    for (std::size_t c = 0; c < of_closures.size(); ++c)
      if (const auto named = model.closures()[c].named) {
        const Mat3<double>& T = model.numbers().closures[c].turn;
        forces[std::size_t(index(*named))] = {T * of_closures[c].moment, T * of_closures[c].force};
      }
    Eigen::VectorXd all(Eigen::Index(6 * forces.size()));
    for (std::size_t j = 0; j < forces.size(); ++j) {
      const auto& [n, f] = forces[j];
      all.segment<6>(Eigen::Index(6 * j)) << n.x, n.y, n.z, f.x, f.y, f.z;
    }
    return all;
  }

  Rows rows_;
  Eigen::MatrixXd M_;
  std::vector<double> effort_;
};

// Where a model has no constraints, the rows are none and everything holds.
template <class Ask>
Status ask(const char* name, const Model& model, const State& state, const Inputs& inputs,
           Workspace& workspace, const Ask& answer) {
  const Question question(name, model, state, inputs, workspace, Constraints::honoured);
  if (!question.ok()) return question.status();
  System tree(model);
  return answer(question,
                workspace.constrained ? static_cast<System&>(*workspace.constrained) : tree);
}

}  // namespace

std::unique_ptr<Constrained> make_constrained(const Model& model) {
  if (!model.has_constraints()) return nullptr;
  return std::make_unique<System>(model);
}

std::vector<std::string> row_names(const Model& model) {
  const Rows rows(model);
  std::vector<std::string> names;
  for (int k = 0; k < rows.count(); ++k) names.push_back(rows.name(k));
  return names;
}

Status constrained_dynamics(const Model& model, const State& state, const Inputs& inputs,
                            Workspace& workspace, ConstrainedAnswer& out, Road road,
                            const RankPlan* plan) {
  return ask("constrained_dynamics", model, state, inputs, workspace,
             [&](const Question& question, System& system) {
               return system.solve(question, workspace, road, plan, out);
             });
}
Status rank_plan(const Model& model, const State& state, Workspace& workspace, RankPlan& out) {
  return ask("rank_plan", model, state, {}, workspace, [&](const Question&, System& system) {
    return system.decide(model, state, workspace, out);
  });
}
Status constraint_jacobian(const Model& model, const State& state, Workspace& workspace,
                           Eigen::MatrixXd& out) {
  return ask("constraint_jacobian", model, state, {}, workspace,
             [&](const Question&, System& system) {
               out = system.jacobian();  // the check of the state has just made it
               return Status();
             });
}
Status constrained_reactions(const Model& model, const State& state, const Inputs& inputs,
                             Workspace& workspace, UniqueReactions& out) {
  return ask("constrained_reactions", model, state, inputs, workspace,
             [&](const Question& question, System& system) {
               return system.reactions(question, workspace, out);
             });
}

}  // namespace trammel
