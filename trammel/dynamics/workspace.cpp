#include "trammel/dynamics/workspace.hpp"

#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"

namespace trammel {

Workspace::Workspace(const Model& model)
    : BasicWorkspace<double>(model, kernel::kernels().lanes),
      kinematics(model),
      on_body(model.named_bodies().size()),
      zero(std::size_t(model.nv())),
      a(std::size_t(model.nv())),
      tau(std::size_t(model.nv())),
      nq(model.nq()),
      tree(model.tree_fingerprint()),
      constrained(make_constrained(model)) {
  std::size_t elements = 0;
  for (std::size_t kind = 0; kind < force_element_kinds; ++kind)
    elements += model.force_elements(kind).size();
  external_forces.reserve(model.bodies().size() + 16 + 2 * elements);
  element_forces.reserve(elements + model.closures().size());
}

Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
Workspace::~Workspace() = default;

}  // namespace trammel
