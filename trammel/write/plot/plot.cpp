#include "trammel/write/plot/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "trammel/base/diagnostics.hpp"
#include "trammel/write/plot/svg_text.hpp"

namespace trammel {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double left = 74, right = 16, letter = 7.0, legend_row = 18, below = 46;
constexpr const char* colors[] = {"#2f6fbf", "#d97a2b", "#2e9563", "#b5487f",
                                  "#7d5bc4", "#b58a14", "#1b8e9e", "#c6453f"};

std::span<const double> x_of(const PlotLine& line, std::span<const double> common) {
  return line.x.empty() ? common : line.x;
}

void check_order(std::span<const double> x, bool is_curve) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!std::isfinite(x[k]))
      throw std::invalid_argument(fmt::format("plot: x[{}] is not finite", k));
    if (!is_curve && k > 0 && x[k] < x[k - 1])
      throw std::invalid_argument(fmt::format("plot: x[{}] = {} lies before x[{}] = {}: sort them",
                                              k, x[k], k - 1, x[k - 1]));
  }
}

void check(std::span<const double> x, std::span<const PlotLine> lines, bool is_curve) {
  check_order(x, is_curve);
  for (const PlotLine& line : lines) {
    check_order(line.x, is_curve);
    if (line.values.size() != x_of(line, x).size())
      throw std::invalid_argument(
          fmt::format("plot: line '{}' has {} values for {} x: give one for each",
                      shortened(line.name), line.values.size(), x_of(line, x).size()));
  }
}

struct Range {
  double low = infinity, high = -infinity;
  void take(double value) { low = std::min(low, value), high = std::max(high, value); }
  // Never empty, and with a margin `air` if given. `natural`: see PlotOptions::size.
  Range widened(double air, double natural = 0) const {
    if (!(low <= high)) return {0, 1};
    const double size = std::max({std::abs(low), std::abs(high), natural});
    // values that differ only by rounding are one value
    const double least = size > 0 ? 1e-12 * size : 1;
    if (high - low <= least) {
      const double half = size > 0 ? 0.5 * size : 0.5;
      return {low - half, high + half};
    }
    return {low - air * (high - low), high + air * (high - low)};
  }
};

// Points of a line: at most the first, smallest, largest and last of each pixel column.
class Path {
 public:
  std::string text;

  void add(double x, double y) {
    if (std::floor(x) != column_) flush();
    column_ = std::floor(x);
    if (held_ == 0 || y < least_.y) least_ = {x, y};
    if (held_ == 0 || y > largest_.y) largest_ = {x, y};
    if (held_ == 0) first_ = {x, y};
    last_ = {x, y};
    ++held_;
  }
  void gap() {
    flush();
    is_begun_ = false;
  }
  void flush() {
    if (held_ == 0) return;
    put(first_);
    if (held_ > 2) {
      const bool rises = least_.x < largest_.x;
      put(rises ? least_ : largest_);
      put(rises ? largest_ : least_);
    }
    if (held_ > 1) put(last_);
    held_ = 0;
  }

 private:
  struct Point {
    double x = 0, y = 0;
  };
  void put(const Point& p) {
    fmt::format_to(std::back_inserter(text), "{}{:.1f} {:.1f}", is_begun_ ? "L" : "M", p.x, p.y);
    is_begun_ = true;
  }
  Point first_, least_, largest_, last_;
  double column_ = -infinity;
  int held_ = 0;
  bool is_begun_ = false;
};

