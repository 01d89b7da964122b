// Errors of the engine as Python exceptions, with the same messages.
#pragma once

#include <pybind11/pybind11.h>

#include <stdexcept>

#include "trammel/base/diagnostics.hpp"
#include "trammel/base/status.hpp"

namespace trammel::python {

namespace py = pybind11;

// A failed Status, which becomes trammel.EvaluationError.
class EvaluationFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void require(const Status& status) {
  if (!status) throw EvaluationFailed(status.message());
}

py::list to_python(const std::vector<Diagnostic>& diagnostics);

}  // namespace trammel::python
