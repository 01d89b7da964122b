#include "trammel/dynamics/kernel/loops/closed_reactions.hpp"

#include <algorithm>
#include <vector>

#include "trammel/dynamics/kernel/loops/component_jacobian.hpp"
#include "trammel/dynamics/kernel/simd/lane_groups.hpp"
#include "trammel/dynamics/kernel/tree/reactions.hpp"

namespace trammel::kernel {

namespace {

using ConstraintKind = EliminationSchedule::ConstraintKind;

// Least diagonal entry of R of the self-stresses, relative to the wrenches that cause them.
constexpr double surely_independent_stress = 1e-6;

// Where the wrenches of a row group act: on two named bodies, and on the joints of the tree between
// them, each of which carries the wrench on its outboard side; and its own loop joint.
struct GroupPath {
  GroupPath(const Model& model, const EliminationSchedule::RowGroup& group) {
    if (group.kind == ConstraintKind::coupling) return;
    if (group.kind == ConstraintKind::closure) {
      const Closure& closure = model.closures()[group.which];
      child = index(closure.child), parent = index(closure.parent);
      if (closure.named) loop_joint = index(*closure.named);
    } else {
      child = index(model.rods()[group.which].child);
      parent = index(model.rods()[group.which].parent);
    }
    const auto depth = [&](BodyId body) {
      int joints = 0;
      for (; model[body].inboard; ++joints) body = inboard_of(model, body);
      return joints;
    };
    BodyId a{child}, b{parent};
    while (a != b) {
      const bool is_child = depth(a) >= depth(b);
      BodyId& body = is_child ? a : b;
      const NamedJoint& joint = model[*model[body].inboard];
      // force of the joint's parent on its child
      passages.push_back({index(*model[body].inboard), is_child != joint.is_reversed ? -1.0 : 1.0});
      body = inboard_of(model, body);
    }
  }
  static BodyId inboard_of(const Model& model, BodyId body) {
    const NamedJoint& joint = model[*model[body].inboard];
    return joint.is_reversed ? joint.child : joint.parent;
  }

