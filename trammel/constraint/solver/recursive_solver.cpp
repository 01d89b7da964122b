#include "trammel/constraint/solver/recursive_solver.hpp"

#include "trammel/dynamics/workspace_buffers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trammel {

namespace {

// Without inertia outboard of a joint the recursion divides by zero: prescribed joints that carry
// only constrained contacts, such as moving ground.
bool is_finite(std::span<const double> numbers) {
  return std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
}

// A tenth of the violation that check_closed rejects; states in between are left to other solvers.
constexpr double surely_closed = 1e-7;
// Consistent velocities of a mechanism at rest are not exactly zero. [m/s]
constexpr double rounding = 1e-12;
// Rows that were not solved for are satisfied to rounding or, where they became independent, not at
// all.
constexpr double surely_dependent = 1e-9;

// A mechanism at rest without loads has accelerations of rounding size, and so are the residuals.
// [m/s^2]
constexpr double at_rest = 1e-10;

double square(double x) { return x * x; }

bool moves(const Motion<double>& V) {
  const auto& [w, v] = V;
  return w.x != 0 || w.y != 0 || w.z != 0 || v.x != 0 || v.y != 0 || v.z != 0;
}

// Residuals are sums over all constraints: above this number of constraints their limits grow with
// it, or the rounding errors of many loops would exceed the limit of one.
constexpr double few_constraints = 16;

// A motion keeps the loops closed if the residuals of its accelerations, relative to the largest
// one and to 1, are below this: a tenth of what check_kept_closed rejects.
constexpr double surely_kept_closed = 1e-7;

// Redundant rows of all components up to which their dense factorization is faster than the sparse
// one of the general path (measured on rows of four-bars).
constexpr int few_redundant_rows = 24;

double largest_of(std::span<const double> x) {
  double largest = 0;
  for (const double number : x) largest = std::max(largest, std::abs(number));
  return largest;
}

// Redundant rows of different components may share joints: all of them count.
bool have_few_redundant_rows(const kernel::RowComponents& components) {
  int redundant = 0;
  for (const auto& component : components.components) redundant += component.watched;
  return redundant <= few_redundant_rows;
}

// At a stage rows left out are satisfied up to the relative violation of the state, times this.
constexpr double effect_of_violation = 100;

bool has_kept_rows(const kernel::ConstraintResiduals& residuals, bool are_dependent = false,
                   double tolerance = surely_dependent) {
  return residuals.left <=
         square(tolerance) * residuals.largest + (are_dependent ? square(at_rest) : 0);
}

// Cost of the elimination of the rows by a schedule, in multiplications of a dense product: entries
// (propagation of a row group), meetings of two gains, blocks of L at a stage. Measured on lattices
// and rows of four-bars, where they are nearly all of the time.
double operations_of(const kernel::EliminationSchedule& schedule) {
  double sum = 100.0 * double(schedule.entries.size());
  for (const kernel::EliminationSchedule::Stage& stage : schedule.stages) {
    double coupled = 0;
    for (const kernel::EliminationSchedule::Block& block : stage.blocks) {
      coupled += block.meetings.empty() && block.from_stage < 0 ? 0 : 1;
      sum += 50.0 * double(block.meetings.size());
    }
    // few couplings: a block sparse matrix, filled in by as many blocks
    sum += 275.0 * std::min(2 * coupled, double(stage.blocks.size()));
  }
  return sum;
}

}  // namespace

std::unique_ptr<RecursiveSolver> RecursiveSolver::make(const Model& model, const RowBasis& basis,
                                                       const SparseRows& J,
                                                       ConstraintSolver solver) {
  std::optional<Elimination> elimination = eliminate_rows(model, basis, J, solver);
  if (!elimination) return nullptr;
  return std::unique_ptr<RecursiveSolver>(new RecursiveSolver(model, std::move(*elimination), J));
}

