#include "binder.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "records.hpp"

namespace trammel::python {

py::list to_python(const std::vector<Diagnostic>& diagnostics) {
  py::list list;
  for (const Diagnostic& diagnostic : diagnostics) list.append(diagnostic);
  return list;
}

namespace {

// The message of the engine; where it asks for a closed state, with the functions that make one.
std::string in_python(std::string message) {
  if (message.find("assemble the state first") != std::string::npos)
    message += ": assemble(model, state) does it, and start_state(model) is closed";
  return message;
}

void translate(std::exception_ptr thrown) {
  const auto raise = [](const char* type, const py::object& error) {
    PyErr_SetObject(py::module_::import("trammel._errors").attr(type).ptr(), error.ptr());
  };
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const ModelError& error) {
    const py::object type = py::module_::import("trammel._errors").attr("ModelError");
    raise("ModelError", type(error.what(), to_python(error.diagnostics().list())));
  } catch (const EvaluationFailed& error) {
    raise("EvaluationError", py::str(in_python(error.what())));
  }
}

}  // namespace

void bind_diagnostics(py::module_& module) {
  py::register_exception_translator(translate);

  Class<Diagnostic>(module, "Diagnostic",
                    "One error or warning about a description, and its place.")
      .field(
          "severity",
          [](const Diagnostic& d) {
            return named("Severity", d.severity == Severity::error ? "error" : "warning");
          },
          "Severity.error or Severity.warning, which are also the words 'error' and 'warning'.")
      .field(
          "file", [](const Diagnostic& d) { return d.place.file; },
          "The file as it was given; empty for a description made in a program.")
      .field(
          "line", [](const Diagnostic& d) { return d.place.line; },
          "The line, from 1; 0 if it is not known.")
      .field(
          "column", [](const Diagnostic& d) { return d.place.column; },
          "The column, from 1; 0 if it is not known.")
      .field("message", &Diagnostic::message, "The message: the object and the fact.")
      .field("hint", &Diagnostic::hint, "The next step; may be empty.")
      .method("__str__", [](const Diagnostic& d) { return to_string(d); })
      .repr([](const Diagnostic& d) { return "<Diagnostic " + to_string(d) + ">"; });
}

}  // namespace trammel::python
