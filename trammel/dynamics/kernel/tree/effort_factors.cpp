#include "trammel/dynamics/kernel/tree/effort_factors.hpp"

#include "trammel/dynamics/kernel/tree/effort_derivatives.hpp"

namespace trammel::kernel {

void EffortDerivatives::write_factors(const Model& model, EffortFactors& out) {
  out.dofs.resize(columns_.size());
  out.diagonal.resize(columns_.size());
  out.offset = world_.r;
  out.pairs.clear();
  for (const Body& body : model.bodies().subspan(1)) {
    const int first = body.v_start, end = body.v_end;
    // from the reference points of the groups to the body's origin
    for (int k = first; k < end; ++k) {
      const auto cause = causes_.row(groups_.row(k));
      const auto effect = effects_.row(groups_.row(k));
      const Vec3<double> r = cause.vector(Cause::place) - point(groups_.group(k));
      const auto motion = [&](int which) { return shifted_to(r, cause.motion(which)); };
      const auto force = [&](int which) { return acting_at(-r, effect.force(which)); };
      out.dofs[std::size_t(k)] = {world_.axes[std::size_t(k)],
                                  motion(Cause::E),
                                  motion(Cause::G),
                                  cause.vector(Cause::D_angular),
                                  force(Effect::by_a),
                                  force(Effect::by_q),
                                  force(Effect::by_v),
                                  effect.vector(Effect::h)};
    }
    // pairs of one joint move the same body: (6) applies to both orders
    for (int i = first; i < end; ++i) {
      const EffortFactors::Dof& effect = out.dofs[std::size_t(i)];
      out.diagonal[std::size_t(i)] = int(out.pairs.size()) + i - first;
      for (int k = first; k < end; ++k) {
        const EffortFactors::Dof& cause = out.dofs[std::size_t(k)];
        double by_q = dot(cause.E, effect.by_a) + dot(cause.d, effect.h);
        if (columns_change_) {
          const Vec3<double> r =
              causes_.row(groups_.row(k)).vector(Cause::place) - point(groups_.group(end - 1));
          by_q += dot(joint_derivatives_[std::size_t(k)].columns[i - first],
                      acting_at(-r, force_taken(body)));
        }
        out.pairs.push_back({by_q, dot(cause.G, effect.by_a) + dot(cause.S.angular, effect.h),
                             dot(cause.S, effect.by_a)});
      }
    }
  }
}

}  // namespace trammel::kernel