RecursiveSolver::RecursiveSolver(const Model& model, Elimination elimination, const SparseRows& J)
    : elimination_(std::move(elimination)),
      operations_(operations_of(elimination_.schedule)),
      multipliers_(elimination_.rows.size()),
      share_(std::max(1.0, double(elimination_.schedule.groups.size()) / few_constraints)),
      correction_(std::size_t(model.nv())),
      corrected_(std::size_t(model.nq())),
      sweep_(kernel::kernels().make_closed_workspace(model, elimination_.schedule)),
      components_(row_components(elimination_.schedule, J)),
      has_small_components_(components_ && trammel::has_small_components(J)),
      has_small_stresses_(has_small_components_ && have_few_redundant_rows(*components_)) {
  for (std::size_t k = 0; k < elimination_.given.size(); ++k) {
    const std::size_t row = std::size_t(elimination_.given[k].row);
    if (given_of_row_.size() <= row) given_of_row_.resize(row + 1, -1);
    given_of_row_[row] = int(k);
  }
}

void RecursiveSolver::evaluate_rows(const EvalContext& context, Workspace& workspace,
                                    ConstraintRows& rows) {
  kernel::kernels().closed_motion(context.input(), context.q(), context.v(), sweep_.get(),
                                  workspace->kinematics);
  rows.evaluate_without_jacobian(context.model(), workspace->kinematics, context.q(), context.v(),
                                 context.zero(), context.inputs().a, context.inputs().loop_a);
  has_evaluated_ = false;
}

void RecursiveSolver::remember(std::span<const double> q, std::span<const double> v) {
  evaluated_q_.assign(q.begin(), q.end());
  evaluated_v_.assign(v.begin(), v.end());
  has_evaluated_ = true;
}

bool RecursiveSolver::is_evaluated(const State& state) const {
  return has_evaluated_ && std::ranges::equal(evaluated_q_, state.q) &&
         std::ranges::equal(evaluated_v_, state.v);
}

// The right-hand side is that of accelerations.
void RecursiveSolver::write_given_rows(const Model& model, const ConstraintRows& rows) {
  given_rows_.clear();
  given_wrenches_.clear();
  given_errors_.clear();
  given_rates_.clear();
  given_error_ = given_rate_ = 0;
  const auto push = [&](const Elimination::Given& given, BodyId body, const Force<double>& F,
                        const Vec3<double>& p) {
    if (const int tree_body = model[body].tree_body; tree_body > 0)
      given_wrenches_.push_back({given.group, given.row_of_group, tree_body, F, p});
  };
  for (const Elimination::Given& given : elimination_.given) {
    given_rows_.push_back({given.group, given.row_of_group, rows.acceleration()[given.row]});
    given_errors_.push_back(rows.error()[given.row]);
    given_rates_.push_back(rows.rate()[given.row]);
    given_error_ += square(rows.error()[given.row]);
    given_rate_ += square(rows.rate()[given.row]);
  }
  for (const ConstraintRows::RowWrench& row : rows.row_wrenches()) {
    if (std::size_t(row.row) >= given_of_row_.size()) continue;
    const int which = given_of_row_[std::size_t(row.row)];
    if (which < 0) continue;
    const Elimination::Given& given = elimination_.given[std::size_t(which)];
    push(given, row.child, row.F, row.p);
    push(given, row.parent, -row.F, row.p);
  }
}

// Violation of the state: of lengths, and of velocities relative to the fastest.
static double violation(const Model& model, const kernel::ConstraintResiduals& residuals,
                        std::span<const double> velocities) {
  const double unit = std::min(1.0, model.characteristic_length());
  return std::sqrt(residuals.error) / unit +
         std::sqrt(residuals.rate) / (unit * largest_of(velocities) + rounding);
}

