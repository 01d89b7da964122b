// Makes a Model from what was said: resolves names, finds a spanning tree and cuts the rest,
// numbers the bodies outward, turns every axis to z, merges what is fixed, checks masses and
// inertias.
#pragma once

#include "trammel/model/model.hpp"

namespace trammel {

// Throws one ModelError with everything that is wrong, after what a reader has `found` already.
// Warnings are kept in Model::warnings().
[[nodiscard]] Model build_model(const Description& description, Diagnostics found = {});

}  // namespace trammel
