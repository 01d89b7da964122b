#include "trammel/simulate/simulate.hpp"

#include "bindings.hpp"
#include "call.hpp"
#include "event_records.hpp"
#include "signals.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/read/load.hpp"
#include "trammel/simulate/checks/described_run.hpp"
#include "trammel/simulate/inputs/prescribed_start.hpp"
#include "trammel/simulate/kinematic.hpp"
#include "trammel/simulate/recorder.hpp"
#include "trammel/simulate/simulate_batch.hpp"
#include "trammel/simulate/static.hpp"
#include "trammel/write/run/load_run.hpp"
#include "user_laws.hpp"

namespace trammel::python {

namespace {

py::array_t<double> table_of(const Recording& recording) {
  const auto rows = py::ssize_t(recording.samples()),
             columns = py::ssize_t(recording.columns.size());
  py::array_t<double> values({rows, columns});
  std::copy(recording.values.begin(), recording.values.end(), values.mutable_data());
  return values;
}

// `stopped`: reason why it did not reach its end; empty if it did
py::object run_of(const Recording& recording, const ModelState& end,
                  const RunStatistics& statistics, const std::string& stopped,
                  const py::object& model) {
  py::list names, units;
  for (const Column& column : recording.columns) {
    names.append(column.name);
    units.append(column.unit);
  }
  return record("Run", names, units, table_of(recording), end, statistics.steps,
                statistics.rejected, stopped.empty() ? py::object(py::none()) : py::str(stopped),
                to_python(statistics.events), model);
}

// The model at the start of the run; none if its text does not suffice to rebuild it.
std::shared_ptr<SharedModel> model_of(const RunMetadata& metadata) {
  Diagnostics diagnostics;
  try {
    Model model = rebuild_model(
        read_description(metadata.model_name + ".toml", metadata.model_text, {}, diagnostics));
    if (diagnostics.has_errors()) return {};
    return std::make_shared<SharedModel>(std::move(model), BuildOptions{.allow_nonphysical = true});
  } catch (const ModelError&) { return {}; }
}

Method method_of(const std::string& name) {
  if (const std::optional<Method> method = method_named(name)) return *method;
  std::string known;
  for (const std::string& each : method_names()) known += (known.empty() ? "" : ", ") + each;
  throw std::invalid_argument("simulate: there is no method '" + name + "'; there are " + known);
}

// Raises RunStopped with the samples up to there.
[[noreturn]] void raise_stopped(const std::string& message, const py::object& run) {
  const py::object error = py::module_::import("trammel._errors").attr("RunStopped")(message, run);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw py::error_already_set();
}

using RunFunction = decltype(&simulate);
RunFunction run_function(const std::string& mode) {
  if (mode == "dynamic") return simulate;
  if (mode == "kinematic") return simulate_kinematic;
  if (mode == "static") return simulate_static;
  throw std::invalid_argument("simulate: mode is '" + mode +
                              "', it is dynamic, kinematic or static");
}

// Quantities to record: one name, or several.
using Quantities = std::variant<std::string, std::vector<std::string>>;
std::vector<std::string> list_of(const Quantities& given) {
  const auto* const one = std::get_if<std::string>(&given);
  return one ? std::vector<std::string>{*one} : std::get<std::vector<std::string>>(given);
}

// Functions of the user that a run calls.
struct UserFunctions {
  py::object effort;
  py::dict wrench_laws, contact_laws;
  bool has_laws() const {
    return !effort.is_none() || !wrench_laws.empty() || !contact_laws.empty();
  }
  void add_to(SimulationInputs& run_inputs, const SharedModel& model) const {
    if (!effort.is_none()) run_inputs.add_effort_law(effort_of(effort, model));
    add_wrench_laws(wrench_laws, model, run_inputs);
    add_contact_laws(contact_laws, model, run_inputs);
  }
};

// The state where the run begins, if none is given.
State start_of(Call& call, const SimulationInputs& run_inputs) {
  State start;
  require(assembled_start(call.model(), call.workspace(), start));
  require(start_prescribed(call.model(), run_inputs, start_options(call.model()), start,
                           call.workspace()));
  return start;
}

py::object simulated(Call& call, const std::optional<ModelState>& given, const std::string& mode,
                     RunOptions options, const UserFunctions& functions,
                     const std::optional<Quantities>& quantities) {
  const Model& model = call.model();
  const RunFunction run = run_function(mode);
  options.each_step = [signals = Signals()](const StepReport&) mutable { return signals(); };
  SimulationInputs run_inputs(model);
  functions.add_to(run_inputs, call.shared_model());
  if (mode == "static") run_inputs.set_static();
  State state = given ? State(*given) : start_of(call, run_inputs);
  Recorder recorder(model, run_inputs, quantities ? list_of(*quantities) : run_record(model));
  RunStatistics statistics;
  Workspace& workspace = call.workspace();
  const Status status = [&] {
    std::optional<py::gil_scoped_release> release;
    if (!functions.has_laws() && options.events.empty()) release.emplace();
    return run(model, state, run_inputs, options, workspace,
               [&](const RunSnapshot& snapshot) { return recorder.observe(snapshot); }, statistics,
               {});
  }();
  const py::object found = run_of(recorder.recording(), call.of_model(state), statistics,
                                  status.message(), call.shared_model().object());
  if (!status.ok()) raise_stopped(status.message(), found);
  return found;
}

using OptionalNumber = std::optional<double>;

void bind_run(py::module_& module) {
  define(
      module, "simulate",
      parameters(parameter<std::optional<ModelState>>("state", None()), keyword_only,
                 parameter<OptionalNumber>("duration", None()),
                 parameter<std::optional<std::string>>("method", None()),
                 parameter<OptionalNumber>("tolerance", None()),
                 parameter<OptionalNumber>("step", None()),
                 parameter<OptionalNumber>("sample", None()),
                 parameter<std::optional<Quantities>>("record", None()),
                 parameter<py::object>("effort", None()), parameter<std::string>("mode", "dynamic"),
                 parameter<py::dict>("wrench_laws", EmptyDict()),
                 parameter<py::dict>("contact_laws", EmptyDict()),
                 parameter<py::iterable>("events", EmptyTuple()),
                 parameter<OptionalNumber>("wall_limit", None()), in::workspace),
      [](Call& call, const std::optional<ModelState>& state, const OptionalNumber& duration,
         const std::optional<std::string>& method, const OptionalNumber& tolerance,
         const OptionalNumber& step, const OptionalNumber& sample,
         const std::optional<Quantities>& quantities, const py::object& effort,
         const std::string& mode, const py::dict& wrench_laws, const py::dict& contact_laws,
         const py::iterable& events, const OptionalNumber& wall_limit) {
        RunWishes wishes{
            .duration = duration, .tolerance = tolerance, .step = step, .sample = sample};
        if (method) wishes.method = method_of(*method);
        RunOptions options = run_options(call.model(), wishes);
        options.events = event_functions(events, call.shared_model());
        if (wall_limit) options.wall_limit = wall_limit_of("simulate", *wall_limit);
        return simulated(call, state, mode, std::move(options), {effort, wrench_laws, contact_laws},
                         quantities);
      },
      "Simulates the motion under the model's inputs and effort(time, q, v), which returns nv "
      "numbers, or efforts\n"
      "by the names of joints: lambda time, q, v: {'elbow': -3 * q['elbow'] - v['elbow']}.\n\n"
      "Starts at the model's start unless a state is given. Arguments that are not given come "
      "from the model's [run],\n"
      "or are defaults: duration 10 s, method 'dormand-prince', tolerance 1e-8, a thousand\n"
      "samples, record ['positions', 'velocities', 'energy']. Returns a Run: run['q.elbow'] is a\n"
      "column, run.time the times. mode 'kinematic': along prescribed motions, without forces; "
      "'static': the same at rest, 'efforts' balance it.\n\n"
      "wrench_laws: {place: law}, a place by name or a FrameRef; law(MovingPlace) returns [moment; "
      "force]\n"
      "there, six numbers in world axes. contact_laws: {contact: law} for contacts whose "
      "stiffness\n"
      "is 0; law(ContactState) returns the normal force [N], or that and a tangential force.\n"
      "events: Event(name, value), which occurs where value(time, q, v) crosses zero. A run that "
      "cannot\n"
      "continue raises RunStopped, whose run has all samples up to there; so does one that takes "
      "longer than wall_limit [s] of wall-clock time. Ctrl-C raises\n"
      "KeyboardInterrupt.");
}

}  // namespace

void bind_simulate(py::module_& module) {
  bind_run(module);
  module.def(
      "load_run",
      [](const py::object& given) {
        const std::string path = file_name("load_run: path", given);
        const RunRecord run = load_run(path);
        if (run.metadata.model_text.empty())
          throw std::invalid_argument("load_run: '" + path +
                                      "' is a table alone: numpy.genfromtxt reads it; trammel "
                                      "simulate -o run.h5 writes the whole run");
        const bool is_killed = !run.is_complete && run.stopped.empty();
        const std::shared_ptr<SharedModel> model = model_of(run.metadata);
        return run_of(run.recording, ModelState(run.end, model), run.statistics,
                      is_killed ? "the run was interrupted" : run.stopped, py::cast(model));
      },
      py::arg("path"),
      "Loads a run from the HDF5 file that `trammel simulate -o run.h5` wrote, or from the "
      "journal of a run that was killed:\n"
      "then all intact samples, and the reason of its end in `stopped`.");
}

}  // namespace trammel::python