bool RecursiveSolver::answers(const EvalContext& context, Workspace& workspace,
                              ConstraintRows& rows, std::span<double> a, SkipChecks skip) {
  if (!elimination_.given.empty()) {
    if (!skip.is_evaluated) evaluate_rows(context, workspace, rows);
    if (!rows.are_defined()) return false;
    write_given_rows(context.model(), rows);
  }
  kernel::ConstraintResiduals residuals = kernel::kernels().closed_dynamics(
      context.input(), context.q(), context.v(), context.tau(), context.inputs().a,
      {given_rows_, given_wrenches_, has_given()}, sweep_.get(), a, multipliers_);
  if (!moves(context.inputs().ground.velocity) && rows.at().prescribed_loop_dofs().empty())
    remember(context.q(), context.v());
  else
    has_evaluated_ = false;
  residuals.error += given_error_;
  residuals.rate += given_rate_;
  return is_sure(context.model(), residuals, context.v(), skip) && is_finite(a);
}

bool RecursiveSolver::responds(const KernelInput<double, double>& input, std::span<const double> q,
                               std::span<const double> zero, std::span<const double> tau,
                               const ConstraintRows& rows, bool is_moved, std::span<double> a) {
  has_evaluated_ = false;
  if (!elimination_.given.empty()) write_given_rows(input.model, rows);
  for (kernel::GivenRow& row : given_rows_) row.acceleration = 0;
  const kernel::ConstraintResiduals residuals = kernel::kernels().closed_dynamics(
      input, q, zero, tau, zero, {given_rows_, given_wrenches_, is_moved}, sweep_.get(), a,
      multipliers_);
  return !residuals.is_weak && is_finite(a);
}

bool RecursiveSolver::has_enough_drives(std::span<const char> is_driven) const {
  return components_ && std::ranges::all_of(components_->components, [&](const auto& component) {
           const auto drives = std::ranges::count_if(
               component.dofs, [&](int dof) { return is_driven[std::size_t(dof)] != 0; });
           return drives >= std::ssize(component.dofs) - component.kept;
         });
}

bool RecursiveSolver::inverse_dynamics(const EvalContext& context, std::span<const char> is_driven,
                                       std::span<double> tau) {
  if (!has_enough_drives(is_driven)) return false;
  const kernel::Table& kernels = kernel::kernels();
  if (!drives_)
    drives_ = kernels.make_drive_workspace(context.model(), elimination_.schedule, *components_,
                                           is_driven);
  const kernel::MotionResiduals found = kernels.closed_inverse_dynamics(
      context.input(), context.q(), context.v(), context.a(), drives_.get(), tau);
  return is_sure(context.model(), found, context.v(), context.a(), tau);
}

bool RecursiveSolver::reactions(const EvalContext& context, double length,
                                std::span<const double> a, std::span<Force<double>> forces) {
  if (!components_) return false;
  const kernel::Table& kernels = kernel::kernels();
  if (!reactions_)
    reactions_ = kernels.make_reaction_workspace(context.model(), elimination_.schedule,
                                                 *components_, length);
  return kernels.closed_reactions(context.unloaded_input(), context.q(), context.v(), a,
                                  multipliers_, reactions_.get(), forces) &&
         std::ranges::all_of(forces, [](const Force<double>& F) {
           return std::isfinite(dot(F.moment, F.moment) + dot(F.force, F.force));
         });
}

bool RecursiveSolver::derivatives(const EvalContext& context, std::span<const double> a,
                                  const kernel::GivenBasis& basis,
                                  const kernel::ClosedDerivativeMatrices& out) {
  if (!components_) return false;
  const kernel::Table& kernels = kernel::kernels();
  if (!derivatives_)
    derivatives_ = kernels.make_closed_derivative_workspace(context.model(), elimination_.schedule,
                                                            *components_);
  return kernels.closed_derivatives(context.input(), context.q(), context.v(), a, multipliers_,
                                    sweep_.get(), basis, derivatives_.get(), out);
}

