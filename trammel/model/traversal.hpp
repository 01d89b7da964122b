// Outward and inward traversal of the tree (the passes of RNEA, CRBA and ABA), calling visit(i,
// body, joint) with the joint's own type. Consecutive bodies with the same joint type share a loop,
// so a chain of revolute joints needs one dispatch, not one per body.
#pragma once

#include <span>
#include <variant>

#include "trammel/model/model.hpp"
#include "trammel/model/simd/packed_chains.hpp"
#include "trammel/scalar/dual.hpp"

namespace trammel {

// For plain numbers everything called inside is inlined into the loop (flatten): a recursion
// consists of many small functions, which gcc does not inline by itself. For Expr and Dual this
// would only lengthen compilation, and sanitizers would add too much code to every access.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
template <Scalar S> inline constexpr bool is_inlined_whole = false;
#else
template <Scalar S> inline constexpr bool is_inlined_whole = true;
template <int N> inline constexpr bool is_inlined_whole<Dual<N>> = false;
template <> inline constexpr bool is_inlined_whole<Expr> = false;
#endif

// One run of consecutive bodies whose joints have the type of `joint`.
template <class Run> struct InlinedRun {
  const Run& run;
  int& i;
  template <class J> [[gnu::flatten]] void operator()(const J&) const {
    run.template operator()<J>(i);
  }
};
template <Scalar S, class Run> void walk_run(const Run& run, const Joint& joint, int& i) {
  if constexpr (is_inlined_whole<S>)
    std::visit(InlinedRun<Run>{run, i}, joint);
  else
    std::visit([&]<class J>(const J&) { run.template operator()<J>(i); }, joint);
}

inline BodyRun all_bodies(const Model& model) { return {1, int(model.bodies().size()) - 1}; }

// Traverses some of the bodies, run after run, or all of them.
template <Scalar S, class Visit>
void outward(const Model& model, std::span<const BodyRun> runs, Visit&& visit) {
  const Body* const bodies = model.bodies().data();
  for (const BodyRun& some : runs) {
    const int n = some.end();
    const auto run = [&]<class J>(int& i) {
      do visit(i, bodies[i], *std::get_if<J>(&bodies[i].joint));
      while (++i < n && std::holds_alternative<J>(bodies[i].joint));
    };
    for (int i = some.first; i < n;) walk_run<S>(run, bodies[i].joint, i);
  }
}
template <Scalar S, class Visit> void outward(const Model& model, Visit&& visit) {
  const BodyRun all = all_bodies(model);
  outward<S>(model, {&all, 1}, visit);
}
template <Scalar S, class Visit>
void inward(const Model& model, std::span<const BodyRun> runs, Visit&& visit) {
  const Body* const bodies = model.bodies().data();
  for (std::size_t k = runs.size(); k-- > 0;) {
    const int first = runs[k].first;
    const auto run = [&]<class J>(int& i) {
      do visit(i, bodies[i], *std::get_if<J>(&bodies[i].joint));
      while (--i >= first && std::holds_alternative<J>(bodies[i].joint));
    };
    for (int i = runs[k].end() - 1; i >= first;) walk_run<S>(run, bodies[i].joint, i);
  }
}
template <Scalar S, class Visit> void inward(const Model& model, Visit&& visit) {
  const BodyRun all = all_bodies(model);
  inward<S>(model, {&all, 1}, visit);
}

}  // namespace trammel
