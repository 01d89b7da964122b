// A motion as a page, with the meshes that the model's files name.
#pragma once

#include "model_options.hpp"
#include "trammel/write/report.hpp"

namespace trammel::cli {

// What is missing of it is told: meshes that cannot be read, a page without scripts.
std::string motion_page(const Model& model, MotionReport report, const ModelOptions& options,
                        const Terminal& terminal);

}  // namespace trammel::cli
