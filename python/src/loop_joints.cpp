#include "bindings.hpp"
#include "call.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"

namespace trammel::python {

void bind_loop_joints(py::module_& module) {
  define(module, "loop_motion", in::of_state,
         returns<LoopMotion>(loop_motion,
                             [](const Call& call, const LoopMotion& motion) {
                               return record("LoopMotion", call.named(Space::loop_q, motion.q),
                                             call.named(Space::loop_v, motion.v));
                             }),
         "Positions and velocities of loop joints: LoopMotion(q, v), in the order of\n"
         "loop_coordinate_names and loop_dof_names.");
  define(
      module, "loop_coordinate_names", parameters(),
      [](Call& call) { return loop_coordinate_names(call.model()); },
      "Names of the coordinates of loop joints, which are not part of q.");
  define(
      module, "loop_dof_names", parameters(),
      [](Call& call) { return loop_dof_names(call.model()); },
      "Names of the degrees of freedom of loop joints: the order of loop_tau and loop_a.");
  define(
      module, "check_loop_limits", parameters(parameter<py::object>("motion")),
      [](Call& call, const py::object& motion) {
        if (!py::hasattr(motion, "q") || !py::hasattr(motion, "v") ||
            !py::isinstance<py::array>(motion.attr("q")))
          throw py::type_error("check_loop_limits: motion is " + described(motion) +
                               ": give a LoopMotion, as loop_motion(model, state) makes it");
        LoopMotion at;
        at.q = motion.attr("q").cast<Eigen::VectorXd>();
        at.v = motion.attr("v").cast<Eigen::VectorXd>();
        if (at.q.size() != call.model().loop_nq() || at.v.size() != call.model().loop_nv())
          throw std::invalid_argument(
              "check_loop_limits: the motion is of another model: call loop_motion for this one");
        return to_python(check_loop_limits(call.model(), at).list());
      },
      "Values of a LoopMotion outside the limits of their joints: one Diagnostic each.");
}

}  // namespace trammel::python