const char* const plot_style_sheet = R"(<style>
  .p-frame { fill: #ffffff; }
  .p-grid { stroke: #e2e7ee; stroke-width: 1; }
  .p-line { fill: none; stroke-linejoin: round; stroke-linecap: round; }
  text.p-text, text.p-title { font: 12px sans-serif; fill: #44566a; stroke: none; }
  text.p-title { font-size: 14px; font-weight: bold; fill: #22303e; }
</style>
)";

}  // namespace

AxisMarks axis_marks(double low, double high, int wanted) {
  AxisMarks out;
  if (!(low < high) || !std::isfinite(high - low)) return out;
  const double rough = (high - low) / std::max(wanted, 1);
  const double decade = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * decade;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * decade >= rough * (1 - 1e-9)) step = factor * decade;
  const double first = std::ceil(low / step - 1e-9), last = std::floor(high / step + 1e-9);
  const double largest = std::max(std::abs(low), std::abs(high));
  const bool is_scientific = largest >= 1e5 || largest < 1e-3;
  for (double k = first; k <= last; ++k) {
    const double at = k == 0 ? 0 : k * step;
    out.at.push_back(at);
    if (is_scientific) {
      const auto power = [](double size) { return int(std::floor(std::log10(size) + 1e-9)); };
      const int digits = at == 0 ? 0 : std::clamp(power(std::abs(at)) - power(step), 0, 12);
      out.text.push_back(at == 0 ? "0" : fmt::format("{:.{}e}", at, digits));
    } else {
      const int decimals = std::clamp(int(std::ceil(-std::log10(step) - 1e-9)), 0, 15);
      out.text.push_back(fmt::format("{:.{}f}", at, decimals));
    }
  }
  return out;
}

std::string plot(std::span<const double> x, std::span<const PlotLine> lines,
                 const PlotOptions& options) {
  check(x, lines, options.is_curve);

  // legend: names side by side, in as many rows as needed
  struct Spot {
    double x, y;
  };
  std::vector<Spot> places;
  const double title_height = options.title.empty() ? 8 : 28;
  double at = left, row = title_height;
  for (const PlotLine& line : lines) {
    const double wide = 36 + letter * double(shortened(line.name, 40).size());
    if (at > left && at + wide > options.width - right) at = left, row += legend_row;
    places.push_back({at, row});
    at += wide;
  }
  const double top = lines.empty() ? title_height : row + legend_row + 4;
  const double bottom = std::max(options.height - below, top + 40), height = bottom + below;

  Range xs, ys;
  for (const double value : x) xs.take(value);
  for (const PlotLine& line : lines)
    for (const double value : line.x) xs.take(value);
  for (const PlotLine& line : lines)
    for (const double value : line.values)
      if (std::isfinite(value)) ys.take(value);
  xs = xs.widened(options.is_curve ? 0.03 : 0), ys = ys.widened(0.05, options.size);
  const auto across = [&](double value) {
    return left + (options.width - left - right) * (value - xs.low) / (xs.high - xs.low);
  };
  const auto up = [&](double value) {
    return bottom - (bottom - top) * (value - ys.low) / (ys.high - ys.low);
  };

  std::string svg;
  const auto add = [&]<class... Values>(fmt::format_string<Values...> text, Values&&... values) {
    fmt::format_to(std::back_inserter(svg), text, std::forward<Values>(values)...);
  };
  add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1:.0f}\" width=\"{0}\" "
      "height=\"{1:.0f}\">\n<title>{2}</title>\n{3}"
      "<rect class=\"p-frame\" width=\"100%\" height=\"100%\"/>\n",
      options.width, height, svg_text(options.title.empty() ? options.y_label : options.title),
      plot_style_sheet);
  const AxisMarks x_marks = axis_marks(xs.low, xs.high, std::max(options.width / 110, 2));
  const AxisMarks y_marks = axis_marks(ys.low, ys.high, std::max(int(bottom - top) / 45, 2));
  for (std::size_t k = 0; k < x_marks.at.size(); ++k)
    add("<path class=\"p-grid\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/><text class=\"p-text\" "
        "text-anchor=\"middle\" x=\"{0:.1f}\" y=\"{3:.1f}\">{4}</text>\n",
        across(x_marks.at[k]), top, bottom, bottom + 17, x_marks.text[k]);
  for (std::size_t k = 0; k < y_marks.at.size(); ++k)
    add("<path class=\"p-grid\" d=\"M{0} {1:.1f}H{2}\"/><text class=\"p-text\" "
        "text-anchor=\"end\" x=\"{3}\" y=\"{4:.1f}\">{5}</text>\n",
        left, up(y_marks.at[k]), options.width - right, left - 8, up(y_marks.at[k]) + 4,
        y_marks.text[k]);
  if (!options.title.empty())
    add("<text class=\"p-title\" x=\"{}\" y=\"20\">{}</text>\n", left, svg_text(options.title));
  add("<text class=\"p-text\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
      (left + options.width - right) / 2, bottom + 36, svg_text(options.x_label));
  if (!options.y_label.empty())
    add("<text class=\"p-text\" text-anchor=\"middle\" transform=\"translate(14 {:.1f}) "
        "rotate(-90)\">{}</text>\n",
        (top + bottom) / 2, svg_text(options.y_label));

  for (std::size_t i = 0; i < lines.size(); ++i) {
    const PlotLine& line = lines[i];
    const std::span<const double> where = x_of(line, x);
    const char* const color = colors[i % std::size(colors)];
    const std::string style =
        fmt::format("stroke=\"{}\" style=\"stroke-width:{:.2g}{}\"", color, line.width,
                    line.is_dashed ? ";stroke-dasharray:5 4" : "");
    Path path;
    for (std::size_t k = 0; k < where.size(); ++k) {
      const double value = line.values[k];
      if (!std::isfinite(value)) {
        path.gap();
        continue;
      }
      path.add(across(where[k]), up(value));
      const bool is_alone = (k == 0 || !std::isfinite(line.values[k - 1])) &&
                            (k + 1 == where.size() || !std::isfinite(line.values[k + 1]));
      if (is_alone)
        add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", across(where[k]),
            up(value), color);
    }
    path.flush();
    if (!path.text.empty()) add("<path class=\"p-line\" {} d=\"{}\"/>\n", style, path.text);
    add("<path class=\"p-line\" {} d=\"M{:.1f} {:.1f}h20\"/><text class=\"p-text\" "
        "x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        style, places[i].x, places[i].y + 8, places[i].x + 25, places[i].y + 12,
        svg_text(shortened(line.name, 40)));
  }
  return svg + "</svg>\n";
}

std::string stacked_pictures(std::span<const std::string> pictures) {
  const auto size = [](const std::string& svg, std::string_view name) {
    const std::size_t at = svg.find(fmt::format(" {}=\"", name));
    return at == svg.npos ? 0 : std::stoi(svg.substr(at + name.size() + 3));
  };
  int width = 0, height = 0;
  std::string inside;
  for (std::string svg : pictures) {
    const int own = size(svg, "height");
    width = std::max(width, size(svg, "width"));
    inside += svg.insert(std::string_view("<svg").size(), fmt::format(" x=\"0\" y=\"{}\"", height));
    height += own;
  }
  if (pictures.size() == 1) return pictures[0];
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\">\n{2}</svg>\n",
      width, height, inside);
}

}  // namespace trammel