kernel::ConstraintResiduals RecursiveSolver::correct(const Model& model, const State& state,
                                                     kernel::Missed missed, Workspace& workspace,
                                                     ConstraintRows& rows, double enough) {
  const KernelInput<double, double> input = internal::unloaded_input(model, workspace);
  const bool is_known = is_evaluated(state);
  if (has_given()) {
    if (!is_known) {
      kernel::kernels().closed_motion(input, state.q, state.v, sweep_.get(), workspace->kinematics);
      rows.evaluate_without_jacobian(model, workspace->kinematics, state.q, state.v,
                                     workspace->zero, {});
      write_given_rows(model, rows);
    }
    const bool is_position = missed == kernel::Missed::position;
    for (std::size_t k = 0; k < given_rows_.size(); ++k)
      given_rows_[k].acceleration = is_position ? given_errors_[k] : given_rates_[k];
  }
  if (rows.at().prescribed_loop_dofs().empty()) remember(state.q, state.v);
  kernel::ConstraintResiduals residuals = kernel::kernels().closed_correction(
      input, state.q, state.v, missed, {given_rows_, given_wrenches_, has_given() || is_known},
      enough - given_error_, sweep_.get(), correction_);
  residuals.error += given_error_;
  residuals.rate += given_rate_;
  return residuals;
}

bool RecursiveSolver::closes(const Model& model, State& state, Workspace& workspace,
                             ConstraintRows& rows, double violation) {
  using Next = ProjectionSteps::Next;
  const ProjectionSteps steps = projection_steps(model, violation);
  double before = std::numeric_limits<double>::infinity();
  for (int step = 0;; ++step) {
    const kernel::ConstraintResiduals residuals =
        correct(model, state, kernel::Missed::position, workspace, rows, steps.enough());
    const Next next = steps.next(residuals, correction_, step, before);
    if (next == Next::fail) return false;
    if (next == Next::closed) return true;
    before = residuals.error;
    integrate(model, state.q, correction_, corrected_);
    state.q.swap(corrected_);
    if (next == Next::last_step) return true;
  }
}

bool RecursiveSolver::keeps_closed(const Model& model, State& state, Workspace& workspace,
                                   ConstraintRows& rows) {
  const double unit = std::min(1.0, model.characteristic_length());
  for (int pass = 0; pass < 2; ++pass) {
    const kernel::ConstraintResiduals residuals =
        correct(model, state, kernel::Missed::velocity, workspace, rows);
    double fastest = 0;
    for (const double v : state.v) fastest = std::max(fastest, std::abs(v));
    if (pass == 1) return residuals.rate <= share_ * square(1e-12 * unit * fastest + rounding);
    if (!is_finite(correction_) || (residuals.is_weak && has_given())) return false;
    for (std::size_t f = 0; f < correction_.size(); ++f) state.v[f] += correction_[f];
    if (!residuals.is_weak) break;
  }
  return true;
}

bool RecursiveSolver::is_sure(const Model& model, const kernel::ConstraintResiduals& residuals,
                              std::span<const double> velocities, SkipChecks skip) const {
  if (residuals.is_weak) return false;
  const double near =
      skip.is_closed ? effect_of_violation * violation(model, residuals, velocities) : 0;
  return (skip.are_left_out ||
          has_kept_rows(residuals, skip.are_dependent, surely_dependent + std::min(near, 0.1))) &&
         (skip.is_closed || is_surely_closed(model, residuals.error, residuals.rate, velocities));
}

bool RecursiveSolver::is_sure(const Model& model, const kernel::MotionResiduals& residuals,
                              std::span<const double> v, std::span<const double> a,
                              std::span<const double> tau) const {
  const double kept_closed = surely_kept_closed * std::min(1.0, model.characteristic_length()) *
                             std::max(1.0, largest_of(a));
  return residuals.is_sure && is_surely_closed(model, residuals.position, residuals.velocity, v) &&
         residuals.acceleration <= share_ * square(kept_closed) && is_finite(tau);
}

bool RecursiveSolver::is_surely_closed(const Model& model, double error, double rate,
                                       std::span<const double> velocities) const {
  const double unit = std::min(1.0, model.characteristic_length());
  const double fastest = largest_of(velocities);
  return error <= share_ * square(surely_closed * unit) &&
         rate <= share_ * square(surely_closed * unit * fastest + rounding);
}

}  // namespace trammel
