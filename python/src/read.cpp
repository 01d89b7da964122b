#include <map>

#include "bindings.hpp"
#include "build_options.hpp"
#include "call.hpp"
#include "trammel/read/gallery.hpp"
#include "trammel/read/load.hpp"
#include "trammel/read/table/table.hpp"

namespace trammel::python {

namespace {

using Parameters = std::map<std::string, double>;
using Packages = std::map<std::string, py::object>;

std::vector<std::string> strings(const std::vector<std::string_view>& views) {
  return {views.begin(), views.end()};
}

ReadOptions to_options(Base base, const Parameters& set, const Packages& packages) {
  ReadOptions options{base, {set.begin(), set.end()}, {}, {}};
  for (const auto& [name, folder] : packages)
    options.packages.emplace_back(name, file_name("packages of '" + name + "'", folder));
  return options;
}

std::shared_ptr<SharedModel> load(const py::object& path, Base base, const Parameters& set,
                                  const Packages& packages, bool strict, bool allow_nonphysical) {
  const std::string name = file_name("load: path", path);
  ReadOptions options = to_options(base, set, packages);
  options.build = to_build_options(strict, allow_nonphysical);
  const py::gil_scoped_release unlocked;
  return std::make_shared<SharedModel>(load_model(name, options), options.build);
}

// (Description, [Diagnostic])
py::tuple with_diagnostics(Description description, const Diagnostics& found) {
  return py::make_tuple(std::move(description), to_python(found.list()));
}

TableNotation notation_of(const std::string& name) {
  if (const std::optional<TableNotation> notation = find_notation(name)) return *notation;
  std::string known;
  for (const std::string& each : notation_names()) known += (known.empty() ? "" : ", ") + each;
  throw std::invalid_argument("read_table: there is no notation '" + name + "'; there are " +
                              known);
}

}  // namespace

void bind_read(py::module_& module) {
  module.def(
      "load", &load, py::arg("path"), py::kw_only(), py::arg("base") = "fixed",
      py::arg("set") = Parameters(), py::arg("packages") = Packages(), py::arg("strict") = false,
      py::arg("allow_nonphysical") = false,
      "Loads the model in a file; the format follows from its name, or else from its first "
      "bytes.\n\n"
      "base: 'fixed' or 'free', the base of a format that does not define it.\n"
      "set: other values for parameters. packages: the folder of package://name.\n"
      "strict: an inertia that breaks the triangle inequality, and a lower limit above the "
      "upper one, are errors, not warnings.\n"
      "allow_nonphysical: a negative principal moment of inertia is a warning, not an error.\n"
      "Raises one ModelError with all errors and their places.");
  module.def(
      "read_description",
      [](const py::object& path, const std::optional<std::string>& text, Base base,
         const Parameters& set, const Packages& packages) {
        const ReadOptions options = to_options(base, set, packages);
        const std::string name = file_name("read_description: path", path);
        Diagnostics found;
        Description description = text ? read_description(name, *text, options, found)
                                       : read_description(name, options, found);
        return with_diagnostics(std::move(description), found);
      },
      py::arg("path"), py::arg("text") = py::none(), py::kw_only(), py::arg("base") = "fixed",
      py::arg("set") = Parameters(), py::arg("packages") = Packages(),
      "The description in a file, and the errors and warnings found: (Description, "
      "[Diagnostic]).\n\n"
      "If text is given, path is only its name: it determines the format and appears in messages.");
  module.def(
      "read_table",
      [](const std::string& notation, const py::object& path, const Parameters& set) {
        Diagnostics found;
        Description description =
            read_table(notation_of(notation), file_name("read_table: path", path),
                       to_options(Base::fixed, set, {}), found);
        return with_diagnostics(std::move(description), found);
      },
      py::arg("notation"), py::arg("path"), py::kw_only(), py::arg("set") = Parameters(),
      "The description in a compact table, and the errors and warnings found: (Description, "
      "[Diagnostic]). notation: 'dh', 'dh-modified', 'sdof' or 'chain'.");
  module.def(
      "gallery",
      [] {
        py::list models;
        for (const GalleryModel& model : gallery())
          models.append(record("GalleryModel", std::string(model.name), std::string(model.file),
                               std::string(model.title), std::string(model.text),
                               std::string(model.plain_name), strings(model.other_name_list()),
                               strings(model.topic_list())));
        return models;
      },
      "The models that come with Trammel, of every topic: load('@' + name) needs no file.");
}

}  // namespace trammel::python
