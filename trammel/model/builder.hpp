// Makes a Model from what was said: resolves names, finds a spanning tree and cuts the rest,
// numbers the bodies outward, turns every axis to z, merges what is fixed, checks masses and
// inertias.
#pragma once

#include "trammel/model/model.hpp"

namespace trammel {

// Which numbers that no real mechanism has are accepted.
struct BuildOptions {
  // Errors instead of warnings: an inertia that breaks the triangle inequality, a lower limit above
  // the upper one.
  bool strict = false;
  // A warning instead of an error: a negative principal moment of inertia. Functions that divide by
  // an articulated inertia fail where it is not positive, naming the joint.
  bool allow_nonphysical = false;
};

// Throws one ModelError with everything that is wrong, after what a reader has `found` already.
// Warnings are kept in Model::warnings().
[[nodiscard]] Model build_model(const Description& description, Diagnostics found = {},
                                const BuildOptions& options = {});

// A variant of a model that was built before: a joint locked, a length changed. Its inertias were
// accepted then.
[[nodiscard]] Model rebuild_model(const Description& description, Diagnostics found = {});

}  // namespace trammel
