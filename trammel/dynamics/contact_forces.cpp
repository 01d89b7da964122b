#include "trammel/dynamics/contact_forces.hpp"

#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/force_elements.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

Status contact_forces(const Model& model, const State& state, Workspace& workspace,
                      std::vector<ContactForce>& out) {
  out.clear();
  const Inputs nothing;
  const EvalContext context("contact_forces", model, state, nothing, workspace,
                            Constraints::honored, Forces::apart);
  if (!context.ok()) return context.status();
  const Kinematics& moving = workspace->kinematics;
  kernel::kernels().kinematics(context.unloaded_input(), context.q(), context.v(), context.zero(),
                               *workspace, workspace->kinematics);
  for (int k = 0; k < int(model.contacts().size()); ++k) {
    const ElementBodies& contact = model.contacts()[std::size_t(k)];
    const ContactAt at = evaluate_contact(model, k, moving);
    const Mat3<double>& R_WP = moving.X_WB[std::size_t(model[contact.parent].tree_body)].R;
    const Vec3<double> up = R_WP * model.numbers().contacts[std::size_t(k)].X_PF.R.z;
    ContactForce& one = out.emplace_back();
    one.contact = model.description().contacts[std::size_t(k)].name;
    one.body = contact.child;
    one.point = at.point;
    one.depth = at.depth;
    one.sliding = at.sliding;
    one.press = at.normal;
    one.normal = at.normal * up;
    one.friction = at.force - one.normal;
  }
  return {};
}

}  // namespace trammel