  struct Passage {
    int joint;
    double sign;
  };
  int child = -1, parent = -1, loop_joint = -1;
  std::vector<Passage> passages;
};

// Self-stresses of the components of rows that share joints, and the joints they load.
struct SharedStress {
  std::vector<int> components, joints;
};

template <Scalar S> class ReactionSweep {
 public:
  ReactionSweep(const Model& model, const EliminationSchedule& schedule,
                const RowComponents& components, double length)
      : q(std::size_t(model.nq())),
        v(std::size_t(model.nv())),
        a(v),
        numbers(6 * model.joints().size()),
        schedule_(schedule),
        components_(components),
        length_(length),
        motion_(model),
        added_A_(model.bodies().size()),
        kinematics_(model),
        on_body_(model.named_bodies().size()),
        of_joint_(model.joints().size()),
        X_WM_(model.joints().size()),
        place_(model.joints().size(), -1),
        wrenches_(schedule.groups.size()) {
    int rows = 0;
    for (const EliminationSchedule::RowGroup& group : schedule.groups) {
      paths_.emplace_back(model, group);
      first_row_.push_back(rows);
      rows += group.rows;
    }
    lambda.resize(std::size_t(rows));
    for (const RowComponents::Component& component : components.components) {
      jacobians_.emplace_back(model, schedule, component);
      weights_.resize(std::max(weights_.size(), std::size_t(component.kept)));
    }
    find_shared_stresses();
    for (const SharedStress& stress : stresses_) {
      int columns = 0;
      for (const int c : stress.components) columns += components.components[c].watched;
      factors_.emplace_back(int(6 * stress.joints.size()), columns);
      scales_.resize(std::max(scales_.size(), std::size_t(columns)));
      load_.resize(
          std::max(load_.size(), std::size_t(TallQr<S>::padded(int(6 * stress.joints.size())))));
    }
  }

  // Reactions of least norm for a and lambda, in forces().
  LaneMask<S> react(const KernelInput<double, S>& input) {
    motion_.move(input, q, v);
    write_kinematics(input);
    std::fill(on_body_.begin(), on_body_.end(), Force<S>{});
    for (std::size_t b = 0; b < wrenches_.size(); ++b) push_rows(input, b);
    reactions<double, S>(input, kinematics_, on_body_, of_joint_);
    for (std::size_t b = 0; b < wrenches_.size(); ++b)
      if (paths_[b].loop_joint >= 0)
        of_joint_[paths_[b].loop_joint] = in_loop_joint(
            input, b, sum_of(b, [&](int row) { return lambda[first_row_[b] + row]; }));
    LaneMask<S> is_sure(true);
    for (std::size_t k = 0; k < stresses_.size(); ++k)
      is_sure = is_sure && minimize(input, stresses_[k], factors_[k]);
    return is_sure;
  }
  // Of all joints.
  std::span<const Force<S>> forces() const { return of_joint_; }
  // Six numbers per joint, moment and force.
  void write_numbers(std::vector<S>& out) const {
    for (std::size_t j = 0; j < of_joint_.size(); ++j) {
      const auto& [n, f] = of_joint_[j];
      const S six[] = {n.x, n.y, n.z, f.x, f.y, f.z};
      std::copy_n(six, 6, out.begin() + std::ptrdiff_t(6 * j));
    }
  }

  std::vector<S> q, v, a, lambda;
  std::vector<S> numbers;  // of a batch

 private:
  // Kinematics from the motion at a = 0 and the accelerations of the joints.
  [[gnu::flatten]] void write_kinematics(const KernelInput<double, S>& input) {
    motion_.write_kinematics(input, kinematics_);
    for (std::size_t i = 1; i < added_A_.size(); ++i) {
      const Body& body = input.model.bodies()[i];
      Motion<S> added = shifted_to(motion_.world.r[i], added_A_[body.parent]);
      for (int f = body.v_start; f < body.v_end; ++f) added = added + a[f] * motion_.world.axes[f];
      added_A_[i] = added;
      const Mat3<S>& R = motion_.world.R_WB[i];
      kinematics_.A[i] = kinematics_.A[i] + Motion<S>{transpose_times(R, added.angular),
                                                      transpose_times(R, added.linear)};
    }
  }

  // Joins components with redundant rows that load the same joints.
  void find_shared_stresses() {
    std::vector<int> stress_of_joint(of_joint_.size(), -1);
    for (int c = 0; c < int(components_.components.size()); ++c) {
      if (components_.components[c].watched == 0) continue;
      SharedStress stress{{c}, {}};
      for (const int b : components_.components[c].groups) {
        for (const GroupPath::Passage& passage : paths_[b].passages)
          stress.joints.push_back(passage.joint);
        if (paths_[b].loop_joint >= 0) stress.joints.push_back(paths_[b].loop_joint);
      }
      std::erase_if(stresses_, [&](const SharedStress& other) {
        if (std::ranges::find_first_of(stress.joints, other.joints) == stress.joints.end())
          return false;
        stress.components.insert(stress.components.end(), other.components.begin(),
                                 other.components.end());
        stress.joints.insert(stress.joints.end(), other.joints.begin(), other.joints.end());
        return true;
      });
      std::ranges::sort(stress.joints);
      stress.joints.erase(std::unique(stress.joints.begin(), stress.joints.end()),
                          stress.joints.end());
      stresses_.push_back(std::move(stress));
    }
  }

  // Sum of factor(row) times wrench over the rows solved for.
  template <class Factor> Force<S> sum_of(std::size_t b, const Factor& factor) const {
    Force<S> sum{};
    for (int row = 0; row < schedule_.groups[b].rows; ++row)
      sum += factor(row) * wrenches_[b].F[row];
    return sum;
  }
  // Evaluates the rows of a group and applies their wrenches to its bodies.
  void push_rows(const KernelInput<double, S>& input, std::size_t b) {
    evaluate_rows(input, schedule_.groups[b], motion_, wrenches_[b]);
    if (paths_[b].child < 0) return;
    const Force<S> F = sum_of(b, [&](int row) { return lambda[first_row_[b] + row]; });
    const auto push = [&](int body, const Force<S>& F_p) {
      const int tree_body = input.model.named_bodies()[body].tree_body;
      const Pose<double>& X_BU = input.numbers.X_BU[body];
      const Mat3<S> R_WU = motion_.world.R_WB[tree_body] * X_BU.R;
      const Vec3<S> p = motion_.origins[tree_body] + motion_.world.R_WB[tree_body] * X_BU.p;
      on_body_[body] += turned(transpose(R_WU), acting_at(wrenches_[b].p - p, F_p));
    };
    push(paths_[b].child, F);
    push(paths_[b].parent, -F);
  }
  // Wrench of a loop joint in the axes of the joint's frame in the description.
  Force<S> in_loop_joint(const KernelInput<double, S>& input, std::size_t b,
                         const Force<S>& F) const {
    const Mat3<S> turn = input.numbers.closures[schedule_.groups[b].which].turn;
    return turned(turn, turned(transpose(wrenches_[b].R_WM), F));
  }

  LaneMask<S> minimize(const KernelInput<double, S>& input, const SharedStress& stress,
                       TallQr<S>& qr) {
    const Model& model = input.model;
    for (std::size_t k = 0; k < stress.joints.size(); ++k) {
      const int j = stress.joints[k];
      place_[j] = int(6 * k);
      const NamedJoint& joint = model.joints()[j];
      const int tree_body = model[joint.child].tree_body;
      const Pose<double> X_BM = input.numbers.X_BU[index(joint.child)] * input.numbers.X_CM[j];
      X_WM_[j] = {motion_.world.R_WB[tree_body] * X_BM.R,
                  motion_.origins[tree_body] + motion_.world.R_WB[tree_body] * X_BM.p};
    }
    LaneMask<S> is_sure(true);
    int column = 0;
    for (const int c : stress.components) {
      ComponentJacobian<S>& jacobian = jacobians_[c];
      jacobian.evaluate(input, motion_, wrenches_);
      is_sure = is_sure && jacobian.factor();
      for (int k = 0; k < jacobian.watched(); ++k, ++column)
        scales_[column] = write_stress(input, c, k, qr.rows(), qr.column(column));
    }
    qr.factor();
    S largest{};
    for (int k = 0; k < column; ++k) largest = select(scales_[k] > largest, scales_[k], largest);
    constexpr double least = surely_independent_stress * surely_independent_stress;
    for (int k = 0; k < column; ++k)
      is_sure = is_sure && qr.diagonal(k) * qr.diagonal(k) > least * largest;
    project(stress, qr);
    return is_sure;
  }
  // W times the reactions of the self-stress of redundant row k of component c; returns the square
  // of the wrenches that cause it.
  S write_stress(const KernelInput<double, S>& input, int c, int k, int rows, S* out) {
    const RowComponents::Component& component = components_.components[c];
    ComponentJacobian<S>& jacobian = jacobians_[c];
    std::fill_n(out, rows, S(0.0));
    std::copy_n(jacobian.watched(k), component.kept, weights_.begin());
    jacobian.qr().solve_upper(weights_.data());
    S squares{};
    int kept = 0, watched = 0;
    for (const int b : component.groups) {
      const EliminationSchedule::RowGroup& group = schedule_.groups[b];
      const int first = kept;
      kept += group.rows;
      if (group.kind == ConstraintKind::coupling) continue;
      Force<S> F = sum_of(std::size_t(b), [&](int row) { return -weights_[first + row]; });
      const int redundant = int(group.watched.size());
      if (k >= watched && k < watched + redundant) F += wrenches_[b].F[group.rows + k - watched];
      watched += redundant;
      squares += square(F);
      for (const auto& [joint, sign] : paths_[b].passages) {
        const auto& [R_WM, p_M] = X_WM_[joint];
        add(joint, S(sign) * turned(transpose(R_WM), acting_at(wrenches_[b].p - p_M, F)), out);
      }
      if (paths_[b].loop_joint >= 0)
        add(paths_[b].loop_joint, in_loop_joint(input, std::size_t(b), F), out);
    }
    return squares;
  }
  S square(const Force<S>& F) const {
    return S(1 / (length_ * length_)) * dot(F.moment, F.moment) + dot(F.force, F.force);
  }
  void add(int joint, const Force<S>& F, S* out) const {
    const Vec3<S> n = S(1 / length_) * F.moment;
    const S six[] = {n.x, n.y, n.z, F.force.x, F.force.y, F.force.z};
    for (int k = 0; k < 6; ++k) out[place_[joint] + k] += six[k];
  }
  // Removes from the reactions their part along the self-stresses.
  void project(const SharedStress& stress, const TallQr<S>& qr) {
    std::fill(load_.begin(), load_.end(), S(0.0));
    for (const int j : stress.joints) add(j, of_joint_[j], load_.data());
    qr.apply_transpose(load_.data());
    std::fill_n(load_.begin(), qr.columns(), S(0.0));
    qr.apply(load_.data());
    for (const int j : stress.joints) {
      const S* const x = load_.data() + place_[j];
      of_joint_[j] = {S(length_) * Vec3<S>{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    }
  }

  const EliminationSchedule& schedule_;
  const RowComponents& components_;
  double length_;
  ClosedMotion<S> motion_;
  std::vector<Motion<S>> added_A_;  // per body, in world axes
  BasicKinematics<S> kinematics_;
  std::vector<Force<S>> on_body_, of_joint_;
  std::vector<Pose<S>> X_WM_;  // per joint, of those that self-stresses load
  std::vector<int> place_;     // per joint: its first number among those of its SharedStress
  std::vector<WrenchesOfRows<S>> wrenches_;  // per row group
  std::vector<GroupPath> paths_;
  std::vector<int> first_row_;  // per row group: its first multiplier
  std::vector<ComponentJacobian<S>> jacobians_;
  std::vector<SharedStress> stresses_;
  std::vector<TallQr<S>> factors_;  // per SharedStress: W S
  std::vector<S> weights_, scales_;
  AlignedVector<S> load_;
};

template <Scalar S>
SealedWorkspace make_sweep(const Model& model, const EliminationSchedule& schedule,
                           const RowComponents& components, double length) {
  return {new ReactionSweep<S>(model, schedule, components, length),
          [](void* sweep) { delete static_cast<ReactionSweep<S>*>(sweep); }};
}

}  // namespace

SealedWorkspace make_reaction_workspace(const Model& model, const EliminationSchedule& schedule,
                                        const RowComponents& components, double length) {
  return make_sweep<double>(model, schedule, components, length);
}
SealedWorkspace make_reaction_batch_workspace(const Model& model,
                                              const EliminationSchedule& schedule,
                                              const RowComponents& components, double length) {
  return make_sweep<Lanes>(model, schedule, components, length);
}

bool closed_reactions(const KernelInput<double, double>& input, In<double> q, In<double> v,
                      In<double> a, In<double> lambda, void* workspace,
                      std::span<Force<double>> forces) {
  ReactionSweep<double>& sweep = *static_cast<ReactionSweep<double>*>(workspace);
  std::ranges::copy(q, sweep.q.begin());
  std::ranges::copy(v, sweep.v.begin());
  std::ranges::copy(a, sweep.a.begin());
  std::ranges::copy(lambda, sweep.lambda.begin());
  const bool is_sure = sweep.react(input);
  std::ranges::copy(sweep.forces(), forces.begin());
  return is_sure;
}

void closed_reactions_batch(const Batch& batch, const double* a, const double* lambda,
                            void* workspace, double* forces, std::span<char> is_sure) {
  ReactionSweep<Lanes>& sweep = *static_cast<ReactionSweep<Lanes>*>(workspace);
  const KernelInput<double, Lanes> input{batch.model, batch.numbers};
  std::vector<Lanes>& numbers = sweep.numbers;
  for (int first = 0; first < batch.states; first += native_lanes) {
    gather(batch.q, batch.states, first, sweep.q);
    gather(batch.v, batch.states, first, sweep.v);
    gather(a, batch.states, first, sweep.a);
    gather(lambda, batch.states, first, sweep.lambda);
    const Lanes::Mask sure = sweep.react(input);
    sweep.write_numbers(numbers);
    scatter(numbers, batch.states, first, forces);
    for (int lane = 0; lane < native_lanes && first + lane < batch.states; ++lane)
      is_sure[std::size_t(first + lane)] = sure[std::size_t(lane)];
  }
}

}  // namespace trammel::kernel
