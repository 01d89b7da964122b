// Wrench and contact laws given by user functions. They are evaluated with every right-hand side,
// so their arguments are computed once for all of them.
#include <stdexcept>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/simulate/inputs/simulation_inputs.hpp"

namespace trammel {

void SimulationInputs::add_wrench(const FrameRef& at, WrenchLaw law) {
  if (!law) throw std::invalid_argument("pull: the law is empty: give a function");
  wrench_laws_.push_back({at, std::move(law)});
}

void SimulationInputs::set_contact_law(std::string_view contact, ContactLaw law) {
  if (!law) throw std::invalid_argument("touch: the law is empty: give a function");
  std::vector<std::string> known;
  for (const ContactDescription& description : model_.description().contacts)
    known.push_back(description.name);
  const auto found = std::ranges::find(known, contact);
  if (found == known.end()) {
    const auto near = suggest(contact, known);
    throw std::invalid_argument(
        fmt::format("touch: the model has no contact '{}'{}", contact,
                    near ? fmt::format("; did you mean '{}'?", *near) : std::string()));
  }
  const auto k = std::size_t(found - known.begin());
  if (const double own = model_.numbers().contacts[k].stiffness; own != 0)
    throw std::invalid_argument(
        fmt::format("touch: contact '{}' has a stiffness of its own, {:.6g}, and both would push: "
                    "set it to 0",
                    contact, own));
  contact_laws_.resize(known.size());
  contact_laws_[k] = std::move(law);
}

void SimulationInputs::add_laws(const State& state, Acting& out) const {
  if (!out.workspace) {
    out.workspace = std::make_shared<BasicWorkspace<double>>(model_, kernel::kernels().lanes);
    out.moving.emplace(model_);
  }
  const Kinematics& moving = *out.moving;
  const std::vector<double> at_rest(state.v.size());
  kernel::kernels().kinematics({model_, model_.numbers()}, state.q, state.v, at_rest,
                               *out.workspace, *out.moving);
  for (const auto& [at, law] : wrench_laws_) {
    const MovingPlace place{state, pose(model_, moving, at),
                            velocity(model_, moving, at, Axes::world)};
    out.wrenches.push_back({at, law(place), Axes::world});
  }

  out.by_laws.assign(contact_laws_.size(), std::nullopt);
  for (std::size_t k = 0; k < contact_laws_.size(); ++k) {
    if (!contact_laws_[k]) continue;
    const ContactAt now = evaluate_contact(model_, int(k), moving);
    if (!(now.depth > 0)) continue;
    const ElementBodies& contact = model_.contacts()[k];
    // the contact point, as a point of each of the two bodies
    const auto place_on = [&](BodyId body) {
      const Vec3<double> r = inverse(pose(model_, moving, {body})) * now.point;
      return FrameRef{body, {Mat3<double>::identity(), r}};
    };
    const FrameRef floor = place_on(contact.parent), ball = place_on(contact.child);
    const Mat3<double>& R_WP = moving.X_WB[std::size_t(model_[contact.parent].tree_body)].R;
    const Vec3<double> up = R_WP * model_.numbers().contacts[k].X_PF.R.z;
    const Vec3<double> v = velocity(model_, moving, ball, Axes::world).linear -
                           velocity(model_, moving, floor, Axes::world).linear;
    const double rise = dot(up, v);
    const ContactLawForce push =
        contact_laws_[k]({state, now.depth, -rise, now.point, up, v - rise * up});
    const Vec3<double> force = push.normal * up + push.along;
    out.by_laws[k] = {push, up};
    out.wrenches.push_back({ball, {{}, force}, Axes::world});
    out.wrenches.push_back({floor, {{}, -force}, Axes::world});
  }
}

Status SimulationInputs::contact_forces(const State& state, const Acting& acting,
                                        Workspace& workspace,
                                        std::vector<ContactForce>& out) const {
  if (Status status = trammel::contact_forces(model_, state, workspace, out); !status)
    return status;
  for (std::size_t k = 0; k < acting.by_laws.size(); ++k)
    if (acting.by_laws[k]) {
      const auto& [push, up] = *acting.by_laws[k];
      out[k].press = push.normal;
      out[k].normal = push.normal * up;
      out[k].friction = push.along;
    }
  return {};
}

}  // namespace trammel
