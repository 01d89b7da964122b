// Inputs of a call, from Python's arguments.
#pragma once

#include <pybind11/stl.h>

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

// Owns the arrays that Inputs only points to.
struct Given {
  OptionalArray tau = {}, a = {};
  std::vector<WrenchAt> wrenches = {};
  std::optional<Support> ground = {};
  py::object loop_tau = py::none(), loop_a = py::none();
};

// Values of the degrees of freedom of loop joints: in order, or by the names of joints.
std::vector<double> loop_numbers(const char* context, const char* what, const Model& model,
                                 const py::object& given);

class CallInputs {
 public:
  CallInputs(const char* context, const Model& model, const Given& given) {
    inputs_.tau = vector_in(context, "tau", given.tau, model.nv());
    inputs_.a = vector_in(context, "a", given.a, model.nv());
    for (const WrenchAt& wrench : given.wrenches)
      wrenches_.push_back({resolve(model, wrench.at), wrench.F, wrench.axes});
    inputs_.wrenches = wrenches_;
    if (given.ground) inputs_.ground = *given.ground;
    loop_tau_ = loop_numbers(context, "loop_tau", model, given.loop_tau);
    loop_a_ = loop_numbers(context, "loop_a", model, given.loop_a);
    inputs_.loop_tau = loop_tau_;
    inputs_.loop_a = loop_a_;
  }
  CallInputs(const CallInputs&) = delete;
  CallInputs& operator=(const CallInputs&) = delete;
  const Inputs& inputs() const { return inputs_; }

 private:
  Inputs inputs_;
  std::vector<Wrench> wrenches_;
  std::vector<double> loop_tau_, loop_a_;
};

}  // namespace trammel::python
