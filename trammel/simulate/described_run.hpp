// How a motion is followed and what is kept of it: as someone asks, as the model's [run] says, as
// is usual.
#pragma once

#include "trammel/simulate/simulate.hpp"

namespace trammel {

// What someone asks for; what is left open the model says, and what that leaves open is usual.
struct RunWishes {
  std::optional<double> duration = {}, tolerance = {}, step = {}, sample = {};
  std::optional<Method> method = {};
};
// Samples are a thousandth of the duration apart unless someone says; of a method with a fixed
// step, as many steps as come next to that, so that samples cut none. Throws std::invalid_argument
// for a method of the model that is not there, ModelError with its place for a step of the model
// that does not move time or is too short for the duration.
RunOptions run_options(const Model& model, const RunWishes& wishes = {});

// Quantities of the model's [run], or the usual ones.
std::vector<std::string> run_record(const Model& model);

}  // namespace trammel
