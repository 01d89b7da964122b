// A state in Python: it knows its model, so that names of joints are keys.
#pragma once

#include <memory>
#include <utility>

#include "shared_model.hpp"
#include "trammel/model/state.hpp"

namespace trammel::python {

struct ModelState : State {
  ModelState() = default;
  ModelState(State state, std::shared_ptr<const SharedModel> model_)
      : State(std::move(state)), model(std::move(model_)) {}
  std::shared_ptr<const SharedModel> model;  // none: made from numbers alone
};

}  // namespace trammel::python
