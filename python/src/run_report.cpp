// A Run as an HTML page, and its columns as plots.
#include "bindings.hpp"
#include "call.hpp"
#include "trammel/base/suggest.hpp"
#include "trammel/read/mesh/mesh.hpp"
#include "trammel/write/plot/plot.hpp"
#include "trammel/write/report/recorded_plots.hpp"
#include "trammel/write/report/recorded_report.hpp"

namespace trammel::python {

namespace {

using Patterns = std::variant<std::string, std::vector<std::string>>;

void expects_run(const char* function, const py::object& run) {
  if (py::isinstance(run, py::module_::import("trammel._records").attr("Run"))) return;
  throw py::type_error(std::string(function) + ": run is a " +
                       py::type::of(run).attr("__name__").cast<std::string>() +
                       ": give a Run, as simulate returns it");
}

Recording recording_of(const py::object& run) {
  Recording recording;
  const auto names = run.attr("names").cast<std::vector<std::string>>();
  const auto units = run.attr("units").cast<std::vector<std::string>>();
  for (std::size_t c = 0; c < names.size(); ++c)
    recording.columns.push_back({names[c], units.at(c), {}});
  const auto values =
      run.attr("values").cast<py::array_t<double, py::array::c_style | py::array::forcecast>>();
  if (values.ndim() != 2 || std::size_t(values.shape(1)) != names.size())
    throw std::invalid_argument("run.values has not one column for each of run.names");
  recording.values.assign(values.data(), values.data() + values.size());
  return recording;
}

RunStatistics statistics_of(const py::object& run) {
  RunStatistics statistics;
  statistics.steps = run.attr("steps").cast<long>();
  statistics.rejected = run.attr("rejected").cast<long>();
  for (const py::handle each : run.attr("events"))
    statistics.events.push_back({each.attr("time").cast<double>(),
                                 each.attr("what").cast<std::string>(),
                                 each.attr("energy_lost").cast<double>()});
  return statistics;
}

// Refuses a file that exists, as the command line does: before the work.
void expects_new(const char* function, const py::object& path, bool force) {
  if (path.is_none()) return;
  const std::string name = file_name(std::string(function) + ": path", path);
  if (force || !py::module_::import("os.path").attr("exists")(name).cast<bool>()) return;
  const std::string message =
      std::string(function) + ": the file '" + name + "' exists: force=True overwrites it";
  PyErr_SetString(PyExc_FileExistsError, message.c_str());
  throw py::error_already_set();
}

void write_to(const py::object& path, const std::string& text) {
  if (path.is_none()) return;
  py::module_::import("pathlib").attr("Path")(path).attr("write_text")(
      text, py::arg("encoding") = "utf-8");
}

std::vector<std::size_t> columns_of(const Recording& recording, const Patterns& patterns) {
  const auto* const one = std::get_if<std::string>(&patterns);
  std::vector<std::size_t> columns;
  for (const std::string& pattern :
       one ? std::vector<std::string>{*one} : std::get<std::vector<std::string>>(patterns)) {
    const std::vector<std::size_t> found = columns_like(recording, pattern);
    if (found.empty()) {
      std::vector<std::string> known;
      for (const Column& column : recording.columns) known.push_back(column.name);
      const auto near = suggest(pattern, known);
      throw std::invalid_argument("plot: the run has no column '" + pattern + "'" +
                                  (near ? "; did you mean '" + *near + "'?" : ""));
    }
    columns.insert(columns.end(), found.begin(), found.end());
  }
  return columns;
}

std::string plot_of(const py::object& run, const Patterns& patterns, const py::object& path,
                    const std::string& title, bool force) {
  expects_run("plot", run);
  expects_new("plot", path, force);
  const Recording recording = recording_of(run);
  const std::vector<std::size_t> columns = columns_of(recording, patterns);
  const bool is_page = !path.is_none() && file_name("plot: path", path).ends_with(".html");
  std::string text;
  if (is_page) {
    text = plots_page(recording, columns, title);
  } else {
    text = stacked_pictures(recorded_plots(recording, columns, title));
  }
  write_to(path, text);
  return text;
}

// Meshes of the model's shapes; those that cannot be read become Python warnings.
auto meshes_of(const Model& model) {
  Diagnostics warnings;
  auto meshes = load_meshes(model, {}, warnings);
  for (const Diagnostic& warning : warnings.list())
    if (PyErr_WarnEx(PyExc_UserWarning, to_string(warning).c_str(), 1) != 0)
      throw py::error_already_set();
  return meshes;
}

std::string report_of(const py::object& run, const py::object& path, const SharedModel* given,
                      const std::optional<std::string>& title, bool force) {
  expects_run("report", run);
  expects_new("report", path, force);
  const py::object own = run.attr("model");
  if (given == nullptr && own.is_none())
    throw std::invalid_argument("report: the run does not know its model: give model=");
  const Model& model = given != nullptr ? **given : *own.cast<const SharedModel&>();
  const py::object stopped = run.attr("stopped");
  MotionReport page =
      recorded_report(model, recording_of(run), statistics_of(run),
                      stopped.is_none() ? std::string() : stopped.cast<std::string>());
  if (title) page.title = *title;
  if (report_page_lacks().empty()) page.meshes = meshes_of(model);
  const std::string text = report_page(model, page);
  write_to(path, text);
  return text;
}

}  // namespace

void bind_run_report(py::module_& module) {
  module.def(
      "report", &report_of, py::arg("run"), py::arg("path") = py::none(), py::kw_only(),
      py::arg("model") = py::none(), py::arg("title") = py::none(), py::arg("force") = false,
      "A Run as one HTML page with an animation of the mechanism and plots of the recorded "
      "columns; written to path if one is given. force: also over a file that exists.\n\n"
      "The run must have 'positions'; arrows are drawn for 'reactions' and 'contacts' if it has "
      "them.");
  module.def(
      "plot", &plot_of, py::arg("run"), py::arg("columns") = Patterns("*"),
      py::arg("path") = py::none(), py::kw_only(), py::arg("title") = "", py::arg("force") = false,
      "Columns of a Run as a picture (SVG), or, if path ends in .html, as a page of plots to zoom, "
      "one below the other for each unit; '*' stands for anything.\n\nplot(run, 'q.*', "
      "'angles.svg') writes it, over a file that exists only with force=True; the text is returned "
      "in any case.");
}

}  // namespace trammel::python
