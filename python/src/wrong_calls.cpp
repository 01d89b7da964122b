#include "wrong_calls.hpp"

#include <string>
#include <unordered_map>

namespace trammel::python {

namespace py = pybind11;

namespace {

// pybind11 calls all bound functions by one C function, which finds the overload by its first
// argument, `self` of the C function. It is replaced by `explained`, which calls it.
PyCFunctionWithKeywords dispatch = nullptr;
// Name (of a property: with its class) and signature of each function, by `self`.
struct Bound {
  std::string name, signature;
};
std::unordered_map<PyObject*, Bound>& bound_functions() {
  static auto* const functions = new std::unordered_map<PyObject*, Bound>;
  return *functions;
}

// The text of an error; empty if it has none.
std::string text_of(PyObject* error) {
  const py::object text = py::reinterpret_steal<py::object>(PyObject_Str(error));
  const char* const utf8 = text ? PyUnicode_AsUTF8(text.ptr()) : nullptr;
  if (utf8 == nullptr) PyErr_Clear();
  return utf8 == nullptr ? "" : utf8;
}
// Whether pybind11 refused the arguments, or the conversion of one of them (arrays.cpp) did.
bool is_refused(const std::string& text) {
  return text.find("incompatible ") != std::string::npos || text.starts_with("an array of ");
}

// Replaces the TypeError that is set by one in plain words.
void explain(PyObject* self, PyObject* arguments, PyObject* named) {
  const auto found = bound_functions().find(self);
  if (found == bound_functions().end()) return;
  PyObject *type = nullptr, *error = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &error, &traceback);
  PyErr_NormalizeException(&type, &error, &traceback);
  const std::string reason = error == nullptr ? "" : text_of(error);
  if (!is_refused(reason)) return PyErr_Restore(type, error, traceback);
  try {
    const py::object text =
        py::module_::import("trammel._calls")
            .attr("explain")(found->second.name, found->second.signature, py::handle(arguments),
                             named != nullptr ? py::reinterpret_borrow<py::object>(named)
                                              : py::object(py::dict()),
                             reason);
    PyErr_SetObject(PyExc_TypeError, text.ptr());
    Py_XDECREF(type), Py_XDECREF(error), Py_XDECREF(traceback);
  } catch (py::error_already_set&) { PyErr_Restore(type, error, traceback); }
}

PyObject* explained(PyObject* self, PyObject* arguments, PyObject* named) {
  PyObject* const result = dispatch(self, arguments, named);
  if (result == nullptr && PyErr_ExceptionMatches(PyExc_TypeError) != 0)
    explain(self, arguments, named);
  return result;
}

void adopt(py::handle function, const std::string& name) {
  if (!function) return;
  if (PyInstanceMethod_Check(function.ptr()) != 0)
    function = PyInstanceMethod_GET_FUNCTION(function.ptr());
  if (PyCFunction_Check(function.ptr()) == 0) return;
  auto* const bound = reinterpret_cast<PyCFunctionObject*>(function.ptr());
  if (bound->m_ml->ml_flags != (METH_VARARGS | METH_KEYWORDS)) return;
  const auto own =
      reinterpret_cast<PyCFunctionWithKeywords>(reinterpret_cast<void (*)()>(bound->m_ml->ml_meth));
  if (own != explained) {
    if (dispatch != nullptr && own != dispatch) return;
    dispatch = own;
    bound->m_ml->ml_meth = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(explained));
  }
  const py::object doc = function.attr("__doc__");
  std::string signature = doc.is_none() ? "" : doc.cast<std::string>();
  signature.resize(std::min(signature.find('\n'), signature.size()));
  bound_functions()[bound->m_self] = {name, signature};
}

}  // namespace

void explain_wrong_calls(const py::module_& module) {
  for (const auto& [key, value] : module.attr("__dict__").cast<py::dict>()) {
    const auto name = py::str(key).cast<std::string>();
    adopt(value, name);
    if (PyType_Check(value.ptr()) == 0) continue;
    for (const auto& [member_key, member] : py::dict(value.attr("__dict__"))) {
      const auto member_name = name + "." + py::str(member_key).cast<std::string>();
      adopt(member, member_name);
      if (!py::hasattr(member, "fset")) continue;
      const py::object setter = member.attr("fset");
      if (!setter.is_none()) adopt(setter, member_name);
    }
  }
}

}  // namespace trammel::python
