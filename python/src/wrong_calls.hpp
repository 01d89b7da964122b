// Wrong calls in plain words instead of pybind11's list of signatures.
#pragma once

#include <pybind11/pybind11.h>

namespace trammel::python {

// Makes every function, method, constructor and property of the module explain a call with wrong
// arguments by trammel/_calls.py: the argument, what it is, and what to give.
void explain_wrong_calls(const pybind11::module_& module);

}  // namespace trammel::python
