#include "trammel/write/plot/stick_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "trammel/write/held.hpp"
#include "trammel/write/plot/figure_lines.hpp"
#include "trammel/write/plot/figure_view.hpp"
#include "trammel/write/plot/scenery.hpp"
#include "trammel/write/plot/svg_text.hpp"
#include "trammel/write/upright.hpp"

namespace trammel {

namespace {

using figure::Camera;
using figure::Floor;

void add_points(const Scenery& scenery, std::vector<Vec3<double>>& points) {
  for (const FigureStick& stick : scenery.sticks)
    points.insert(points.end(), {stick.from, stick.to});
  for (const FrameAxis& axis : scenery.axes) points.push_back(axis.to);
  for (const ShapeOutline& shape : scenery.shapes)
    points.insert(points.end(), shape.points.begin(), shape.points.end());
  for (const WheelDisk& disk : scenery.disks)
    for (const Vec3<double>& rim : figure::rim_of(disk)) points.push_back(rim);
}

std::string document(int width, int height, const std::string& title, const std::string& inside) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\">\n<title>{2}</title>\n{3}{4}</svg>\n",
      width, height, svg_text(title), figure::style_sheet, inside);
}

// Samples of a motion with one scale and, unless the mechanism travels, one floor and one camera,
// so that only the mechanism moves.
class Series {
 public:
  Series(const Model& model, std::span<const Snapshot> snapshots, const StickFigureOptions& options)
      : model_(model), options_(options) {
    const double axis_length = 0.3 * model.characteristic_length();
    const std::vector<ShapeOutline> shapes =
        options.shapes ? shape_outlines(model) : std::vector<ShapeOutline>();
    std::vector<std::vector<Vec3<double>>> of_each;
    std::vector<Vec3<double>> all;
    for (const Snapshot& snapshot : snapshots) {
      sceneries_.push_back(look(model, snapshot.kinematics, axis_length, shapes));
      add_points(sceneries_.back(), of_each.emplace_back());
      all.insert(all.end(), of_each.back().begin(), of_each.back().end());
    }
    const bool may_travel = travels(model), follows = may_travel && goes_far(of_each);
    if (!may_travel || all.empty()) all.push_back({0, 0, 0});
    const Mat3<double> upright = upright_rotation(up_direction(model));
    for (Outline& outline : options_.outlines)
      for (Vec3<double>& p : outline.points) all.push_back(p = upright * p);
    if (options_.faces_flat) face(follows ? of_each[0] : all);
    if (!follows) of_each = {all};
    const double height = std::min(0.0, std::ranges::min_element(all, {}, &Vec3<double>::z)->z);
    double scale = 1e300;
    for (std::vector<Vec3<double>>& points : of_each) {
      floors_.push_back(figure::floor_under(points, model.characteristic_length()));
      floors_.back().height = height;
      figure::add_corners(floors_.back(), points);
      cameras_.emplace_back(options_).fit(points);
      scale = std::min(scale, cameras_.back().scale());
    }
    for (Camera& camera : cameras_) camera.set_scale(scale);
  }
  std::string figure(std::size_t k) const {
    const Floor& floor = floors_[std::min(k, floors_.size() - 1)];
    std::string out = figure::lines(model_, sceneries_[k], floor, camera(k), options_);
    for (const Outline& outline : options_.outlines)
      out += figure::polyline("outline", outline.points, camera(k),
                              fmt::format(" stroke=\"{}\"", outline.color));
    return out;
  }
  // Path of each named frame over the series, and the part traveled up to sample k.
  std::string paths(std::size_t k) const {
    std::string out;
    const std::size_t frames = sceneries_.empty() ? 0 : sceneries_[0].axes.size() / 3;
    for (std::size_t f = 0; f < frames; ++f) {
      std::vector<Vec3<double>> path;
      for (const Scenery& scenery : sceneries_) path.push_back(scenery.axes[3 * f].at);
      out += figure::polyline("path", path, camera(k));
      out += figure::polyline("passed", std::span(path).first(k + 1), camera(k));
    }
    return out;
  }

