// Numbers over time, or over anything, as a picture: lines in one SVG document.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace trammel {

struct PlotLine {
  std::string name;
  std::span<const double> values;  // one for each x; what is not finite is a gap
};
struct PlotOptions {
  int width = 720, height = 300;  // of the picture [px]
  std::string title = {};
  std::string x_label = "time [s]", y_label = {};  // with units
  // How large such numbers are by nature: lines that differ by rounding of it are drawn flat, for
  // noise that fills a frame looks like news. 0: as large as they are.
  double size = 0;
};

// Axes have round numbers; long lines are thinned to what a pixel can show, peaks kept. A single x
// is drawn as points. Throws std::invalid_argument, and says which, if a line has not one value for
// each x, or if an x is not finite or lies before the one before it.
[[nodiscard]] std::string plot(std::span<const double> x, std::span<const PlotLine> lines,
                               const PlotOptions& options = {});

// Where an axis from `low` to `high` has its marks: about `wanted` round numbers, inside.
struct AxisMarks {
  std::vector<double> at;
  std::vector<std::string> text;  // with as many digits as their distance needs
};
[[nodiscard]] AxisMarks axis_marks(double low, double high, int wanted);

}  // namespace trammel
