#include "trammel/write/plot/figure_view.hpp"

#include <algorithm>
#include <cmath>

namespace trammel::figure {

double symbol_size(const StickFigureOptions& options) {
  return std::min({options.width / 640.0, options.height / 520.0, 1.0});
}

Floor floor_under(const std::vector<Vec3<double>>& points, double length) {
  Floor out;
  double lo_x = 1e300, hi_x = -1e300, lo_y = 1e300, hi_y = -1e300;
  out.lowest = 1e300;
  for (const Vec3<double>& p : points) {
    out.lowest = std::min(out.lowest, p.z);
    out.middle += p.z / double(points.size());
    lo_x = std::min(lo_x, p.x), hi_x = std::max(hi_x, p.x);
    lo_y = std::min(lo_y, p.y), hi_y = std::max(hi_y, p.y);
    out.height = std::min(out.height, p.z);
  }
  const double reach = std::max({hi_x - lo_x, hi_y - lo_y, 0.2 * length});
  const double decade = std::pow(10, std::floor(std::log10(reach)));
  out.cell = decade * (reach < 3 * decade ? 0.2 : 0.5);
  const auto down = [&](double x) { return out.cell * std::floor(x / out.cell - 0.5); };
  const auto up = [&](double x) { return out.cell * std::ceil(x / out.cell + 0.5); };
  out.lo_x = down(lo_x), out.hi_x = up(hi_x), out.lo_y = down(lo_y), out.hi_y = up(hi_y);
  return out;
}

void add_corners(const Floor& floor, std::vector<Vec3<double>>& points) {
  for (const double x : {floor.lo_x, floor.hi_x})
    for (const double y : {floor.lo_y, floor.hi_y}) points.push_back({x, y, floor.height});
}

std::vector<Point> convex_hull(std::vector<Point> points) {
  std::ranges::sort(points, [](const Point& a, const Point& b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
  });
  const auto turn = [](const Point& a, const Point& b, const Point& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  };
  std::vector<Point> hull;
  for (const bool is_back : {false, true}) {
    const std::size_t begin = hull.size();
    for (const Point& p : points) {
      while (hull.size() > begin + 1 && turn(hull[hull.size() - 2], hull.back(), p) <= 0)
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();  // the first of the other chain
    if (!is_back) std::ranges::reverse(points);
  }
  return hull;
}

}  // namespace trammel::figure
