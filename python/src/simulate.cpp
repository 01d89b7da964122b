#include "trammel/simulate/simulate.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "errors.hpp"
#include "laws.hpp"
#include "records.hpp"
#include "shared_model.hpp"
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
py::object run_of(const Recording& recording, const State& end, const RunStatistics& statistics,
                  const std::string& stopped, const py::object& model) {
  py::list names, units;
  for (const Column& column : recording.columns) {
    names.append(column.name);
    units.append(column.unit);
  }
  py::list events;
  for (const EventRecord& event_record : statistics.events)
    events.append(record("EventRecord", event_record.time, event_record.what, event_record.lost));
  return record("Run", names, units, table_of(recording), end, statistics.steps,
                statistics.rejected, stopped.empty() ? py::object(py::none()) : py::str(stopped),
                events, model);
}

// The model at the start of the run; none if its text does not suffice to rebuild it.
py::object model_of(const RunMetadata& metadata) {
  Diagnostics diagnostics;
  try {
    Model model = rebuild_model(
        read_description(metadata.model_name + ".toml", metadata.model_text, {}, diagnostics));
    if (diagnostics.has_errors()) return py::none();
    return py::cast(std::make_shared<SharedModel>(std::move(model)));
  } catch (const ModelError&) { return py::none(); }
}

Method method_of(const std::string& name) {
  if (const std::optional<Method> method = method_named(name)) return *method;
  std::string known;
  for (const std::string& each : method_names()) known += (known.empty() ? "" : ", ") + each;
  throw std::invalid_argument("simulate: there is no method '" + name + "'; there are " + known);
}

}  // namespace

void bind_simulate(py::module_& module) {
  module.def(
      "simulate",
      [](const std::shared_ptr<SharedModel>& shared, const std::optional<State>& state,
         const std::optional<double>& duration, const std::optional<std::string>& method,
         const std::optional<double>& tolerance, const std::optional<double>& step,
         const std::optional<double>& sample,
         const std::optional<std::vector<std::string>>& record_names, const py::object& effort,
         const std::string& mode, const py::dict& wrench_laws, const py::dict& contact_laws,
         const py::iterable& events, const std::optional<double>& wall_limit,
         OwnWorkspace* workspace) {
        const SharedModel& model = *shared;
        if (mode != "dynamic" && mode != "kinematic" && mode != "static")
          throw std::invalid_argument("simulate: mode is '" + mode +
                                      "', it is dynamic, kinematic or static");
        RunWishes wishes{
            .duration = duration, .tolerance = tolerance, .step = step, .sample = sample};
        if (method) wishes.method = method_of(*method);
        RunOptions options = run_options(*model, wishes);
        options.events = event_functions(events, *model);
        if (wall_limit) options.wall_limit = wall_limit_of("simulate", *wall_limit);
        options.each_step = [signals = Signals()](const StepReport&) mutable { return signals(); };
        Rented<Workspace> room(model, workspace);
        Workspace& rented = room;
        SimulationInputs run_inputs(*model);
        if (!effort.is_none()) run_inputs.add_effort_law(effort_of(effort, *model));
        add_wrench_laws(wrench_laws, run_inputs);
        add_contact_laws(contact_laws, run_inputs);
        const bool asks_python = !effort.is_none() || !wrench_laws.empty() ||
                                 !contact_laws.empty() || !options.events.empty();
        if (mode == "static") run_inputs.hold_still();
        State moving;
        if (state) {
          moving = *state;
        } else {
          require(assembled_start(*model, rented, moving));
          require(start_prescribed(*model, run_inputs, start_options(*model), moving, rented));
        }
        Recorder recorder(*model, run_inputs, record_names ? *record_names : run_record(*model));
        RunStatistics statistics;
        const Status status = [&] {
          std::optional<py::gil_scoped_release> release;
          if (!asks_python) release.emplace();
          return (mode == "kinematic" ? drive_through
                  : mode == "static"  ? hold_through
                                      : simulate)(
              *model, moving, run_inputs, options, rented,
              [&](const RunSnapshot& snapshot) { return recorder.observe(snapshot); }, statistics,
              {});
        }();
        const py::object run =
            run_of(recorder.recording(), moving, statistics, status.message(), py::cast(shared));
        if (!status.ok()) {
          const py::object error =
              py::module_::import("trammel._errors").attr("RunStopped")(status.message(), run);
          PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
          throw py::error_already_set();
        }
        return run;
      },
      py::arg("model"), py::arg("state") = py::none(), py::kw_only(),
      py::arg("duration") = py::none(), py::arg("method") = py::none(),
      py::arg("tolerance") = py::none(), py::arg("step") = py::none(),
      py::arg("sample") = py::none(), py::arg("record") = py::none(),
      py::arg("effort") = py::none(), py::arg("mode") = "dynamic",
      py::arg("wrench_laws") = py::dict(), py::arg("contact_laws") = py::dict(),
      py::arg("events") = py::tuple(), py::arg("wall_limit") = py::none(),
      py::arg("workspace") = py::none(),
      "Simulates the motion under the model's inputs and effort(time, q, v).\n\n"
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
  module.def(
      "load_run",
      [](const py::object& given) {
        const auto path = py::module_::import("os").attr("fspath")(given).cast<std::string>();
        const RunRecord run = load_run(path);
        if (run.metadata.model_text.empty())
          throw std::invalid_argument("load_run: '" + path +
                                      "' is a table alone: numpy.genfromtxt reads it; trammel "
                                      "simulate -o run.h5 keeps the whole run");
        const bool is_killed = !run.is_complete && run.stopped.empty();
        return run_of(run.recording, run.end, run.statistics,
                      is_killed ? "the run was interrupted" : run.stopped, model_of(run.metadata));
      },
      py::arg("path"),
      "Loads a run from the HDF5 file that `trammel simulate -o run.h5` wrote, or from the "
      "journal of a run that was killed:\n"
      "then all intact samples, and the reason of its end in `stopped`.");
}

}  // namespace trammel::python
