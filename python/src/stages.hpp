// Articulated-body inertias, the factors of every inverse of the mass matrix: given, or computed
// from the state.
#pragma once

#include <optional>

#include "errors.hpp"
#include "shared_model.hpp"
#include "trammel/dynamics/mass_matrix.hpp"

namespace trammel::python {

class Factors {
 public:
  // `question` is the name of the calling function, which begins the message of a failure.
  Factors(const char* context, const SharedModel& model, const State& state,
          const ArticulatedInertias* given, Workspace& workspace)
      : factors_(given) {
    if (given) return;
    made_.emplace(*model);
    const Status status = articulated_inertias(*model, state, workspace, *made_);
    if (!status.ok())
      require(Status::failure(context + status.message().substr(status.message().find(':'))));
    factors_ = &*made_;
  }
  operator const ArticulatedInertias&() const { return *factors_; }

 private:
  std::optional<ArticulatedInertias> made_;
  const ArticulatedInertias* factors_;
};

}  // namespace trammel::python
