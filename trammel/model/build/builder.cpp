#include "trammel/model/build/builder.hpp"

#include <utility>

#include "trammel/model/build/checks.hpp"
#include "trammel/model/build/coupling_checks.hpp"
#include "trammel/model/build/expansions.hpp"
#include "trammel/model/build/model_builder.hpp"
#include "trammel/model/build/motors.hpp"

namespace trammel {

ModelBuilder::ModelBuilder(Description description, Diagnostics found, const BuildOptions& options)
    : diagnostics_(std::move(found)), options_(options) {
  model_.description_ = std::move(description);
}

Model ModelBuilder::build() {
  add_casters(model_.description_);
  add_moving_ground(model_.description_);
  add_rotors(model_.description_, diagnostics_);
  check_parameter_names(description(), diagnostics_);
  names_ = resolve_names(description(), diagnostics_);
  check_numbers(description(), options_, diagnostics_);
  if (!diagnostics_.has_errors()) check_read_without_errors(description(), diagnostics_);
  find_tree();
  if (diagnostics_.has_errors()) throw ModelError(std::move(diagnostics_));

  name_bodies();
  number_joints();
  number_bodies();
  name_frames();
  number_closures();
  number_couplings();
  shape_terrains();
  number_wheels();
  number_force_elements();
  if (!diagnostics_.has_errors()) check_couplings(description(), diagnostics_);
  if (diagnostics_.has_errors()) throw ModelError(std::move(diagnostics_));
  make_nominal_numbers();
  number_element_states();
  warn_of_massless_dofs();
  model_.warnings_ = diagnostics_.list();
  return std::move(model_);
}

Model build_model(Description description, Diagnostics found, const BuildOptions& options) {
  return ModelBuilder(std::move(description), std::move(found), options).build();
}

Model rebuild_model(Description description, Diagnostics found) {
  return build_model(std::move(description), std::move(found), {.allow_nonphysical = true});
}

}  // namespace trammel
