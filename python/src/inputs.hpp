// Inputs of a call, from Python's arguments.
#pragma once

#include <pybind11/stl.h>

#include <string>
#include <variant>
#include <vector>

#include "joint_arrays.hpp"
#include "names.hpp"
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

// Wrenches of a call: a list, or six numbers by the names of places.
struct Wrenches {
  std::vector<WrenchAt> list;
};

// Accelerations in a call: all of the motion, those not given by name follow from the constraints;
// or those of joints driven by motion, which alone may be named.
enum class AccelerationsOf { motion, prescribed };

// Arguments of a call that become its Inputs. Owns the arrays that Inputs only points to.
struct InputArguments {
  OptionalNumbers tau = {}, a = {};
  AccelerationsOf a_of = AccelerationsOf::motion;
  Wrenches wrenches = {};
  std::optional<Support> ground = {};
  py::object loop_tau = py::none(), loop_a = py::none();
  bool takes_loop_tau = false,
       takes_loop_a = false;  // whether these are parameters of the function
};

class CallInputs {
 public:
  // Throws std::invalid_argument beginning with `function` if a size or name is wrong.
  CallInputs(const char* function, const Model& model, const InputArguments& given);
  CallInputs(const CallInputs&) = delete;
  CallInputs& operator=(const CallInputs&) = delete;
  const Inputs& inputs() const { return inputs_; }
  // Completes accelerations that were given by name, if they are those of the motion.
  void follow(const Model& model, const State& state, Workspace& workspace);

 private:
  void take_efforts(const std::string& begin, const Model& model, const InputArguments& given);
  void take_accelerations(const std::string& begin, const Model& model,
                          const InputArguments& given);

  Inputs inputs_;
  std::vector<Wrench> wrenches_;
  std::vector<double> tau_, a_, loop_tau_, loop_a_;
  std::vector<int> given_a_;
  bool has_to_follow_ = false;
};

}  // namespace trammel::python

namespace pybind11::detail {

template <> struct type_caster<trammel::python::Wrenches> {
  bool load(handle given, bool convert);
  PYBIND11_TYPE_CASTER(trammel::python::Wrenches,
                       const_name("Union[Sequence[trammel.Wrench], Dict[str, "
                                  "numpy.ndarray[numpy.float64]]]"));
};

}  // namespace pybind11::detail
