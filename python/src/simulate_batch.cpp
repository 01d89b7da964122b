#include "trammel/simulate/simulate_batch.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "records.hpp"
#include "shared_model.hpp"
#include "signals.hpp"

namespace trammel::python {

namespace {

constexpr const char* context = "simulate_batch";

// numpy's row-major arrays are Eigen's column-major transposes.
Eigen::Map<const Eigen::MatrixXd> columns_of(const char* what, const Array& array) {
  if (array.ndim() != 2)
    throw std::invalid_argument(std::string(context) + ": " + what + " has " +
                                std::to_string(array.ndim()) +
                                " dimensions; give it two, a row a run");
  return {array.data(), array.shape(1), array.shape(0)};
}

// (times, runs, numbers)
py::array_t<double> table_of(const std::vector<Eigen::MatrixXd>& samples) {
  const Eigen::MatrixXd& first = samples.front();
  py::array_t<double> table({py::ssize_t(samples.size()), first.cols(), first.rows()});
  double* out = table.mutable_data();
  for (const Eigen::MatrixXd& sample : samples)
    out = std::copy_n(sample.data(), sample.size(), out);
  return table;
}

}  // namespace

void bind_simulate_batch(py::module_& module) {
  module.def(
      context,
      [](const SharedModel& model, const Array& q, const Array& v, double duration,
         const std::string& method, double step, double sample,
         const std::optional<double>& wall_limit, OwnBatchWorkspace* workspace) {
        const std::optional<Method> named = method_named(method);
        if (!named)
          throw std::invalid_argument("simulate_batch: there is no method '" + method +
                                      "'; take rk4 or semi-implicit-euler");
        const States starts{columns_of("q", q), columns_of("v", v)};
        const SimulationInputs run_inputs(*model);
        Rented<BatchWorkspace> room(model, workspace);
        BatchWorkspace& rented = room;
        BatchMotion motion;
        const Status status = [&] {
          const py::gil_scoped_release unlocked;
          return simulate_batch(*model, starts, run_inputs,
                                {.duration = duration,
                                 .method = *named,
                                 .step = step,
                                 .sample = sample,
                                 .wall_limit = wall_limit ? wall_limit_of(context, *wall_limit) : 0,
                                 .interrupt = Signals()},
                                rented, motion);
        }();
        // runs that stopped are reported individually; any other failure concerns all
        if (motion.times.empty()) require(status);
        py::list stopped;
        for (const std::string& description : motion.stopped)
          stopped.append(description.empty() ? py::object(py::none()) : py::str(description));
        py::list events;
        for (const std::vector<EventRecord>& of_run : motion.events) {
          py::list told;
          for (const EventRecord& event_record : of_run)
            told.append(
                record("EventRecord", event_record.time, event_record.what, event_record.lost));
          events.append(told);
        }
        return record("BatchRun",
                      py::array_t<double>(py::ssize_t(motion.times.size()), motion.times.data()),
                      table_of(motion.q), table_of(motion.v), stopped, events);
      },
      py::arg("model"), py::arg("q"), py::arg("v"), py::kw_only(), py::arg("duration") = 10.0,
      py::arg("method") = "rk4", py::arg("step") = 1e-3, py::arg("sample") = 0.0,
      py::arg("wall_limit") = py::none(), py::arg("workspace") = py::none(),
      "Simulates many runs of one model: q (N, nq), v (N, nv) are the initial states at time 0; "
      "all have the model's inputs.\n\n"
      "As simulate with the methods rk4 and semi-implicit-euler, several runs in lockstep in SIMD "
      "registers, shared among the threads of the workspace.\n"
      "A run whose loops come near a singular pose continues alone, as in simulate.\n"
      "sample: interval between samples; 0: only the start and the end. Runs that are not "
      "finished after wall_limit [s] of wall-clock time stop there, with the reason in `stopped`. "
      "Ctrl-C raises KeyboardInterrupt.");
}

}  // namespace trammel::python
