#include "trammel/dynamics/reactions.hpp"

#include "bindings.hpp"
#include "call.hpp"
#include "trammel/dynamics/contact_forces.hpp"

namespace trammel::python {

void bind_reactions(py::module_& module) {
  define(
      module, "reactions",
      parameters(in::state, in::a_of_tree, keyword_only, in::tau, in::loads, in::loop_inputs,
                 in::workspace, in::out),
      [](Call& call, const OptionalOut& out) {
        RowsOut result = call.rows(out, {py::ssize_t(call.model().joints().size()), 6});
        std::vector<Force<double>> carried;
        call.evaluate(reactions, carried);
        double* x = result.data();
        for (const auto& [moment, force] : carried)
          for (const double number : {moment.x, moment.y, moment.z, force.x, force.y, force.z})
            *x++ = number;
        return call.finish(result, Space::joints, out);
      },
      "Joint reactions for the accelerations a (nv): an array (joints, 6), one row per joint of "
      "model.joints: [moment; force] [N m, N]; reactions(...)['elbow'] is the row of a joint.\n\n"
      "The wrench of the parent on the child at the joint's frame on the child, in that frame's "
      "axes; all\n"
      "six components, fixed joints too. A model with loops takes tau (nv) instead of a: its "
      "accelerations\n"
      "follow from tau; constrained_reactions returns which components are unique.");
  define(module, "contact_forces", in::of_state,
         returns_list<ContactForce>(contact_forces,
                                    [](const ContactForce& c) {
                                      return record("ContactForce", c.contact, to_array(c.point),
                                                    c.depth, c.sliding, c.press, to_array(c.normal),
                                                    to_array(c.friction));
                                    }),
         "Contact forces of the ground: a ContactForce for each contact of the model; if it does "
         "not touch, zero force and its distance from the ground.");
}

}  // namespace trammel::python
