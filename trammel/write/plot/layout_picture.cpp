#include "trammel/write/plot/layout_picture.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include <fmt/format.h>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/write/plot/plot.hpp"
#include "trammel/write/plot/stick_figure.hpp"
#include "trammel/write/plot/svg_text.hpp"

namespace trammel {

namespace {

constexpr double pi = std::numbers::pi, degrees = 180 / pi;
constexpr double panel = 560, chart_left = 640, chart_width = 330, chart_top = 96,
                 chart_height = 330;

constexpr const char *velocity_color = "#d1495b", *turning_color = "#2f6fde";

const char* const layout_style = R"(<style>
  svg { background: #ffffff; }
  text { font: 13px sans-serif; fill: #33475b; }
  .title { font-size: 17px; font-weight: 600; }
  .small { font-size: 12px; fill: #6b7c8d; }
  .grid { stroke: #e6ebf1; stroke-width: 1; }
  .deck { fill: #eef3f9; stroke: #b7c6d6; stroke-width: 1.5; stroke-linejoin: round; }
  .spoke { stroke: #c3d0dd; stroke-width: 1.5; }
  .tire { fill: #33475b; }
  .roller { stroke: #f6b73c; stroke-width: 2.4; stroke-linecap: round; }
  .reach { fill: #d1495b; fill-opacity: 0.14; stroke: #d1495b; stroke-width: 2; }
  .half { stroke: #d1495b; stroke-width: 1.2; }
  .turning { fill: none; stroke: #2f6fde; stroke-width: 2; stroke-dasharray: 7 5; }
  .x { stroke: #33475b; stroke-width: 2; }
  .frame { fill: none; stroke: #b7c6d6; stroke-width: 1; }
  .curve { fill: none; stroke: #2f6fde; stroke-width: 2.2; stroke-linejoin: round; }
  .here { fill: #d1495b; }
</style>
)";

class Layout {
 public:
  explicit Layout(const LayoutPicture& what) : what_(what) {
    double reach = 0;
    for (const WheelPlacing& wheel : what.wheels)
      reach = std::max(reach, wheel.distance + 1.3 * wheel.radius);
    if (!(reach > 0)) reach = 1;
    scale_ = (panel / 2 - 46) / reach;
    reach_ = reach;
  }

  std::string draw() {
    add("<text class=\"title\" x=\"24\" y=\"34\">{}</text>\n", svg_text(what_.title));
    floor();
    deck();
    ellipses();
    for (std::size_t k = 0; k < what_.wheels.size(); ++k) wheel(k);
    axes();
    legend();
    chart();
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 640\" width=\"1000\" "
        "height=\"640\">\n<title>{}</title>\n{}{}</svg>\n",
        svg_text(what_.title), layout_style, svg_);
  }

 private:
  template <class... Values> void add(fmt::format_string<Values...> text, Values&&... values) {
    fmt::format_to(std::back_inserter(svg_), text, std::forward<Values>(values)...);
  }
  double px(double x) const { return panel / 2 + 20 + scale_ * x; }
  double py(double y) const { return panel / 2 + 46 - scale_ * y; }

  void floor() {
    const AxisMarks marks = axis_marks(-reach_, reach_, 8);
    for (const double at : marks.at) {
      add("<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
          px(at), py(-reach_), px(at), py(reach_));
      add("<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
          px(-reach_), py(at), px(reach_), py(at));
    }
    if (marks.at.size() > 1)
      add("<text class=\"small\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">grid {:.3g} "
          "m</text>\n",
          px(reach_), py(-reach_) + 18, marks.at[1] - marks.at[0]);
  }

  // polygon through the wheels, sorted by bearing
  void deck() {
    WheelLayout around = what_.wheels;
    std::ranges::sort(around, {},
                      [](const WheelPlacing& w) { return std::remainder(w.bearing, 2 * pi); });
    std::string points;
    for (const WheelPlacing& w : around)
      fmt::format_to(std::back_inserter(points), "{:.1f},{:.1f} ",
                     px(w.distance * std::cos(w.bearing)), py(w.distance * std::sin(w.bearing)));
    if (around.size() > 2) add("<polygon class=\"deck\" points=\"{}\"/>\n", points);
    for (const WheelPlacing& w : around)
      add("<line class=\"spoke\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
          px(0), py(0), px(w.distance * std::cos(w.bearing)), py(w.distance * std::sin(w.bearing)));
  }

  void wheel(std::size_t k) {
    const WheelPlacing& w = what_.wheels[k];
    const double x = px(w.distance * std::cos(w.bearing)), y = py(w.distance * std::sin(w.bearing));
    // width along the axle, diameter across it; the picture's y is down
    const double width = scale_ * 0.75 * w.radius, diameter = scale_ * 2 * w.radius;
    add("<g transform=\"translate({:.1f} {:.1f}) rotate({:.2f})\">\n", x, y, -w.axle * degrees);
    add("<rect class=\"tire\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
        "rx=\"{:.1f}\"/>\n",
        -width / 2, -diameter / 2, width, diameter, width / 5);
    if (w.roller_angle != 0) {
      const double c = std::cos(w.roller_angle), s = -std::sin(w.roller_angle);
      // limited by the edges, or by the distance of the rollers if they are across
      const double half = std::min(0.36 * width / std::max(std::abs(c), 1e-3), 0.07 * diameter);
      for (int i = -2; i <= 2; ++i)
        add("<line class=\"roller\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
            -half * c, 0.19 * i * diameter - half * s, half * c, 0.19 * i * diameter + half * s);
    }
    svg_ += "</g>\n";
    if (k >= what_.names.size()) return;
    const double out = w.distance > 0 ? 1 + (0.9 * w.radius + 12 / scale_) / w.distance : 1;
    const double lx = px(out * w.distance * std::cos(w.bearing)),
                 ly = py(out * w.distance * std::sin(w.bearing));
    const double side = std::cos(w.bearing);
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", lx, ly + 4,
        side > 0.3    ? "start"
        : side < -0.3 ? "end"
                      : "middle",
        svg_text(what_.names[k]));
  }

  void ellipses() {
    if (what_.motion_by_rates.size() == 0) return;
    const Svd parts = svd(what_.motion_by_rates.bottomRows(2), Basis::full);
    going_ = parts.values;
    turning_ = what_.motion_by_rates.row(0).norm() * what_.length;
    double mean = 0;
    for (const WheelPlacing& w : what_.wheels) mean += w.distance / double(what_.wheels.size());
    const double largest = std::max(going_[0], turning_);
    if (!(largest > 0)) return;
    const double unit = 0.62 * (mean > 0 ? mean : reach_ / 2) * scale_ / largest;
    const Eigen::Vector2d along = parts.U.col(0);
    add("<g transform=\"translate({:.1f} {:.1f}) rotate({:.2f})\">\n", px(0), py(0),
        -std::atan2(along.y(), along.x()) * degrees);
    add("<ellipse class=\"reach\" rx=\"{:.1f}\" ry=\"{:.1f}\"/>\n", unit * going_[0],
        unit * going_[1]);
    add("<line class=\"half\" x2=\"{:.1f}\"/>\n<line class=\"half\" y2=\"{:.1f}\"/>\n</g>\n",
        unit * going_[0], -unit * going_[1]);
    add("<circle class=\"turning\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n", px(0), py(0),
        unit * turning_);
  }

  void axes() {
    const double tip = 0.2 * reach_;
    add("<line class=\"x\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\"/>\n"
        "<line class=\"x\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{3:.1f}\"/>\n"
        "<text x=\"{4:.1f}\" y=\"{5:.1f}\">x</text>\n<text x=\"{6:.1f}\" y=\"{7:.1f}\">y</text>\n",
        px(0), py(0), px(tip), py(tip), px(tip) + 5, py(0) + 4, px(0) - 3, py(tip) - 6);
  }

  void legend() {
    if (going_.size() == 0) return;
    add("<line class=\"half\" x1=\"{0}\" y1=\"510\" x2=\"{1}\" y2=\"510\" stroke-width=\"3\"/>\n"
        "<text x=\"{2}\" y=\"514\">velocities of the center: {3}</text>\n",
        chart_left, chart_left + 26, chart_left + 36,
        going_[0] - going_[1] < 1e-6 * going_[0]
            ? fmt::format("{:.3g} m/s every way", going_[0])
            : fmt::format("{:.3g} to {:.3g} m/s", going_[1], going_[0]));
    add("<line class=\"turning\" x1=\"{0}\" y1=\"534\" x2=\"{1}\" y2=\"534\"/>\n"
        "<text x=\"{2}\" y=\"538\">turning, as a way at {3:.4g} m: {4:.3g} m/s</text>\n",
        chart_left, chart_left + 26, chart_left + 36, what_.length, turning_);
    add("<text class=\"small\" x=\"{}\" y=\"562\">for rates of the drives of the size 1 rad/s "
        "together</text>\n",
        chart_left + 36);
    if (what_.motion_by_rates.cols() > 2)  // the vehicle is omnidirectional
      add("<text class=\"small\" x=\"{}\" y=\"578\">(one circle where the layout is "
          "isotropic)</text>\n",
          chart_left + 36);
    const bool has_rollers = std::ranges::any_of(
        what_.wheels, [](const WheelPlacing& w) { return w.roller_angle != 0; });
    if (has_rollers)
      add("<line class=\"roller\" x1=\"{0}\" y1=\"600\" x2=\"{1}\" y2=\"600\"/>\n"
          "<text x=\"{2}\" y=\"604\">axes of the rollers that touch</text>\n",
          chart_left, chart_left + 26, chart_left + 36);
  }

  // as text, with about forty characters per line
  void singular() {
    if (what_.singular_because.empty()) return;
    add("<text x=\"{}\" y=\"{}\">singular: the condition number is infinite</text>\n", chart_left,
        chart_top - 24);
    double y = chart_top;
    std::string line;
    const auto flush = [&] {
      add("<text class=\"small\" x=\"{}\" y=\"{}\">{}</text>\n", chart_left, y, svg_text(line));
      y += 18;
      line.clear();
    };
    for (std::size_t at = 0; at < what_.singular_because.size();) {
      const std::size_t end =
          std::min(what_.singular_because.find(' ', at), what_.singular_because.size());
      const std::string word = what_.singular_because.substr(at, end - at);
      if (line.size() + word.size() > 46) flush();
      line += (line.empty() ? "" : " ") + word;
      at = end + 1;
    }
    flush();
  }

  // both axes are logarithmic
  void chart() {
    if (what_.motion_by_rates.size() == 0) return singular();
    add("<text x=\"{}\" y=\"{}\">condition number over the characteristic length</text>\n",
        chart_left, chart_top - 24);
    // as many singular values as dof: a vehicle that cannot move sideways has two
    const auto condition = [&](double length) {
      Eigen::MatrixXd scaled = what_.motion_by_rates;
      scaled.row(0) *= length;
      const Eigen::VectorXd values = svd(scaled).values;
      return values[0] / values[values.size() - 1];
    };
    const double low = std::log10(what_.length) - 1, high = low + 2;
    std::vector<double> heights;
    constexpr int points = 161;
    for (int k = 0; k < points; ++k)
      heights.push_back(std::log10(condition(std::pow(10, low + (high - low) * k / (points - 1)))));
    const double top = std::max(0.5, 1.05 * *std::ranges::max_element(heights));
    const auto x = [&](double log_length) {
      return chart_left + chart_width * (log_length - low) / (high - low);
    };
    const auto y = [&](double log_condition) {
      return chart_top + chart_height * (1 - log_condition / top);
    };
    const auto mark_of = [](double decade, int digit) {
      return std::log10(digit * std::pow(10, decade));
    };
    for (double decade = std::floor(low); decade < high; ++decade)
      for (const int digit : {1, 2, 5}) {
        const double at = mark_of(decade, digit);
        if (at < low || at > high) continue;
        add("<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\"/>\n"
            "<text class=\"small\" x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4:.4g}</text>\n",
            x(at), chart_top, chart_top + chart_height, chart_top + chart_height + 18,
            digit * std::pow(10, decade));
      }
    for (double decade = 0; decade < top; ++decade)
      for (const int digit : {1, 2, 5}) {
        const double at = mark_of(decade, digit);
        if (at > top) continue;
        add("<line class=\"grid\" x1=\"{1}\" y1=\"{0:.1f}\" x2=\"{2}\" y2=\"{0:.1f}\"/>\n"
            "<text class=\"small\" x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:.4g}</text>\n",
            y(at), chart_left, chart_left + chart_width, chart_left - 6, y(at) + 4,
            digit * std::pow(10, decade));
      }
    add("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", chart_left,
        chart_top, chart_width, chart_height);
    std::string line;
    for (int k = 0; k < points; ++k)
      fmt::format_to(std::back_inserter(line), "{:.1f},{:.1f} ",
                     x(low + (high - low) * k / (points - 1)), y(heights[std::size_t(k)]));
    add("<polyline class=\"curve\" points=\"{}\"/>\n", line);
    const double here = condition(what_.length);
    const double hx = x(std::log10(what_.length)), hy = y(std::log10(here));
    add("<circle class=\"here\" cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"5\"/>\n"
        "<text x=\"{2:.1f}\" y=\"{3:.1f}\">{4:.4g} at {5:.4g} m</text>\n",
        hx, hy, hx + 12, hy > chart_top + chart_height - 30 ? hy - 14 : hy + 20, here,
        what_.length);
    add("<text class=\"small\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">length [m]</text>\n",
        chart_left + chart_width / 2, chart_top + chart_height + 38);
  }

  const LayoutPicture& what_;
  double scale_ = 1, reach_ = 1, turning_ = 0;
  Eigen::VectorXd going_;
  std::string svg_;
};

// Sections of the ellipsoid with its three planes of symmetry.
void add_ellipsoid(const Ellipsoid& ellipsoid, const Vec3<double>& center, double scale,
                   const char* color, std::vector<Outline>& outlines) {
  constexpr int points = 72;
  const auto half = [&](int k) -> Vec3<double> {
    const Eigen::Vector3d a = scale * ellipsoid.size[k] * ellipsoid.axes.col(k);
    return {a.x(), a.y(), a.z()};
  };
  for (const auto& [i, k] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
    Outline outline{{}, color};
    for (int n = 0; n <= points; ++n) {
      const double angle = 2 * pi * n / points;
      outline.points.push_back(center + std::cos(angle) * half(i) + std::sin(angle) * half(k));
    }
    outlines.push_back(std::move(outline));
  }
}

}  // namespace

std::string layout_picture(const LayoutPicture& what) { return Layout(what).draw(); }

std::string dexterity_picture(const Model& model, const Kinematics& kinematics,
                              const FrameRef& place, const Dexterity& found) {
  StickFigureOptions options{.width = 900, .height = 640};
  const Vec3<double> center = pose(model, kinematics, place).p;
  // drawn as large as a body; both to scale at the characteristic length
  const double largest = std::max(found.linear.size[0], found.length * found.angular.size[0]);
  if (largest > 0) {
    const double scale = 0.45 * model.characteristic_length() / largest;
    add_ellipsoid(found.linear, center, scale, velocity_color, options.outlines);
    add_ellipsoid(found.angular, center, scale * found.length, turning_color, options.outlines);
  }
  constexpr int above = 124;  // [px] the legend has its own area
  std::string figure = stick_figure(model, kinematics, options);
  figure.insert(std::string_view("<svg").size(), fmt::format(" x=\"0\" y=\"{}\"", above));
  const auto line = [](int y, const char* color, const std::string& words) {
    return fmt::format(
        "<line x1=\"24\" y1=\"{0}\" x2=\"50\" y2=\"{0}\" stroke=\"{1}\" stroke-width=\"3\"/>\n"
        "<text x=\"60\" y=\"{2}\">{3}</text>\n",
        y, color, y + 4, svg_text(words));
  };
  const auto range = [](const Ellipsoid& e, const char* unit) {
    return fmt::format("half axes {:.3g}, {:.3g}, {:.3g} {}", e.size[0], e.size[1], e.size[2],
                       unit);
  };
  const std::string legend =
      fmt::format("<text x=\"24\" y=\"34\" style=\"font-size:17px;font-weight:600\">{}</text>\n",
                  svg_text(model.name())) +
      line(60, velocity_color, "velocity, " + range(found.linear, "m/s")) +
      line(82, turning_color,
           fmt::format("turning, as a way at {:.4g} m, {}", found.length,
                       range(found.angular, "rad/s"))) +
      fmt::format("<text x=\"24\" y=\"108\">{}</text>\n",
                  found.is_singular()
                      ? svg_text("singular: " + found.singular_because)
                      : fmt::format("condition number {:.4g}; least {:.4g} at {:.4g} m",
                                    found.condition, found.best_condition,
                                    found.best_length > 0 ? found.best_length : found.length));
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\">\n<title>{2}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{3}{4}</svg>\n",
      options.width, above + options.height, svg_text(model.name()), figure, legend);
}

}  // namespace trammel
