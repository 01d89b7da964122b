// Warnings about a valid model: probably forgotten masses, inertias and motions.
#pragma once

#include <vector>

#include "trammel/model/model.hpp"

namespace trammel::cli {

// Appends warnings: a body with inertia and no mass, a body with mass and no inertia that can
// rotate, a joint driven by motion whose motion is not given.
void warn_about_model(const Model& model, std::vector<Diagnostic>& warnings);

}  // namespace trammel::cli
