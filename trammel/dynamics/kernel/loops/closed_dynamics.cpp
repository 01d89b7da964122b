#include "trammel/dynamics/kernel/loops/closed_dynamics.hpp"

#include <algorithm>

#include "trammel/dynamics/kernel/loops/closed_motion.hpp"
#include "trammel/dynamics/kernel/loops/closed_state.hpp"
#include "trammel/dynamics/kernel/loops/loop_length.hpp"
#include "trammel/dynamics/kernel/loops/row_evaluation.hpp"
#include "trammel/dynamics/kernel/loops/row_stage.hpp"
#include "trammel/dynamics/kernel/loops/schedule_partition.hpp"
#include "trammel/dynamics/kernel/simd/lane_groups.hpp"
#include "trammel/dynamics/kernel/tree/articulated_update.hpp"
#include "trammel/dynamics/threads.hpp"

namespace trammel::kernel {

namespace {

bool is_everywhere(bool mask) { return mask; }
bool is_everywhere(const Lanes::Mask& mask) { return stdx::all_of(mask); }

// A pivot D = S^T I_A S below this part of its bound has lost more than half of its digits by
// cancellation: high towers of loops, whose inertia grows with the cube of their height, while the
// inertia of one joint does not.
constexpr double lossy_pivot = 2e-7;
// Corrections of refined accelerations, relative to the largest one: none is needed below
// `refined`, and above `unrefined` the recursion does not converge. At rest all accelerations are
// rounding [rad/s^2, m/s^2].
constexpr double refined = 1e-10, unrefined = 1e-6, at_rest = 1e-10;

bool is_above(double x, double bound) { return !(x <= bound); }
template <int N> bool is_above(const Pack<N>& x, const Pack<N>& bound) {
  return stdx::any_of(!(x <= bound));
}
template <Scalar S> S largest_of(const std::vector<S>& numbers) {
  S largest(0.0);
  for (const S& x : numbers) largest = select(x > largest, x, select(-x > largest, -x, largest));
  return largest;
}

template <Scalar S> class ClosedSweep {
 public:
  ClosedSweep(const Model& model, const EliminationSchedule& schedule)
      : schedule_(schedule),
        motion_(model),
        evaluation_(schedule),
        rows_(schedule),
        stages_(schedule, rows_),
        I_A_(model.bodies().size()),
        F_(model.bodies().size()),
        A_(model.bodies().size()),
        W_(std::size_t(model.nv())),
        w_(std::size_t(model.nv())),
        effort_(std::size_t(model.nv())),
        given_effort_(effort_),
        found_(effort_),
        correction_(effort_),
        multipliers_(rows_.size()),
        A_found_(A_) {
    for (const EliminationSchedule::RowGroup& group : schedule.groups)
      lever_.push_back(loop_length(model, group));
    for (SchedulePiece& piece : SchedulePartition(model, schedule).pieces)
      pieces_.push_back({.what = std::move(piece), .scratch = stages_.scratch()});
  }

  void move(const KernelInput<double, S>& input, In<S> q, In<S> v, BasicKinematics<S>& out) {
    motion_.move(input, q, v);
    motion_.write_kinematics(input, out);
  }

  template <Scalar P>
  BasicConstraintResiduals<S> solve(const KernelInput<P, S>& input, In<S> q, In<S> v, In<S> tau,
                                    In<S> a_wanted, const GivenRows& given, Out<S> a,
                                    Out<S> lambda) {
    BasicConstraintResiduals<S> residuals;
    std::copy(tau.begin(), tau.end(), effort_.begin());
    add_passive_forces<P, S>(input.numbers, q, v, effort_);
    evaluate(input, q, v, a_wanted, RowLevel::acceleration, given, residuals);
    evaluation_.load_given(given, motion_, rows_);
    each_piece(input, [&](Piece& piece) {
      each_body(piece, [&](std::size_t i) {
        I_A_[i] = articulated<S>(motion_.inertias[i]);
        F_[i] = motion_.forces[i];
      });
      sweep(input, piece, a);
      evaluation_.monitor(piece.what.groups, A_);
    });
    if (take_outcome(residuals)) [[unlikely]] {
      refine(input, q, v, a_wanted, given, a, residuals);
      each_piece(input, [&](Piece& piece) { evaluation_.monitor(piece.what.groups, A_); });
    }
    evaluation_.sum_monitored(residuals);
    evaluation_.monitor(given, motion_, A_, residuals);
    if (!lambda.empty()) rows_.write_multipliers(lambda);
    return residuals;
  }

  // Projection: no forces but those of the rows, whose right-hand side is their violation.
  // Evaluates before it decides whether to solve: not if all lanes have at most `enough`.
  template <Scalar P>
  BasicConstraintResiduals<S> correct(const KernelInput<P, S>& input, In<S> q, In<S> v,
                                      RowLevel level, const GivenRows& given, double enough,
                                      Out<S> d) {
    BasicConstraintResiduals<S> residuals;
    std::fill(effort_.begin(), effort_.end(), S(0.0));
    evaluate(input, q, v, {}, level, given, residuals);
    if (is_everywhere(residuals.error <= S(enough))) return residuals;
    evaluation_.load_given(given, motion_, rows_);
    each_piece(input, [&](Piece& piece) {
      each_body(piece, [&](std::size_t i) {
        I_A_[i] = articulated<S>(motion_.inertias[i]);
        F_[i] = {};
      });
      sweep(input, piece, d);
    });
    take_outcome(residuals);
    return residuals;
  }

  const ClosedMotion<S>& motion() const { return motion_; }
  // Of the bodies, by the joint accelerations of the last solve().
  const std::vector<Motion<S>>& added_accelerations() const { return A_; }

 private:
  using Register = RowRegister<S>;
  using R = typename Register::Type;

  // Bodies and rows that no others affect, and what the last passes over them found.
  struct Piece {
    SchedulePiece what;
    typename RowStages<S>::Scratch scratch;
    LaneMask<S> is_weak{false};
    bool is_lossy = false;  // a pivot lost digits
  };
  // Calls work(piece) for all pieces, on the threads of the input if it has any.
  template <class Input, class Work> void each_piece(const Input& input, const Work& work) {
    if constexpr (std::same_as<S, double>)
      if (input.threads != nullptr && pieces_.size() > 1)
        return input.threads->workers.share(int(pieces_.size()),
                                            [&](int k, int) { work(pieces_[std::size_t(k)]); });
    for (Piece& piece : pieces_) work(piece);
  }
  template <class Work> static void each_body(const Piece& piece, const Work& work) {
    for (const BodyRun& run : piece.what.bodies)
      for (int i = run.first; i < run.end(); ++i) work(std::size_t(i));
  }
  // Returns whether a pivot lost digits.
  bool take_outcome(BasicConstraintResiduals<S>& residuals) const {
    bool is_lossy = false;
    for (const Piece& piece : pieces_) {
      residuals.is_weak |= piece.is_weak;
      is_lossy |= piece.is_lossy;
    }
    return is_lossy;
  }

  template <Scalar P>
  void evaluate(const KernelInput<P, S>& input, In<S> q, In<S> v, In<S> a_wanted, RowLevel level,
                const GivenRows& given, BasicConstraintResiduals<S>& residuals) {
    if (!given.is_moved) motion_.start(input, q);
    rows_.clear();
    each_piece(input, [&](Piece& piece) {
      if (!given.is_moved) motion_.move(input, piece.what.bodies, v);
      evaluation_.evaluate(piece.what.groups, input, motion_, q, v, a_wanted, level, rows_);
    });
    if (!given.is_moved) motion_.add_loads(input);
    evaluation_.sum_violations(residuals);
  }

  // Iterative refinement [Higham 2002, chapter 12]: the equations of motion with the forces and
  // accelerations found so far leave residuals, which the same passes solve for.
  template <Scalar P>
  void refine(const KernelInput<P, S>& input, In<S> q, In<S> v, In<S> a_wanted,
              const GivenRows& given, Out<S> a, BasicConstraintResiduals<S>& residuals) {
    constexpr int most = 4;
    given_effort_ = effort_;
    std::copy(a.begin(), a.end(), found_.begin());
    for (int pass = 0; pass < most; ++pass) {
      A_found_ = A_;
      rows_.store_multipliers(multipliers_);
      evaluation_.evaluate(input, motion_, q, v, a_wanted, RowLevel::acceleration, rows_,
                           residuals);
      evaluation_.load_given(given, motion_, rows_);
      load_residuals(input);
      each_piece(input, [&](Piece& piece) { sweep(input, piece, correction_); });
      take_outcome(residuals);
      for (std::size_t f = 0; f < found_.size(); ++f) found_[f] = found_[f] + correction_[f];
      for (std::size_t i = 1; i < A_.size(); ++i) A_[i] = A_[i] + A_found_[i];
      rows_.add_multipliers(multipliers_);
      const S change = largest_of(correction_), size = largest_of(found_);
      if (!is_above(change, S(refined) * size + S(at_rest))) break;
      if (pass + 1 == most)
        residuals.is_weak |= !(change <= S(unrefined) * size + S(at_rest));  // lane by lane
    }
    std::copy(found_.begin(), found_.end(), a.begin());
  }

  // Bias forces, efforts and right-hand sides with the accelerations and multipliers found.
  template <Scalar P> void load_residuals(const KernelInput<P, S>& input) {
    for (std::size_t i = 1; i < I_A_.size(); ++i) {
      I_A_[i] = articulated<S>(motion_.inertias[i]);
      F_[i] = motion_.forces[i] + motion_.inertias[i] * A_found_[i];
    }
    effort_ = given_effort_;
    for (int b = 0; b < int(schedule_.groups.size()); ++b) {
      const EliminationSchedule::RowGroup& group = schedule_.groups[b];
      const auto act = [&](int entry, int body) {
        if (entry >= 0) F_[body] = F_[body] - rows_.act(entry, A_found_[body], multipliers_);
      };
      act(group.child_entry, group.child);
      if (group.parent_entry != group.child_entry) act(group.parent_entry, group.parent);
      for (const auto& [body, entry] : group.ends) act(entry, body);
    }
    for (const EliminationSchedule::Visit& visit : schedule_.inward) {
      const Body& body = input.model.bodies()[visit.body];
      for (int e = visit.entry_begin; e < visit.entry_end; ++e)
        for (int f = body.v_start; f < body.v_end; ++f)
          effort_[f] +=
              rows_.act_directly(input.numbers, e, f - body.v_start, found_[f], multipliers_);
    }
  }

  template <Scalar P> void sweep(const KernelInput<P, S>& input, Piece& piece, Out<S> a) {
    const std::span<const Body> bodies = input.model.bodies();
    const std::vector<int>& visits = piece.what.visits;
    const std::vector<int>& ground_stages = piece.what.ground_stages;
    LaneMask<S> is_weak(false);
    piece.is_lossy = false;
    for (const int k : visits) {
      const EliminationSchedule::Visit& visit = schedule_.inward[k];
      for (int s = visit.stage_begin; s < visit.stage_end; ++s)
        is_weak |= stages_.eliminate(s, rows_, I_A_[visit.body], F_[visit.body], piece.scratch);
      const Body& body = bodies[visit.body];
      std::visit(
          [&](const auto& joint) {
            is_weak |= eliminate_joint(input.numbers, visit, body, joint, piece.is_lossy);
          },
          body.joint);
    }
    // ground takes the forces and does not move
    ArticulatedInertia<S> I_ground{};
    Force<S> F_ground{};
    for (const int s : ground_stages)
      is_weak |= stages_.eliminate(s, rows_, I_ground, F_ground, piece.scratch);
    piece.is_weak = is_weak;

    for (auto s = ground_stages.rbegin(); s != ground_stages.rend(); ++s)
      stages_.recover(*s, rows_, Motion<S>{}, piece.scratch);
    for (auto k = visits.rbegin(); k != visits.rend(); ++k) {
      const EliminationSchedule::Visit& visit = schedule_.inward[*k];
      const Body& body = bodies[visit.body];
      std::visit([&](const auto& joint) { outward_accelerations(visit, body, joint, a); },
                 body.joint);
      for (int s = visit.stage_end - 1; s >= visit.stage_begin; --s)
        stages_.recover(s, rows_, A_[visit.body], piece.scratch);
    }
  }

  // Eliminates the degrees of freedom of a joint one after the other, as if massless bodies lay
  // between them (ABA pass 2), and propagates the rows.
  template <Scalar P, class J>
  [[gnu::flatten]] LaneMask<S> eliminate_joint(const ModelParameters<P>& numbers,
                                               const EliminationSchedule::Visit& visit,
                                               const Body& body, const J& joint, bool& is_lossy) {
    const int i = visit.body;
    const WorldAxes<S>& world = motion_.world;
    ArticulatedInertia<S> I = I_A_[i];
    Force<S> F = F_[i];
    const S turning = trace(I.rotational), sliding = trace(I.linear);
    LaneMask<S> is_weak_somewhere(false);
    for (int f = body.v_end - 1; f >= body.v_start; --f) {
      const auto S_f = world.column(i, f, joint);
      const Force<S> U = I * S_f;
      const S D = dot(S_f, U);
      const auto& [s, t] = world.axes[f];
      const S bound = dot(s, s) * turning + dot(t, t) * sliding;
      is_weak_somewhere |= !(D > weakest_pivot * bound);
      is_lossy |= is_above(S(lossy_pivot) * bound, D);
      const S D_inverse = S(1.0) / D;
      const Force<S> W = D_inverse * U;
      const S u = effort_[f] - dot(S_f, F);
      W_[f] = W;
      w_[f] = D_inverse * u;
      F += u * W;
      if (body.parent > 0 || f > body.v_start) I = without(I, U, W);

      const auto S_wide = wide<R>(S_f);
      const Force<R> W_wide = wide<R>(W);
      for (int e = visit.entry_begin; e < visit.entry_end; ++e) {
        const auto at = rows_.entry(e);
        for (int r = 0; r < at.registers; ++r) {
          R g = dot(S_wide, at.z[r]);
          if (at.has_directs) g += rows_.direct(numbers, e, f - body.v_start, r);
          if (f == body.v_end - 1 && rows_.begins_here(e))
            rows_.set_measure(at, r, lever_[schedule_.entries[e].group], world.axes[f], g,
                              D_inverse);
          rows_.set_gain(at, f - body.v_start, r, g, R(D_inverse) * g, R(w_[f]) * g);
          at.z[r] = at.z[r] - g * W_wide;
        }
      }
    }
    if (body.parent == 0) return is_weak_somewhere;
    const Vec3<S>& r_i = world.r[i];
    I_A_[body.parent] = I_A_[body.parent] + shifted(r_i, I);
    F_[body.parent] += acting_at(r_i, F);
    for (int e = visit.entry_begin; e < visit.entry_end; ++e) rows_.propagate(e, r_i);
    return is_weak_somewhere;
  }

  template <class J>
  [[gnu::flatten]] void outward_accelerations(const EliminationSchedule::Visit& visit,
                                              const Body& body, const J& joint, Out<S> a) {
    const int i = visit.body;
    Motion<S> A = body.parent == 0 ? Motion<S>{} : shifted_to(motion_.world.r[i], A_[body.parent]);
    for (int f = body.v_start; f < body.v_end; ++f) {
      S a_f = w_[f] - dot(A, W_[f]);
      for (int e = visit.entry_begin; e < visit.entry_end; ++e)
        a_f += rows_.acceleration_by_multipliers(e, f - body.v_start);
      a[f] = a_f;
      A = A + a[f] * motion_.world.column(i, f, joint);
    }
    A_[i] = A;
  }

  const EliminationSchedule& schedule_;
  ClosedMotion<S> motion_;
  RowEvaluation<S> evaluation_;
  PropagatedRows<S> rows_;
  RowStages<S> stages_;
  std::vector<Piece> pieces_;
  std::vector<ArticulatedInertia<S>> I_A_;
  std::vector<Force<S>> F_;
  std::vector<Motion<S>> A_;  // relative to those at a = 0
  std::vector<Force<S>> W_;
  std::vector<S> w_, effort_;
  // refinement: efforts, accelerations and multipliers so far
  std::vector<S> given_effort_, found_, correction_, multipliers_;
  std::vector<Motion<S>> A_found_;
  std::vector<double> lever_;  // per row group
};

struct ClosedLaneWorkspace {
  ClosedLaneWorkspace(const Model& model, const EliminationSchedule& schedule)
      : sweep(model, schedule),
        q(std::size_t(model.nq())),
        v(std::size_t(model.nv())),
        in(v),
        out(v) {
    std::size_t rows = 0;
    for (const EliminationSchedule::RowGroup& group : schedule.groups)
      rows += std::size_t(group.rows);
    lambda.resize(rows);
  }

