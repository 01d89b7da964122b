// Articulated-body inertias, the factors of every inverse of the mass matrix: given, or computed
// from the state.
#pragma once

#include <optional>
#include <variant>

#include "call.hpp"
#include "trammel/dynamics/mass_matrix.hpp"

namespace trammel::python {

using FactorsOrState = std::variant<const ArticulatedInertias*, const ModelState*>;

class Factors {
 public:
  // A failure is reported under the name of the call.
  Factors(Call& call, const FactorsOrState& given) {
    if (std::visit([](const auto* one) { return one == nullptr; }, given))
      throw py::type_error(std::string(call.function()) +
                           ": factors is None: give a State, or ArticulatedInertias as "
                           "articulated_inertias(model, state) makes them");
    if (const auto* const factors = std::get_if<const ArticulatedInertias*>(&given)) {
      factors_ = *factors;
      return;
    }
    made_.emplace(call.model());
    const Status status = articulated_inertias(call.model(), *std::get<const ModelState*>(given),
                                               call.workspace(), *made_);
    if (!status.ok())
      require(
          Status::failure(call.function() + status.message().substr(status.message().find(':'))));
    factors_ = &*made_;
  }
  Factors(const Factors&) = delete;
  Factors& operator=(const Factors&) = delete;
  const ArticulatedInertias& operator*() const { return *factors_; }

 private:
  std::optional<ArticulatedInertias> made_;
  const ArticulatedInertias* factors_ = nullptr;
};

}  // namespace trammel::python
