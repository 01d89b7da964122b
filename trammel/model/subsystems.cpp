#include "trammel/model/subsystems.hpp"

#include <algorithm>
#include <cstddef>

#include "trammel/model/body_of_dof.hpp"

namespace trammel {

namespace {

// Disjoint sets of bodies with path halving [Tarjan, van Leeuwen 1984]; ground is in none.
class BodySets {
 public:
  explicit BodySets(const Model& model) : model_(model) {
    for (int i = 0; i < int(model.bodies().size()); ++i) {
      root_.push_back(i);
      join(i, model.bodies()[std::size_t(i)].parent);
    }
  }
  int find(int i) {
    while (root_[std::size_t(i)] != i)
      i = root_[std::size_t(i)] = root_[std::size_t(root_[std::size_t(i)])];
    return i;
  }
  void join(int i, int j) {
    if (i <= 0 || j <= 0) return;
    const int a = find(i), b = find(j);
    root_[std::size_t(std::max(a, b))] = std::min(a, b);
  }
  // Of constraints and force elements, by their parent and child.
  template <class Connection> void join(const Connection& connection) {
    join(model_[connection.parent].tree_body, model_[connection.child].tree_body);
  }

 private:
  const Model& model_;
  std::vector<int> root_;
};

}  // namespace

std::vector<int> subsystems_of_dofs(const Model& model) {
  BodySets sets(model);
  for (const Closure& closure : model.closures()) sets.join(closure);
  for (const Rod& rod : model.rods()) sets.join(rod);
  for (const FrameConstraint& constraint : model.frame_constraints()) sets.join(constraint);
  for (const Wheel& wheel : model.wheels()) sets.join(wheel);
  for (std::size_t kind = 0; kind < force_element_kinds; ++kind)
    for (const ElementBodies& element : model.force_elements(kind)) sets.join(element);
  for (const Coupling& coupling : model.couplings()) {
    int first = 0;
    for (const Coupling::Term& term : coupling.terms) {
      int body = 0;
      if (term.closure < 0) {
        body = body_of_dof(model, term.v);
      } else {
        const Closure& closure = model.closures()[std::size_t(term.closure)];
        body = std::max(model[closure.parent].tree_body, model[closure.child].tree_body);
      }
      if (first == 0) first = body;
      sets.join(first, body);
    }
  }
  std::vector<int> number(model.bodies().size(), -1), out;
  int count = 0;
  for (std::size_t i = 1; i < number.size(); ++i) {
    int& which = number[std::size_t(sets.find(int(i)))];
    if (which < 0) which = count++;
    const Body& body = model.bodies()[i];
    out.insert(out.end(), std::size_t(body.v_end - body.v_start), which);
  }
  return out;
}

}  // namespace trammel
