// Checks that arguments belong to this model, and that a function supports the model's constraints
// and force elements. For this module only.
#pragma once

#include <fmt/format.h>

#include <stdexcept>

#include "trammel/dynamics/articulated_inertias.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/model/description/joint_table.hpp"

namespace trammel {

// Whether a function supports loops, couplings, rods and wheels. honored: the constraints are
// checked to be satisfied first; honored_unchecked: the callee checks that itself.
enum class Constraints { refused, honored, honored_unchecked };
// Whether a function supports force elements between bodies. apart: the result does not depend on
// their forces; acting: they are among the loads of the kernel input.
enum class Forces { refused, apart, acting };

inline Status answerable(const char* context, const Model& model,
                         Constraints constraints = Constraints::refused,
                         Forces forces = Forces::refused) {
  const bool is_refused = constraints == Constraints::refused && model.has_constraints();
  const bool are_refused = forces == Forces::refused && model.has_force_elements();
  if (!is_refused && !are_refused) return {};
  std::string list;
  const auto add = [&](const std::string& record) { list += (list.empty() ? "" : ", ") + record; };
  if (is_refused)
    for (const std::string& record : model.constraint_names()) add(record);
  if (are_refused)
    for (const std::string& record : model.force_element_names()) add(record);
  return Status::failure(
      fmt::format("{}: the model '{}' has elements that this function does not support yet: {}",
                  context, model.name(), list));
}

// Functions that hold the states z of force elements constant would be wrong with such elements.
inline Status without_element_states(const char* context, const Model& model) {
  if (model.nz() == 0) return {};
  std::string list;
  each_force_element_kind(model.numbers(), [&](auto kind, const auto& elements) {
    for (std::size_t k = 0; k < elements.size(); ++k)
      if (nz_of(elements[k]) > 0)
        list += (list.empty() ? "" : ", ") + model.force_elements(kind)[k].name;
  });
  return Status::failure(
      fmt::format("{}: the model '{}' has force elements with states of their own, which this "
                  "function does not support: {}; simulate does",
                  context, model.name(), list));
}

inline void expects_body(const char* context, const char* what, const Model& model, BodyId body) {
  const std::size_t n = model.named_bodies().size();
  if (index(body) < 0 || std::size_t(index(body)) >= n)
    throw std::invalid_argument(fmt::format("{}: {} is on body {}, the model has bodies 0 to {}",
                                            context, what, index(body), n - 1));
}

// The joint with several coordinates that begins at q[start].
inline std::string quaternion_joint(const Model& model, int start) {
  const std::string entry = model.coordinate_name(start);  // "wrist.qw"
  return entry.substr(0, entry.rfind('.'));
}

// A tree joint in a position that it cannot have, as a message without the name of the function;
// empty: none.
inline std::string position_fault(const Model& model, const double* q) {
  for (const int body : model.restricted_bodies()) {
    const Body& of = model.bodies()[std::size_t(body)];
    if (const char* const fault = position_fault(of.joint, q + of.q_start))
      return fmt::format("joint '{}' {}", quaternion_joint(model, of.q_start), fault);
  }
  return {};
}

inline void expects_same_model(const char* context, const char* what, std::size_t bodies,
                               std::size_t dofs, const Model& model) {
  if (bodies != model.bodies().size() || dofs != std::size_t(model.nv()))
    throw std::invalid_argument(fmt::format(
        "{}: {} was made for another model ({} moving bodies and nv = {}, this one has {} and {})",
        context, what, bodies - 1, dofs, model.bodies().size() - 1, model.nv()));
}
inline void expects_same_model(const char* context, const Positions& positions,
                               const Model& model) {
  expects_same_model(context, "the kinematics", positions.X_WB.size(), positions.axes.size(),
                     model);
}
inline void expects_same_model(const char* context, const ArticulatedInertias& factors,
                               const Model& model) {
  expects_same_model(context, "the stage of articulated inertias", factors.I_A.size(),
                     factors.axes.size(), model);
}
inline void expects_same_tree(const char* context, const char* what, int nq, int nv,
                              std::uint64_t tree, const Model& model) {
  if (nq != model.nq() || nv != model.nv())
    throw std::invalid_argument(fmt::format(
        "{}: {} was made for another model (nq = {}, nv = {}, this one has nq = {}, nv = {})",
        context, what, nq, nv, model.nq(), model.nv()));
  if (tree != model.tree_fingerprint())
    throw std::invalid_argument(fmt::format(
        "{}: {} was made for another model, whose bodies hang together otherwise", context, what));
}
inline void expects_same_model(const char* context, const Workspace& workspace,
                               const Model& model) {
  expects_same_tree(context, "the workspace", workspace->nq, int(workspace->zero.size()),
                    workspace->tree, model);
}
template <class Sealed>  // a DerivativeWorkspace or a BatchWorkspace
void expects_same_sealed(const char* context, const char* what, const Sealed& workspace,
                         const Model& model) {
  expects_same_tree(context, what, workspace->nq, workspace->nv, workspace->tree, model);
}

}  // namespace trammel
