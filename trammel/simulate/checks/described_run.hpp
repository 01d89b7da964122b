// Options of a run: explicit values first, then the model's [run], then defaults.
#pragma once

#include "trammel/simulate/simulate.hpp"

namespace trammel {

// Explicit values; empty: as the model's [run] has it, or else the default.
struct RunWishes {
  std::optional<double> duration = {}, tolerance = {}, step = {}, sample = {};
  std::optional<Method> method = {};
};
// The default sampling interval is a thousandth of the duration; for a method with fixed steps, the
// next multiple of the step, so that samples cut no step. Throws std::invalid_argument if the
// method named in the model does not exist, ModelError with its place if the model's step does not
// advance time in double precision or is too short for the duration.
RunOptions run_options(const Model& model, const RunWishes& wishes = {});

// Quantities of the model's [run], or the default ones.
std::vector<std::string> run_record(const Model& model);

}  // namespace trammel
