// View of a stick figure: its camera, the floor below it, and outlines in the picture.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "trammel/write/plot/stick_figure.hpp"

namespace trammel::figure {

struct Point {
  double x = 0, y = 0;
};

// Symbols have full size in the default picture, and are smaller in a smaller one.
double symbol_size(const StickFigureOptions& options);

// Parallel projection from the world to the picture, fitted to the visible points.
class Camera {
 public:
  explicit Camera(const StickFigureOptions& options)
      : options_(options),
        right_{-std::sin(options.azimuth), std::cos(options.azimuth), 0},
        up_{-std::sin(options.elevation) * std::cos(options.azimuth),
            -std::sin(options.elevation) * std::sin(options.azimuth), std::cos(options.elevation)} {
  }

  void fit(const std::vector<Vec3<double>>& points) {
    Point lo{1e300, 1e300}, hi{-1e300, -1e300};
    for (const Vec3<double>& p : points) {
      lo = {std::min(lo.x, dot(right_, p)), std::min(lo.y, dot(up_, p))};
      hi = {std::max(hi.x, dot(right_, p)), std::max(hi.y, dot(up_, p))};
    }
    const double margin = 70 * symbol_size(options_);
    const double wide = std::max(hi.x - lo.x, 1e-9), high = std::max(hi.y - lo.y, 1e-9);
    scale_ = std::min((options_.width - 2 * margin) / wide, (options_.height - 2 * margin) / high);
    center_ = {(lo.x + hi.x) / 2, (lo.y + hi.y) / 2};
  }
  double scale() const { return scale_; }
  void set_scale(double scale) { scale_ = scale; }
  Vec3<double> towards_viewer() const { return cross(right_, up_); }
  Point operator()(const Vec3<double>& p) const {
    return {options_.width / 2.0 + scale_ * (dot(right_, p) - center_.x),
            options_.height / 2.0 - scale_ * (dot(up_, p) - center_.y)};
  }

 private:
  StickFigureOptions options_;
  Vec3<double> right_, up_;
  Point center_;
  double scale_ = 1;
};

// The floor is below the lowest point, and slightly wider than the mechanism.
struct Floor {
  double height = 0, cell = 1;
  double lowest = 0, middle = 0;  // of the drawn points, without the floor
  double lo_x = 0, hi_x = 0, lo_y = 0, hi_y = 0;
};

Floor floor_under(const std::vector<Vec3<double>>& points, double length);
void add_corners(const Floor& floor, std::vector<Vec3<double>>& points);

// Convex hull in the picture (monotone chains).
std::vector<Point> convex_hull(std::vector<Point> points);

}  // namespace trammel::figure