 private:
  const Camera& camera(std::size_t k) const { return cameras_[std::min(k, cameras_.size() - 1)]; }

  // Whether the middle of the mechanism moves by more than half of its size.
  static bool goes_far(const std::vector<std::vector<Vec3<double>>>& of_each) {
    double size = 0;
    std::vector<Vec3<double>> middles;
    for (const std::vector<Vec3<double>>& points : of_each) {
      const auto [low, high] = bounds(points);
      size = std::max(size, norm(high - low));
      middles.push_back(0.5 * (low + high));
    }
    if (middles.empty()) return false;
    const auto [low, high] = bounds(middles);
    return norm(high - low) > 0.5 * size;
  }
  static std::pair<Vec3<double>, Vec3<double>> bounds(const std::vector<Vec3<double>>& points) {
    Vec3<double> lo{1e300, 1e300, 1e300}, hi{-1e300, -1e300, -1e300};
    for (const Vec3<double>& p : points) {
      lo = {std::min(lo.x, p.x), std::min(lo.y, p.y), std::min(lo.z, p.z)};
      hi = {std::max(hi.x, p.x), std::max(hi.y, p.y), std::max(hi.z, p.z)};
    }
    return {lo, hi};
  }

  // Planar mechanisms are viewed nearly at right angles to their plane.
  void face(const std::vector<Vec3<double>>& points) {
    const auto [lo, hi] = bounds(points);
    const Vec3<double> size = hi - lo;
    const auto is_thin = [](double a, double b, double c) { return a < 0.35 * std::min(b, c); };
    if (is_thin(size.y, size.x, size.z))
      options_.azimuth = -1.35, options_.elevation = 0.22;
    else if (is_thin(size.x, size.y, size.z))
      options_.azimuth = -0.22, options_.elevation = 0.22;
    else if (is_thin(size.z, size.x, size.y))
      options_.azimuth = -1.2, options_.elevation = 0.8;
  }

  const Model& model_;
  StickFigureOptions options_;
  std::vector<Scenery> sceneries_;
  std::vector<Floor> floors_;  // one, or one per sample
  std::vector<Camera> cameras_;
};

}  // namespace

std::string stick_figure(const Model& model, const Kinematics& kinematics,
                         const StickFigureOptions& options) {
  const Snapshot snapshot{kinematics};
  return document(options.width, options.height, model.name(),
                  Series(model, {&snapshot, 1}, options).figure(0));
}

std::string stick_figures(const Model& model, std::span<const Snapshot> snapshots, int columns,
                          const StickFigureOptions& options) {
  const Series series(model, snapshots, options);
  const int count = int(snapshots.size()), wide = std::clamp(columns, 1, std::max(count, 1));
  std::string inside;
  for (int k = 0; k < count; ++k)
    fmt::format_to(
        std::back_inserter(inside),
        "<g transform=\"translate({} {})\">\n{}<text x=\"16\" y=\"26\">{}</text>\n</g>\n",
        k % wide * options.width, k / wide * options.height, series.figure(std::size_t(k)),
        svg_text(snapshots[std::size_t(k)].caption));
  const int high = std::max((count + wide - 1) / wide, 1);
  return document(wide * options.width, high * options.height, model.name(), inside);
}

std::vector<std::string> stick_figure_frames(const Model& model,
                                             std::span<const Snapshot> snapshots,
                                             const StickFigureOptions& options) {
  const Series series(model, snapshots, options);
  std::vector<std::string> out;
  for (std::size_t k = 0; k < snapshots.size(); ++k)
    out.push_back(document(
        options.width, options.height, model.name(),
        series.figure(k) + series.paths(k) +
            fmt::format("<text x=\"16\" y=\"26\">{}</text>\n", svg_text(snapshots[k].caption))));
  return out;
}

}  // namespace trammel
