#include "trammel/simulate/simulate_batch.hpp"

#include "batch_arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "event_records.hpp"
#include "signals.hpp"

namespace trammel::python {

namespace {

// (times, runs, numbers)
py::array_t<double> table_of(const std::vector<Eigen::MatrixXd>& samples) {
  const Eigen::MatrixXd& first = samples.front();
  py::array_t<double> table({py::ssize_t(samples.size()), first.cols(), first.rows()});
  double* out = table.mutable_data();
  for (const Eigen::MatrixXd& sample : samples)
    out = std::copy_n(sample.data(), sample.size(), out);
  return table;
}

py::object to_record(const Call& call, const BatchMotion& motion) {
  py::list stopped, events;
  for (const std::string& reason : motion.stopped)
    stopped.append(reason.empty() ? py::object(py::none()) : py::str(reason));
  for (const std::vector<EventRecord>& of_run : motion.events) events.append(to_python(of_run));
  return record("BatchRun",
                py::array_t<double>(py::ssize_t(motion.times.size()), motion.times.data()),
                call.named(Space::q, table_of(motion.q)), call.named(Space::v, table_of(motion.v)),
                stopped, events);
}

Method batch_method(const std::string& name) {
  if (const std::optional<Method> method = method_named(name)) return *method;
  throw std::invalid_argument("simulate_batch: there is no method '" + name +
                              "'; take rk4 or semi-implicit-euler");
}

}  // namespace

void bind_simulate_batch(py::module_& module) {
  define(
      module, "simulate_batch",
      parameters(parameter<Array>("q"), parameter<Array>("v"), keyword_only,
                 parameter<double>("duration", 10.0), parameter<std::string>("method", "rk4"),
                 parameter<double>("step", 1e-3), parameter<double>("sample", 0.0),
                 parameter<std::optional<double>>("wall_limit", None()),
                 parameter<OwnBatchWorkspace*>("workspace", None())),
      [](Call& call, const Array& q, const Array& v, double duration, const std::string& method,
         double step, double sample, const std::optional<double>& wall_limit,
         OwnBatchWorkspace* own) {
        const BatchRunOptions options{
            .duration = duration,
            .method = batch_method(method),
            .step = step,
            .sample = sample,
            .wall_limit = wall_limit ? wall_limit_of(call.function(), *wall_limit) : 0,
            .interrupt = Signals()};
        const States starts = states_of(call.function(), "run", q, v);
        const SimulationInputs run_inputs(call.model());
        WorkspaceLease<BatchWorkspace> lease(call.shared_model(), own);
        BatchMotion motion;
        const Status status = [&] {
          const py::gil_scoped_release release;
          return simulate_batch(call.model(), starts, run_inputs, options, *lease, motion);
        }();
        // runs that stopped are reported individually; any other failure concerns all
        if (motion.times.empty()) require(status);
        return to_record(call, motion);
      },
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
