// A motion as an HTML page, with the meshes that the model's files name.
#pragma once

#include "model_options.hpp"
#include "trammel/write/report/report.hpp"

namespace trammel::cli {

// Missing parts are reported: meshes that cannot be read, a page without scripts.
std::string motion_page(const Model& model, MotionReport report, const ModelOptions& options,
                        const Terminal& terminal);

}  // namespace trammel::cli
