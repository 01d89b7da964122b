#include "trammel/dynamics/batch.hpp"

#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "records.hpp"

namespace trammel::python {

namespace {

// numpy's row-major arrays are Eigen's column-major transposes: the same memory.
using Columns = Eigen::Map<const Eigen::MatrixXd>;
using ColumnsOut = Eigen::Map<Eigen::MatrixXd>;

Columns columns_of(const char* context, const char* what, const Array& array) {
  if (array.ndim() != 2)
    throw std::invalid_argument(std::string(context) + ": " + what + " has " +
                                std::to_string(array.ndim()) +
                                " dimensions; give it two, a row a state");
  return {array.data(), array.shape(1), array.shape(0)};
}
std::span<const double> span_of(const Array& array) {
  return {array.data(), std::size_t(array.size())};
}

template <class EvalContext>
void ask(const SharedModel& model, OwnBatchWorkspace* workspace, const EvalContext& context) {
  Rented<BatchWorkspace> room(model, workspace);
  require([&] {
    const py::gil_scoped_release unlocked;
    return context(static_cast<BatchWorkspace&>(room));
  }());
}

using VectorFunction = Status (*)(const Model&, const States&,
                                  const Eigen::Ref<const Eigen::MatrixXd>&, BatchWorkspace&,
                                  Eigen::Ref<Eigen::MatrixXd>);

// Batch calls with vectors in and out: `given` is the name of the third array.
void bind_vectors(py::module_& module, const char* name, VectorFunction context, const char* given,
                  const char* text) {
  module.def(
      name,
      [name = std::string(name), context, given](
          const SharedModel& model, const Array& q, const Array& v, const Array& x,
          OwnBatchWorkspace* workspace, const OptionalOut& out) {
        const States states{columns_of(name.c_str(), "q", q), columns_of(name.c_str(), "v", v)};
        const Columns inputs = columns_of(name.c_str(), given, x);
        RowsOut answer(name.c_str(), out, {q.shape(0), model->nv()},
                       {span_of(q), span_of(v), span_of(x)});
        ask(model, workspace, [&](BatchWorkspace& room) {
          return context(*model, states, inputs, room,
                         ColumnsOut(answer.data(), model->nv(), q.shape(0)));
        });
        return answer.finish();
      },
      py::arg("model"), py::arg("q"), py::arg("v"), py::arg(given), py::kw_only(),
      py::arg("workspace") = py::none(), py::arg("out") = py::none(), text);
}

}  // namespace

void bind_batch(py::module_& module) {
  module.def(
      "forward_dynamics_batch",
      [](const SharedModel& model, const Array& q, const Array& v, const Array& tau,
         const std::optional<Array>& prescribed, OwnBatchWorkspace* workspace,
         const OptionalOut& out) {
        const char* const name = "forward_dynamics_batch";
        const States states{columns_of(name, "q", q), columns_of(name, "v", v)};
        const Columns efforts = columns_of(name, "tau", tau);
        std::optional<Eigen::Ref<const Eigen::MatrixXd>> plans;
        if (prescribed) plans.emplace(columns_of(name, "prescribed", *prescribed));
        RowsOut answer(name, out, {q.shape(0), model->nv()},
                       {span_of(q), span_of(v), span_of(tau),
                        prescribed ? span_of(*prescribed) : std::span<const double>()});
        ask(model, workspace, [&](BatchWorkspace& room) {
          return forward_dynamics_batch(*model, states, efforts, room,
                                        ColumnsOut(answer.data(), model->nv(), q.shape(0)), plans);
        });
        return answer.finish();
      },
      py::arg("model"), py::arg("q"), py::arg("v"), py::arg("tau"), py::kw_only(),
      py::arg("prescribed") = py::none(), py::arg("workspace") = py::none(),
      py::arg("out") = py::none(),
      "forward_dynamics for many states: q (N, nq), v (N, nv), tau (N, nv) give a (N, nv).\n\n"
      "Several states are computed in parallel in SIMD registers. Row-major arrays are not "
      "copied. planned\n"
      "(N, nv): accelerations of joints driven by motion, zero for the others.\n"
      "Raises EvaluationError naming the state that failed.");
  bind_vectors(module, "inverse_dynamics_batch", &inverse_dynamics_batch, "a",
               "inverse_dynamics for many states: q (N, nq), v (N, nv), a (N, nv) give tau (N, "
               "nv).");
  module.def(
      "mass_matrix_batch",
      [](const SharedModel& model, const Array& q, const Array& v, OwnBatchWorkspace* workspace,
         const OptionalOut& out) {
        const char* const name = "mass_matrix_batch";
        const py::ssize_t n = model->nv();
        const States states{columns_of(name, "q", q), columns_of(name, "v", v)};
        RowsOut answer(name, out, {q.shape(0), n, n}, {span_of(q), span_of(v)});
        ask(model, workspace, [&](BatchWorkspace& room) {
          return mass_matrix_batch(*model, states, room,
                                   ColumnsOut(answer.data(), n * n, q.shape(0)));
        });
        return answer.finish();
      },
      py::arg("model"), py::arg("q"), py::arg("v"), py::kw_only(),
      py::arg("workspace") = py::none(), py::arg("out") = py::none(),
      "mass_matrix for many states: q (N, nq), v (N, nv) give M (N, nv, nv).");
  module.def(
      "kinematics_batch",
      [](const SharedModel& model, const Array& q, const Array& v, OwnBatchWorkspace* workspace,
         const OptionalOut& out) {
        const char* const name = "kinematics_batch";
        const py::ssize_t bodies = py::ssize_t(model->named_bodies().size());
        const States states{columns_of(name, "q", q), columns_of(name, "v", v)};
        RowsOut poses(name, out, {q.shape(0), bodies, 4, 3}, {span_of(q), span_of(v)});
        ask(model, workspace, [&](BatchWorkspace& room) {
          return kinematics_batch(*model, states, room,
                                  ColumnsOut(poses.data(), 12 * bodies, q.shape(0)));
        });
        return record("Poses", poses.finish());
      },
      py::arg("model"), py::arg("q"), py::arg("v"), py::kw_only(),
      py::arg("workspace") = py::none(), py::arg("out") = py::none(),
      "Poses of all bodies in many states: q (N, nq), v (N, nv) give Poses with R (N, bodies, 3, "
      "3) and p (N, bodies, 3) in the world, bodies as in model.bodies.\n\n"
      "out: an array (N, bodies, 4, 3) to write into; the last axes contain the columns of R, "
      "then p.");
}

}  // namespace trammel::python
