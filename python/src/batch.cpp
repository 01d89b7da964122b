#include "trammel/dynamics/batch.hpp"

#include "batch_arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"

namespace trammel::python {

namespace {

constexpr auto batch_states = parameters(parameter<Array>("q"), parameter<Array>("v"));
constexpr auto batch_memory =
    parameters(parameter<OwnBatchWorkspace*>("workspace", None()), in::out);

// Rows of results, one per state, of `shape` each: f(states, workspace, columns of the result).
// The array may be one of `read`. `space`: whose names the result takes; none: no names.
template <class Function>
py::array evaluate_batch(Call& call, const States& states, OwnBatchWorkspace* own,
                         const OptionalOut& out, std::vector<py::ssize_t> shape,
                         std::initializer_list<std::span<const double>> read,
                         std::optional<Space> space, const Function& f) {
  const py::ssize_t count = states.q.cols();
  py::ssize_t size = 1;
  for (const py::ssize_t n : shape) size *= n;
  shape.insert(shape.begin(), count);
  RowsOut result(call.function(), out, std::move(shape), read);
  WorkspaceLease<BatchWorkspace> lease(call.shared_model(), own);
  require([&] {
    const py::gil_scoped_release release;
    return f(states, *lease, Eigen::Map<Eigen::MatrixXd>(result.data(), size, count));
  }());
  return space ? call.finish(result, *space, out) : result.finish();
}

// Efforts or accelerations of each state, by name too.
Array numbers_of(const Call& call, const char* what, const Array& q, const JointNumbers& given) {
  return batch_numbers(call.function(), what, call.model(), q.ndim() > 0 ? q.shape(0) : 0, given);
}

void bind_batches_of_states(py::module_& module) {
  define(
      module, "mass_matrix_batch", parameters(batch_states, keyword_only, batch_memory),
      [](Call& call, const Array& q, const Array& v, OwnBatchWorkspace* own,
         const OptionalOut& out) {
        const py::ssize_t n = call.model().nv();
        return evaluate_batch(call, states_of(call.function(), "state", q, v), own, out, {n, n},
                              {span_of(q), span_of(v)}, std::nullopt,
                              [&](const States& states, BatchWorkspace& workspace, auto result) {
                                return mass_matrix_batch(call.model(), states, workspace, result);
                              });
      },
      "mass_matrix for many states: q (N, nq), v (N, nv) give M (N, nv, nv).");
  define(
      module, "kinematics_batch", parameters(batch_states, keyword_only, batch_memory),
      [](Call& call, const Array& q, const Array& v, OwnBatchWorkspace* own,
         const OptionalOut& out) {
        const py::ssize_t bodies = py::ssize_t(call.model().named_bodies().size());
        return record(
            "Poses",
            evaluate_batch(call, states_of(call.function(), "state", q, v), own, out,
                           {bodies, 4, 3}, {span_of(q), span_of(v)}, std::nullopt,
                           [&](const States& states, BatchWorkspace& workspace, auto result) {
                             return kinematics_batch(call.model(), states, workspace, result);
                           }));
      },
      "Poses of all bodies in many states: q (N, nq), v (N, nv) give Poses with R (N, bodies, 3, "
      "3) and p (N, bodies, 3) in the world, bodies as in model.bodies.\n\n"
      "out: an array (N, bodies, 4, 3) to write into; the last axes contain the columns of R, "
      "then p.");
}

void bind_batches_of_reactions(py::module_& module) {
  define(
      module, "reactions_batch",
      parameters(batch_states, parameter<JointNumbers>("given"), keyword_only, batch_memory),
      [](Call& call, const Array& q, const Array& v, const JointNumbers& argument,
         OwnBatchWorkspace* own, const OptionalOut& out) {
        const Array given = numbers_of(call, "given", q, argument);
        const BatchColumns inputs = columns_of(call.function(), "given", "state", given);
        return evaluate_batch(call, states_of(call.function(), "state", q, v), own, out,
                              {py::ssize_t(call.model().joints().size()), 6},
                              {span_of(q), span_of(v), span_of(given)}, Space::joints,
                              [&](const States& states, BatchWorkspace& workspace, auto result) {
                                return reactions_batch(call.model(), states, inputs, workspace,
                                                       result);
                              });
      },
      "reactions for many states: q (N, nq), v (N, nv) and given (N, nv) give the forces\n"
      "(N, joints, 6): moment and force, joints as in model.joints. given: the accelerations of a\n"
      "tree, the efforts of a model with constraints.");
  define(
      module, "project_to_manifold_batch",
      parameters(batch_states, keyword_only, parameter<OwnBatchWorkspace*>("workspace", None())),
      [](Call& call, const Array& q, const Array& v, OwnBatchWorkspace* own) {
        const States states = states_of(call.function(), "state", q, v);
        RowsOut q_out(call.function(), {}, {q.shape(0), q.shape(1)});
        RowsOut v_out(call.function(), {}, {v.shape(0), v.shape(1)});
        Eigen::Map<Eigen::MatrixXd> q_columns(q_out.data(), q.shape(1), q.shape(0)),
            v_columns(v_out.data(), v.shape(1), v.shape(0));
        q_columns = states.q;
        v_columns = states.v;
        WorkspaceLease<BatchWorkspace> lease(call.shared_model(), own);
        require([&] {
          const py::gil_scoped_release release;
          return project_to_manifold_batch(call.model(), q_columns, v_columns, *lease);
        }());
        return py::make_tuple(call.finish(q_out, Space::q), call.finish(v_out, Space::v));
      },
      "States near the constraint manifold, projected onto it as after a step of simulate:\n"
      "q (N, nq), v (N, nv) give (q, v) of the same shapes. Raises EvaluationError naming the "
      "first\n"
      "state that cannot be projected.");
}

}  // namespace

void bind_batch(py::module_& module) {
  bind_batches_of_states(module);
  define(
      module, "forward_dynamics_batch",
      parameters(batch_states, parameter<JointNumbers>("tau"), keyword_only,
                 parameter<OptionalNumbers>("prescribed", None()), batch_memory),
      [](Call& call, const Array& q, const Array& v, const JointNumbers& tau_argument,
         const OptionalNumbers& prescribed_argument, OwnBatchWorkspace* own,
         const OptionalOut& out) {
        const Array tau = numbers_of(call, "tau", q, tau_argument);
        OptionalArray prescribed;
        if (prescribed_argument)
          prescribed = numbers_of(call, "prescribed", q, *prescribed_argument);
        const BatchColumns efforts = columns_of(call.function(), "tau", "state", tau);
        std::optional<Eigen::Ref<const Eigen::MatrixXd>> motions;
        if (prescribed)
          motions.emplace(columns_of(call.function(), "prescribed", "state", *prescribed));
        return evaluate_batch(
            call, states_of(call.function(), "state", q, v), own, out, {call.model().nv()},
            {span_of(q), span_of(v), span_of(tau),
             prescribed ? span_of(*prescribed) : std::span<const double>()},
            Space::v, [&](const States& states, BatchWorkspace& workspace, auto result) {
              return forward_dynamics_batch(call.model(), states, efforts, workspace, result,
                                            motions);
            });
      },
      "forward_dynamics for many states: q (N, nq), v (N, nv), tau (N, nv) give a (N, nv).\n\n"
      "tau may be given by the names of joints, one number for all states or N of them: {'elbow': "
      "2.0}; a['elbow'] are the N accelerations of a joint. "
      "Several states are computed in parallel in SIMD registers. Row-major arrays are not "
      "copied. prescribed\n"
      "(N, nv): accelerations of joints driven by motion, zero for the others.\n"
      "Raises EvaluationError naming the state that failed.");
  define(
      module, "inverse_dynamics_batch",
      parameters(batch_states, parameter<JointNumbers>("a"), keyword_only, batch_memory),
      [](Call& call, const Array& q, const Array& v, const JointNumbers& a_argument,
         OwnBatchWorkspace* own, const OptionalOut& out) {
        const Array a = numbers_of(call, "a", q, a_argument);
        const BatchColumns accelerations = columns_of(call.function(), "a", "state", a);
        return evaluate_batch(call, states_of(call.function(), "state", q, v), own, out,
                              {call.model().nv()}, {span_of(q), span_of(v), span_of(a)}, Space::v,
                              [&](const States& states, BatchWorkspace& workspace, auto result) {
                                return inverse_dynamics_batch(call.model(), states, accelerations,
                                                              workspace, result);
                              });
      },
      "inverse_dynamics for many states: q (N, nq), v (N, nv), a (N, nv) give tau (N, nv). With\n"
      "loops: the efforts of the drives, of least norm.");
  bind_batches_of_reactions(module);
}

}  // namespace trammel::python
