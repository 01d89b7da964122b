#include "trammel/constraint/kinds/coupling.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "trammel/constraint/kinds/whole_turns.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/model/units.hpp"

namespace trammel {

std::vector<CouplingBlock> CouplingBlock::all(const Model& model) {
  std::vector<CouplingBlock> blocks;
  for (std::size_t k = 0; k < model.couplings().size(); ++k) blocks.push_back({int(k)});
  return blocks;
}

std::string CouplingBlock::owner(const Model& model) const {
  return model.couplings()[std::size_t(coupling)].name;
}

// A sum of angles is in rad; one with slides in it, in m.
std::vector<RowTraits> CouplingBlock::rows(const Model& model) const {
  const std::vector<DofKind> kinds = dof_kinds(model);
  const std::vector<std::string> loop_units = loop_position_units(model);
  const auto& terms = model.couplings()[std::size_t(coupling)].terms;
  const bool sums_turns = std::ranges::all_of(terms, [&](const Coupling::Term& term) {
    if (term.closure < 0) return kinds[std::size_t(term.v)] == DofKind::turn;
    const int start = model.closures()[std::size_t(term.closure)].q_start;
    return loop_units[std::size_t(start + term.q)] == "rad";
  });
  return {{.is_turn = sums_turns, .is_linear = bodies(model).empty()}};
}

std::vector<BodyId> CouplingBlock::bodies(const Model& model) const {
  std::vector<BodyId> ends;
  for (const Coupling::Term& term : model.couplings()[std::size_t(coupling)].terms) {
    if (term.closure < 0) continue;
    const Closure& closure = model.closures()[std::size_t(term.closure)];
    ends.insert(ends.end(), {closure.parent, closure.child});
  }
  return ends;
}

std::vector<DirectDof> CouplingBlock::directs(const Model& model) const {
  const Coupling& what = model.couplings()[std::size_t(coupling)];
  std::vector<DirectDof> directs;
  for (std::size_t t = 0; t < what.terms.size(); ++t)
    if (what.terms[t].closure < 0) directs.push_back({what.terms[t].v, what.factor_start + int(t)});
  return directs;
}

template <Scalar S>
void CouplingBlock::evaluate(const BlockInput<S>& input, EvaluatedRows<S>& out) const {
  const Model& model = input.model;
  const Coupling& what = model.couplings()[std::size_t(coupling)];
  S c = -model.numbers().coupling_offsets[std::size_t(coupling)], c_dot = 0.0, c_dot_dot = 0.0;
  int loop_terms = 0;
  double turn = 0;  // period of the sum by the last loop term
  for (std::size_t t = 0; t < what.terms.size(); ++t) {
    const auto& [closure, q_index, v_index] = what.terms[t];
    const double factor = model.numbers().coupling_factors[std::size_t(what.factor_start) + t];
    if (closure < 0) {
      c += factor * input.q[std::size_t(q_index)];
      c_dot += factor * input.v[std::size_t(v_index)];
      c_dot_dot += factor * input.a[std::size_t(v_index)];
      out.directs.push_back({out.next_row(), v_index, factor});
      continue;
    }
    const BasicClosureAt<S>& at = out.closures[std::size_t(closure)];
    const Joint& joint = model.closures()[std::size_t(closure)].joint;
    const Force<S> dual = duals(at, dof_count(joint))[std::size_t(v_index)];
    c += factor * at.q[q_index];
    c_dot += factor * dot(at.V, dual);
    c_dot_dot += factor * dot(at.A, dual);
    out.push(model, closure, dual, factor);
    ++loop_terms;
    turn = comes_round(joint, q_index) ? 2 * std::numbers::pi * std::abs(factor) : 0;
  }
  // a state does not store how often a loop joint has turned: the nearest turn is used
  out.add(loop_terms == 1 && turn > 0 ? but_for_turns(c, turn) : c, c_dot, c_dot_dot);
}

template void CouplingBlock::evaluate(const BlockInput<double>&, EvaluatedRows<double>&) const;
template void CouplingBlock::evaluate(const BlockInput<Duals>&, EvaluatedRows<Duals>&) const;

}  // namespace trammel
