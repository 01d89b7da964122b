// Builds a Model from a Description: resolves names, finds a spanning tree and cuts the loops,
// numbers the bodies outward, rotates every joint axis to z, merges bodies joined by fixed joints,
// checks masses and inertias.
#pragma once

#include "trammel/model/model.hpp"

namespace trammel {

// Which nonphysical parameters are accepted.
struct BuildOptions {
  // Errors instead of warnings: an inertia that breaks the triangle inequality, a lower limit above
  // the upper one.
  bool strict = false;
  // A warning instead of an error: a negative principal moment of inertia. Functions that divide by
  // an articulated inertia fail where it is not positive, naming the joint.
  bool allow_nonphysical = false;
};

// Throws one ModelError with all errors, those that a reader has `found` before included. Warnings
// are stored in Model::warnings(). The model keeps the description: a large one that is not needed
// any more should be moved.
[[nodiscard]] Model build_model(Description description, Diagnostics found = {},
                                const BuildOptions& options = {});

// Builds a variant of a model that was built before, with a joint locked or a length changed.
// Nonphysical inertias are accepted, as its inertias were checked in the first build.
[[nodiscard]] Model rebuild_model(Description description, Diagnostics found = {});

}  // namespace trammel
