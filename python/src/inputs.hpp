// Inputs of a call, from Python's arguments.
#pragma once

#include <pybind11/stl.h>

#include <string>
#include <variant>
#include <vector>

#include "arrays.hpp"
#include "names.hpp"
#include "shared_model.hpp"
#include "trammel/dynamics/inputs.hpp"

namespace trammel::python {

// A place, or the name of a body or frame.
using Where = std::variant<FrameRef, std::string>;
inline FrameRef resolve(const Model& model, const Where& where) {
  const std::string* const name = std::get_if<std::string>(&where);
  return name ? frame_ref(model, *name) : std::get<FrameRef>(where);
}

// A wrench whose place may be a name.
struct WrenchAt {
  Where at;
  Force<double> F;
  Axes axes = Axes::world;
};
inline Wrench resolve(const Model& model, const WrenchAt& wrench) {
  return {resolve(model, wrench.at), wrench.F, wrench.axes};
}

// Arguments of a call that become its Inputs. Owns the arrays that Inputs only points to.
struct InputArguments {
  OptionalArray tau = {}, a = {};
  std::vector<WrenchAt> wrenches = {};
  std::optional<Support> ground = {};
  py::object loop_tau = py::none(), loop_a = py::none();
};

class CallInputs {
 public:
  // Throws std::invalid_argument beginning with `function` if a size or name is wrong.
  CallInputs(const char* function, const Model& model, const InputArguments& given);
  CallInputs(const CallInputs&) = delete;
  CallInputs& operator=(const CallInputs&) = delete;
  const Inputs& inputs() const { return inputs_; }

 private:
  Inputs inputs_;
  std::vector<Wrench> wrenches_;
  std::vector<double> loop_tau_, loop_a_;
};

}  // namespace trammel::python
