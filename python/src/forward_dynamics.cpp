#include "trammel/dynamics/forward_dynamics.hpp"

#include "bindings.hpp"
#include "call.hpp"
#include "trammel/dynamics/hybrid_dynamics.hpp"

namespace trammel::python {

void bind_forward_dynamics(py::module_& module) {
  define(
      module, "forward_dynamics", parameters(in::forward, in::workspace, in::out),
      returns_dofs(forward_dynamics),
      "Forward dynamics: accelerations a (nv) [rad/s^2 or m/s^2] under the actuator efforts tau "
      "(nv), by the articulated-body algorithm (ABA) on trees.\n\n"
      "    a = M(q)^-1 (tau + passive - C v - N + J^T wrenches)\n\n"
      "tau: an array, or efforts by the names of joints, {'elbow': 2.0}; zero if not given. a: \n"
      "accelerations of joints driven by motion, likewise. wrenches: a list of Wrench, or\n"
      "{'tool': [moment; force]}, six numbers in world axes. ground: a moving Support. loop_tau, "
      "loop_a: efforts\n"
      "and accelerations of loop joints, in the order of loop_dof_names or by name. out: a "
      "float64\n"
      "array (nv) to write into. The result takes names, too: a['elbow'].\n"
      "Raises EvaluationError naming a degree of freedom without inertia.");
  define(
      module, "hybrid_dynamics",
      parameters(in::state, keyword_only, in::tau, in::prescribed_a, in::loads, in::loop_inputs,
                 in::workspace),
      [](Call& call) {
        const int nv = call.model().nv();
        RowsOut a = call.rows({}, {nv}), tau = call.rows({}, {nv});
        RowsOut loop_tau = call.rows({}, {call.model().loop_nv()});
        call.evaluate(hybrid_dynamics, a.span(), tau.span(), loop_tau.span());
        return record("HybridMotion", call.finish(a, Space::v), call.finish(tau, Space::v),
                      call.finish(loop_tau, Space::loop_v));
      },
      "Hybrid dynamics: accelerations are given for some joints, efforts for the others; computes "
      "both for all.\n\n"
      "Joints with drive 'motion' have the accelerations a (nv), 'locked' joints do not move, all "
      "others have the efforts tau (nv).\n"
      "Loop joints likewise, by loop_a and loop_tau, in the order of loop_dof_names or by "
      "name.\n"
      "Returns HybridMotion(a, tau, loop_tau) with all entries (nv, nv, one effort per degree of "
      "freedom of the loop joints).\n"
      "prescribed_efforts also returns which efforts are unique.");
}

}  // namespace trammel::python
