// Line plots over time, or any other variable, as one SVG document.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace trammel {

struct PlotLine {
  std::string name;
  std::span<const double> values;  // one per x; values that are not finite interrupt the line
  std::span<const double> x = {};  // of this line alone; empty: those of the plot
  double width = 1.7;              // [px]
  bool is_dashed = false;
};
struct PlotOptions {
  int width = 720, height = 300;  // of the picture [px]
  std::string title = {};
  std::string x_label = "time [s]", y_label = {};  // with units
  // Natural magnitude of the values: variations within rounding of it are drawn flat, since noise
  // that fills a frame looks like a signal. 0: their own magnitude.
  double size = 0;
  // Whether x may decrease: a curve in the plane of two quantities.
  bool is_curve = false;
};

// Axis marks are round numbers; long lines are thinned to the resolution of a pixel, with their
// peaks. A single x is drawn as points. Throws std::invalid_argument, naming the line, if a line
// does not have one value per x, or if an x is not finite or (except of a curve) less than the
// previous one.
[[nodiscard]] std::string plot(std::span<const double> x, std::span<const PlotLine> lines,
                               const PlotOptions& options = {});

// Pictures of one width, one below the other.
[[nodiscard]] std::string stacked_pictures(std::span<const std::string> pictures);

// Marks of an axis from `low` to `high`: about `wanted` round numbers, inside.
struct AxisMarks {
  std::vector<double> at;
  std::vector<std::string> text;  // with as many digits as their distance needs
};
[[nodiscard]] AxisMarks axis_marks(double low, double high, int wanted);

}  // namespace trammel