  ClosedSweep<Lanes> sweep;
  std::vector<Lanes> q, v, in, out, lambda;
};

void write(const BasicConstraintResiduals<Lanes>& lanes, int states, int first,
           ConstraintResiduals* out) {
  for (int lane = 0; lane < native_lanes && first + lane < states; ++lane)
    out[first + lane] = {lanes.error[lane], lanes.rate[lane], lanes.left[lane], lanes.largest[lane],
                         bool(lanes.is_weak[std::size_t(lane)])};
}

}  // namespace

SealedWorkspace make_closed_batch_workspace(const Model& model,
                                            const EliminationSchedule& schedule) {
  return {new ClosedLaneWorkspace(model, schedule),
          [](void* ws) { delete static_cast<ClosedLaneWorkspace*>(ws); }};
}

void closed_dynamics_batch(const Batch& batch, const double* tau, void* workspace, double* a,
                           double* lambda, ConstraintResiduals* residuals) {
  ClosedLaneWorkspace& ws = *static_cast<ClosedLaneWorkspace*>(workspace);
  const KernelInput<double, Lanes> input{batch.model, batch.numbers};
  for (int first = 0; first < batch.states; first += native_lanes) {
    gather(batch.q, batch.states, first, ws.q);
    gather(batch.v, batch.states, first, ws.v);
    gather(tau, batch.states, first, ws.in);
    const BasicConstraintResiduals<Lanes> found =
        ws.sweep.solve(input, ws.q, ws.v, ws.in, {}, {}, ws.out,
                       lambda == nullptr ? Out<Lanes>() : Out<Lanes>(ws.lambda));
    scatter(ws.out, batch.states, first, a);
    if (lambda != nullptr) scatter(ws.lambda, batch.states, first, lambda);
    write(found, batch.states, first, residuals);
  }
}

void closed_correction_batch(const Batch& batch, Missed missed, double enough, void* workspace,
                             double* d, ConstraintResiduals* residuals) {
  ClosedLaneWorkspace& ws = *static_cast<ClosedLaneWorkspace*>(workspace);
  const KernelInput<double, Lanes> input{batch.model, batch.numbers};
  const RowLevel level = missed == Missed::position ? RowLevel::position : RowLevel::velocity;
  for (int first = 0; first < batch.states; first += native_lanes) {
    gather(batch.q, batch.states, first, ws.q);
    gather(batch.v, batch.states, first, ws.v);
    write(ws.sweep.correct(input, ws.q, ws.v, level, {}, enough, ws.out), batch.states, first,
          residuals);
    scatter(ws.out, batch.states, first, d);
  }
}

SealedWorkspace make_closed_workspace(const Model& model, const EliminationSchedule& schedule) {
  return {new ClosedSweep<double>(model, schedule),
          [](void* sweep) { delete static_cast<ClosedSweep<double>*>(sweep); }};
}

ConstraintResiduals closed_dynamics(const KernelInput<double, double>& input, In<double> q,
                                    In<double> v, In<double> tau, In<double> a_wanted,
                                    const GivenRows& given, void* workspace, Out<double> a,
                                    Out<double> lambda) {
  return static_cast<ClosedSweep<double>*>(workspace)->solve(input, q, v, tau, a_wanted, given, a,
                                                             lambda);
}

ClosedState closed_state(void* workspace) {
  const ClosedSweep<double>& sweep = *static_cast<ClosedSweep<double>*>(workspace);
  return {sweep.motion(), sweep.added_accelerations()};
}

void closed_motion(const KernelInput<double, double>& input, In<double> q, In<double> v,
                   void* workspace, Kinematics& out) {
  static_cast<ClosedSweep<double>*>(workspace)->move(input, q, v, out);
}

ConstraintResiduals closed_correction(const KernelInput<double, double>& input, In<double> q,
                                      In<double> v, Missed missed, const GivenRows& given,
                                      double enough, void* workspace, Out<double> d) {
  return static_cast<ClosedSweep<double>*>(workspace)->correct(
      input, q, v, missed == Missed::position ? RowLevel::position : RowLevel::velocity, given,
      enough, d);
}

}  // namespace trammel::kernel
