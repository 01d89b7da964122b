// Columns of several recordings in one picture, and the largest differences between two of them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trammel/simulate/recorder.hpp"

namespace trammel {

// A recording with its name in the legends of a plot of several.
struct NamedRecording {
  std::string name;
  const Recording* recording = nullptr;
};
struct OverlayOptions {
  std::string title = {};
  std::string x = {};  // column of the horizontal axis; empty: the time
};

// Plots of columns, given by name: one picture (SVG) per unit, in the order of the first column of
// each unit. A column is drawn for every run that has it; lines of the first run are wide, those of
// the others narrow and dashed, so that equal ones are both seen. Throws std::invalid_argument,
// naming it, for a column that no run has, and for `x` if a run has no such column.
[[nodiscard]] std::vector<std::string> overlaid_plots(std::span<const NamedRecording> runs,
                                                      std::span<const std::string> columns,
                                                      const OverlayOptions& options = {});

// All these columns in one recording, "run: column", at the times of all runs; between the samples
// of a run its values are interpolated linearly, before and after them they are nan.
[[nodiscard]] Recording joined_recording(std::span<const NamedRecording> runs,
                                         std::span<const std::string> columns);

// Largest magnitude of the difference of a column that both recordings have, over the times of both
// that lie in both, with values interpolated linearly between samples. nan if no time does.
struct ColumnDifference {
  std::string column, unit;
  double largest = 0, time = 0;
};
[[nodiscard]] std::vector<ColumnDifference> largest_differences(
    const Recording& a, const Recording& b, std::span<const std::string> columns);

}  // namespace trammel
