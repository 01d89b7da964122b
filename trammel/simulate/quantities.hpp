// What can be kept of a moment, quantity by quantity. For this room only.
#pragma once

#include "trammel/simulate/recorder.hpp"

namespace trammel {

// What is worked out once for a sample and used by several quantities.
struct Sample {
  const Model& model;
  const Model& began;  // as, whose columns are kept
  const State& state;
  const Drives& drives;
  Drives::Acting& acting;
  Workspace& workspace;
  std::vector<double> a = {};

  Status accelerate();
};

struct Quantity {
  RecordedQuantity what;
  std::vector<Column> (*columns)(const Model& model);
  Status (*ask)(Sample& sample, std::vector<double>& out);  // as many numbers as columns
};
std::span<const Quantity> quantities();

}  // namespace trammel
