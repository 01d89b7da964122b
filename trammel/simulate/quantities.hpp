// Quantities of a snapshot that can be recorded. Internal to this module.
#pragma once

#include "trammel/simulate/recorder.hpp"

namespace trammel {

// Intermediate results at a sample, shared by several quantities.
struct Sample {
  const Model& model;
  const Model& began;  // the initial model, whose columns are recorded
  const State& state;
  const SimulationInputs& run_inputs;
  SimulationInputs::Acting& acting;
  Workspace& workspace;
  std::vector<double> a = {};

  Status accelerate();
};

struct Quantity {
  RecordedQuantity what;
  std::vector<Column> (*columns)(const Model& model);
  Status (*ask)(Sample& sample, std::vector<double>& out);  // as many values as columns
};
std::span<const Quantity> quantities();

}  // namespace trammel
