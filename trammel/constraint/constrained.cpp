#include "trammel/dynamics/constrained.hpp"

#include <Eigen/QR>

#include "trammel/constraint/agreement.hpp"
#include "trammel/constraint/assembly.hpp"
#include "trammel/constraint/constrained_dynamics.hpp"
#include "trammel/constraint/gaps.hpp"
#include "trammel/constraint/loop_forces.hpp"
#include "trammel/constraint/projection.hpp"
#include "trammel/constraint/rows.hpp"
#include "trammel/constraint/sweep_road.hpp"
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
    if (!rows_.flat_wheel().empty())
      return Status::failure(fmt::format("{}: {} lies flat on its floor and cannot roll: raise it",
                                         question, rows_.flat_wheel()));
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
        return torn(question, rows_.holder_names()[k], drifts[k]);
    return {};
  }

  Status keep_closed(const Model& model, State& state, Workspace& workspace, double gap) override {
    before_.q = state.q;
    before_.v = state.v;
    if (SweepRoad* sweep = sweep_road(model, workspace, Road::automatic);
        sweep != nullptr && sweep->keeps_closed(model, state, workspace, rows_, gap))
      return {};
    state.q = before_.q;
    state.v = before_.v;
    if (Status status = project_position(model, state, workspace); !status) return status;
    return project_velocity(model, state, workspace);
  }

  Status forward_dynamics(const Question& question, Workspace& workspace,
                          std::span<double> a) override {
    if (Status status = check_plans(question); !status) return status;
    if (SweepRoad* sweep = sweep_road(question.model(), workspace, Road::automatic);
        sweep != nullptr && sweep->answers(question, workspace, rows_, a))
      return {};
    if (Status status =
            check_closed(question.name(), question.model(), question.state(), workspace);
        !status)
      return status;
    ConstrainedAnswer answer;
    if (Status status = solve(question, workspace, Road::automatic, nullptr, answer); !status)
      return status;
    std::copy_n(answer.a.data(), a.size(), a.begin());
    return {};
  }

  void forward_dynamics_batch(const kernel::Batch& batch, const double* tau, Workspace& workspace,
                              double* a, std::span<char> is_sure) override {
    if (SweepRoad* sweep = sweep_road(batch.model, workspace, Road::automatic))
      sweep->answer_batch(batch, tau, a, is_sure);
    else
      std::ranges::fill(is_sure, false);
  }

  Status inverse_dynamics(const Question& question, Workspace& workspace,
                          std::span<double> tau) override {
    if (const int freedom = driven_loop_freedom(question.model()); freedom >= 0)
      return Status::failure(
          fmt::format("{}: loop joint '{}' is driven, and tau has no entry for its effort: ask "
                      "drive_efforts",
                      question.name(), question.model().closure_freedom_name(freedom)));
    DriveEfforts efforts;
    if (Status status = drive_efforts(question, workspace, efforts); !status) return status;
    std::copy_n(efforts.tau.data(), tau.size(), tau.begin());
    return {};
  }

  Status drive_efforts(const Question& question, Workspace& workspace, DriveEfforts& out) {
    const Model& model = question.model();
    if (!question.inputs().loop_tau.empty())
      return Status::failure(
          fmt::format("{}: efforts are the answer: leave inputs.loop_tau out", question.name()));
    if (Status status = check_planned_only(question); !status) return status;
    RankPlan plan;  // planned joints are drives here, what they do is asked
    if (Status status = decide(model, question.state(), workspace, plan, rows_.planned_start());
        !status)
      return status;
    kernel::kernels().inverse_dynamics(question.scene(), question.q(), question.v(), question.a(),
                                       workspace, effort_);
    kernel::kernels().kinematics(question.unloaded_scene(), question.q(), question.v(),
                                 question.a(), workspace, workspace.kinematics);
    rows_.evaluate(model, workspace.kinematics, question.q(), question.v(), question.a(),
                   question.a(), question.inputs().loop_a);
    if (Status status = check_kept_closed(question); !status) return status;

    // what the motions that remain need, shared among the drives
    const std::vector<int> drives = driven_freedoms(model), loops = driven_loop_freedoms(model);
    const Eigen::MatrixXd T = complement(rows_.jacobian().topRows(rows_.planned_start()), plan);
    const auto n = Eigen::Index(drives.size());
    Eigen::MatrixXd A(T.cols(), n + Eigen::Index(loops.size()));
    for (std::size_t k = 0; k < drives.size(); ++k)
      A.col(Eigen::Index(k)) = T.row(drives[k]).transpose();
    for (std::size_t k = 0; k < loops.size(); ++k)
      A.col(n + Eigen::Index(k)) =
          T.transpose() * effort_of_loop(model, workspace.kinematics, loops[k]);
    const Eigen::VectorXd needed = T.transpose() * vector(effort_);
    const Eigen::VectorXd u =
        A.size() > 0 ? Eigen::VectorXd(A.completeOrthogonalDecomposition().solve(needed))
                     : Eigen::VectorXd::Zero(A.cols());
    const Eigen::VectorXd lacking = needed - A * u;
    if (lacking.norm() > 1e-9 * (1 + vector(effort_).norm()))
      return cannot_drive(question, T * lacking);
    out.tau = Eigen::VectorXd::Zero(model.nv());
    out.loop_tau = Eigen::VectorXd::Zero(model.closure_nv());
    for (std::size_t k = 0; k < drives.size(); ++k) out.tau[drives[k]] = u[Eigen::Index(k)];
    for (std::size_t k = 0; k < loops.size(); ++k) out.loop_tau[loops[k]] = u[n + Eigen::Index(k)];
    return {};
  }

  Status hybrid_dynamics(const Question& question, Workspace& workspace, std::span<double> a,
                         std::span<double> tau) override {
    ConstrainedAnswer answer;
    if (Status status = solve(question, workspace, Road::automatic, nullptr, answer); !status)
      return status;
    const Eigen::MatrixXd sets = dependent_sets(rows_.jacobian(), answer.plan);
    std::copy_n(answer.a.data(), a.size(), a.begin());
    std::ranges::copy(question.tau(), tau.begin());
    for (int row = rows_.planned_start(); row < rows_.count(); ++row) {
      if (sets.cols() > 0 && sets.row(row).cwiseAbs().maxCoeff() > 0)
        return Status::failure(fmt::format(
            "{}: the effort of the {} is not unique, because others hold the same motion: plan or "
            "lock fewer joints, or ask forward_dynamics for the accelerations",
            question.name(), rows_.name(row)));
      if (const int freedom = rows_.planned_freedom(row); freedom >= 0)
        tau[std::size_t(freedom)] += answer.lambda[row];
    }
    return {};
  }

  Status add_loop_forces(const char* question, const Model& model, const Kinematics& kinematics,
                         std::span<const double> loop_tau,
                         std::vector<ElementForce>& out) override {
    return trammel::add_loop_forces(question, model, kinematics, loop_tau, out);
  }
  double elastic_energy(const Model& model, const Kinematics& kinematics) override {
    return loop_energy(model, kinematics);
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
    if (Status status = check_plans(question); !status) return status;
    if (plan == nullptr) {
      // the first time it looks around, and leaves the rows elsewhere: so before they are needed
      if (may_sweep(road)) sweep_road(model, workspace, road);
      if (Status status = decide(model, question.state(), workspace, out.plan); !status)
        return status;
      if (by_sweep(question, workspace, road, out)) return {};
      if (road == Road::star || road == Road::cluster) return no_sweep(question, road);
    } else {
      out.plan = *plan;
    }
    const auto scene = question.scene();
    kernel::kernels().mass_matrix(scene, question.q(), workspace, span_of(M_));
    kernel::kernels().inverse_dynamics(scene, question.q(), question.v(), question.zero(),
                                       workspace, effort_);
    kernel::kernels().kinematics(question.unloaded_scene(), question.q(), question.v(),
                                 question.zero(), workspace, workspace.kinematics);
    rows_.evaluate(model, workspace.kinematics, question.q(), question.v(), question.zero(),
                   question.inputs().a, question.inputs().loop_a);
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

  // at the state, or, if that is a little open, at the closed one beside it; of the first `count`
  // rows, of all if none is said
  Status decide(const Model& model, const State& state, Workspace& workspace, RankPlan& plan,
                int count = -1) {
    const auto m = Eigen::Index(count < 0 ? rows_.count() : count);
    look(model, state.q, state.v, workspace);
    if (rows_.error().size() > 0 &&
        rows_.error().cwiseAbs().maxCoeff() > closed_tolerance * model.characteristic_length()) {
      State closed = state;
      if (Status status = assemble(model, closed, workspace); !status) return status;
      look(model, closed.q, closed.v, workspace);
      Eigen::MatrixXd M(model.nv(), model.nv());
      kernel::kernels().mass_matrix({model, model.numbers()}, closed.q, workspace, span_of(M));
      plan = decide_rank(rows_.jacobian().topRows(m), M, rows_.natural_lengths().head(m));
      return {};
    }
    kernel::kernels().mass_matrix({model, model.numbers()}, state.q, workspace, span_of(M_));
    plan = decide_rank(rows_.jacobian().topRows(m), M_, rows_.natural_lengths().head(m));
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
      weight[k] = k % 6 < 3 && k < Eigen::Index(6 * model.joints().size())
                      ? 1 / model.characteristic_length()
                      : 1;
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
  // The rows as they are in general: where most of them are independent, at the start and at two
  // closed states beside it (a start may be singular). A function of the model alone, so that the
  // same question has the same answer whatever was asked before.
  void look_around(const Model& model, Workspace& workspace) {
    State state;
    if (!assembled_start(model, workspace, state)) return;
    for (const double step : {0.0, 0.11, -0.07}) {
      State beside = state;
      std::fill(beside.v.begin(), beside.v.end(), 0.0);
      std::vector<double> away(beside.v.size());
      for (std::size_t k = 0; k < away.size(); ++k)
        away[k] = step * std::cos(1.0 + 2.4 * double(k));
      integrate(model, state.q, away, beside.q);
      RankPlan plan;
      if (!assemble(model, beside, workspace) || !decide(model, beside, workspace, plan)) continue;
      if (plan.rank() <= general_plan_.rank() && general_J_.size() > 0) continue;
      general_plan_ = plan;
      general_J_ = rows_.jacobian();
    }
  }
  static bool may_sweep(Road road) { return road != Road::complement && road != Road::kkt; }
  // None if the model has no such road.
  SweepRoad* sweep_road(const Model& model, Workspace& workspace, Road road) {
    if (!has_looked_around_) look_around(model, workspace);
    has_looked_around_ = true;
    Sweep& sweep = sweeps_[std::size_t(road)];
    if (!sweep.is_made && general_J_.size() > 0)
      sweep.road = SweepRoad::make(model, general_plan_, general_J_, road);
    sweep.is_made = true;
    return sweep.road.get();
  }
  bool by_sweep(const Question& question, Workspace& workspace, Road road, ConstrainedAnswer& out) {
    if (!may_sweep(road)) return false;
    SweepRoad* sweep = sweep_road(question.model(), workspace, road);
    out.a.resize(question.model().nv());
    if (sweep == nullptr ||
        !sweep->answers(question, workspace, rows_, {out.a.data(), std::size_t(out.a.size())}))
      return false;
    out.lambda = Eigen::VectorXd::Zero(out.plan.count);
    for (std::size_t k = 0; k < sweep->rows().size(); ++k)
      out.lambda[sweep->rows()[k]] = sweep->multipliers()[k];
    out.plan.rows = sweep->rows();
    out.road = sweep->road();
    return true;
  }
  static Status no_sweep(const Question& question, Road road) {
    return Status::failure(fmt::format(
        "{}: the road '{}' does not lead through model '{}' at this state: {}; take another, or "
        "leave the choice to the engine",
        question.name(), to_string(road), question.model().name(),
        road == Road::star ? "it needs arms that all hold one body, away from singular poses"
                           : "it needs loops carried by a body that moves, away from singular "
                             "poses"));
  }

  static Status torn(const char* question, const std::string& holder, const Gap& drift) {
    if (holder.starts_with("wheel"))
      return Status::failure(
          fmt::format("{}: the velocities make {} slip, at {:.3g} m/s: make them consistent with "
                      "assemble",
                      question, holder, drift.length));
    return Status::failure(
        fmt::format("{}: the velocities tear {} apart, at {:.3g} m/s and {:.3g} rad/s: make them "
                    "consistent with assemble",
                    question, holder, drift.length, drift.angle));
  }
  // Freedoms of joints with a drive, locked ones too; of all joints if no drive was said.
  static std::vector<int> driven_freedoms(const Model& model) {
    std::vector<int> driven, all;
    bool has_drive = driven_loop_freedom(model) >= 0;
    for (const NamedJoint& joint : model.joints())
      for (int f = joint.v_start; f < joint.v_start + joint.nv; ++f) {
        all.push_back(f);
        if (joint.drive != Drive::none) driven.push_back(f);
        has_drive |= joint.drive != Drive::none && joint.drive != Drive::locked;
      }
    return has_drive ? driven : all;
  }
  static std::vector<int> driven_loop_freedoms(const Model& model) {
    std::vector<int> driven;
    for (int f = 0; f < model.closure_nv(); ++f)
      if (model.closure_drive(f) != Drive::none) driven.push_back(f);
    return driven;
  }
  static int driven_loop_freedom(const Model& model) {
    const std::vector<int> driven = driven_loop_freedoms(model);
    return driven.empty() ? -1 : driven.front();
  }
  // What a unit effort along a freedom of the closures is to the tree.
  static Eigen::VectorXd effort_of_loop(const Model& model, const Kinematics& kinematics,
                                        int freedom) {
    const ElementForce unit = unit_effort(model, kinematics, freedom);
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(model.nv());
    add_efforts(model, kinematics, {&unit, 1}, {tau.data(), std::size_t(tau.size())});
    return tau;
  }
  // Joints that close loops are planned with the question, like those of the tree.
  static Status check_plans(const Question& question) {
    const Model& model = question.model();
    for (int f = 0; f < model.closure_nv(); ++f)
      if (model.closure_drive(f) == Drive::motion && question.inputs().loop_a.empty())
        return Status::failure(
            fmt::format("{}: loop joint '{}' is driven by motion, but no accelerations are given: "
                        "set inputs.loop_a",
                        question.name(), model.closure_freedom_name(f)));
    return check_planned_only(question);
  }
  static Status check_planned_only(const Question& question) {
    const Model& model = question.model();
    const std::span<const double> plan = question.inputs().loop_a;
    for (std::size_t f = 0; f < plan.size(); ++f)
      if (plan[f] != 0 && model.closure_drive(int(f)) != Drive::motion)
        return Status::failure(
            fmt::format("{}: loop joint '{}' is not driven by motion, and its acceleration is an "
                        "answer: leave its entry of inputs.loop_a zero",
                        question.name(), model.closure_freedom_name(int(f))));
    return {};
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
    for (const ElementForce& element : workspace.element_forces) {
      push(element.child, element.F, element.p);
      push(element.parent, -element.F, element.p);
    }
    std::vector<Force<double>> forces(model.joints().size());
    kernel::reactions<double, double>(question.unloaded_scene(), kinematics, on_body, forces);
    const std::vector<Force<double>> of_closures = rows_.carried(lambda, workspace.element_forces);
    for (std::size_t c = 0; c < of_closures.size(); ++c)
      if (const auto named = model.closures()[c].named) {
        const Mat3<double>& T = model.numbers().closures[c].turn;
        forces[std::size_t(index(*named))] = {T * of_closures[c].moment, T * of_closures[c].force};
      }
    const std::vector<Vec3<double>> on_wheels = rows_.on_wheels(lambda);
    Eigen::VectorXd all(Eigen::Index(6 * forces.size() + 3 * on_wheels.size()));
    for (std::size_t k = 0; k < on_wheels.size(); ++k)
      all.segment<3>(Eigen::Index(6 * forces.size() + 3 * k)) << on_wheels[k].x, on_wheels[k].y,
          on_wheels[k].z;
    for (std::size_t j = 0; j < forces.size(); ++j) {
      const auto& [n, f] = forces[j];
      all.segment<6>(Eigen::Index(6 * j)) << n.x, n.y, n.z, f.x, f.y, f.z;
    }
    return all;
  }

  Rows rows_;
  State before_;  // what was to be closed
  Eigen::MatrixXd M_;
  std::vector<double> effort_;
  RankPlan general_plan_;
  Eigen::MatrixXd general_J_;
  bool has_looked_around_ = false;
  struct Sweep {
    std::unique_ptr<SweepRoad> road;
    bool is_made = false;
  };
  std::array<Sweep, 4> sweeps_;  // automatic, schur, star, cluster
};

// Where a model has no constraints, the rows are none and everything holds.
template <class Ask>
Status ask(const char* name, const Model& model, const State& state, const Inputs& inputs,
           Workspace& workspace, Forces forces, const Ask& answer) {
  const Question question(name, model, state, inputs, workspace, Constraints::honoured, forces);
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
  return ask("constrained_dynamics", model, state, inputs, workspace, Forces::acting,
             [&](const Question& question, System& system) {
               return system.solve(question, workspace, road, plan, out);
             });
}
Status rank_plan(const Model& model, const State& state, Workspace& workspace, RankPlan& out) {
  return ask(
      "rank_plan", model, state, {}, workspace, Forces::apart,
      [&](const Question&, System& system) { return system.decide(model, state, workspace, out); });
}
Status constraint_jacobian(const Model& model, const State& state, Workspace& workspace,
                           Eigen::MatrixXd& out) {
  return ask("constraint_jacobian", model, state, {}, workspace, Forces::apart,
             [&](const Question&, System& system) {
               out = system.jacobian();  // the check of the state has just made it
               return Status();
             });
}
Status drive_efforts(const Model& model, const State& state, const Inputs& inputs,
                     Workspace& workspace, DriveEfforts& out) {
  return ask("drive_efforts", model, state, inputs, workspace, Forces::acting,
             [&](const Question& question, System& system) {
               return system.drive_efforts(question, workspace, out);
             });
}
Status constrained_reactions(const Model& model, const State& state, const Inputs& inputs,
                             Workspace& workspace, UniqueReactions& out) {
  return ask("constrained_reactions", model, state, inputs, workspace, Forces::acting,
             [&](const Question& question, System& system) {
               return system.reactions(question, workspace, out);
             });
}

}  // namespace trammel
