#include "trammel/write/plot/figure_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <numbers>
#include <string_view>

#include "trammel/write/plot/label_places.hpp"
#include "trammel/write/plot/svg_text.hpp"

namespace trammel::figure {

const char* const style_sheet = R"(<style>
  svg { background: #ffffff; }
  .grid { stroke: #dfe5ec; stroke-width: 1; }
  .shadow { stroke: #d3dae3; stroke-width: 5; stroke-linecap: round; }
  .post { stroke: #aebccb; stroke-width: 9; stroke-linecap: round; }
  .body { stroke: #33475b; stroke-width: 9; stroke-linecap: round; }
  .slide { stroke: #33475b; stroke-width: 3; stroke-dasharray: 5 4; }
  .joint { fill: #f6b73c; stroke: #33475b; stroke-width: 2; }
  .axis { stroke: #c4762a; stroke-width: 1.5; stroke-dasharray: 7 3 1.5 3; }
  .leader { stroke: #5b6f83; stroke-width: 1; }
  .shade { fill: #e3e8ee; stroke: none; }
  .solid { stroke: #33475b; stroke-width: 1; stroke-linejoin: round; }
  .anchor { stroke: #33475b; stroke-width: 2; fill: none; }
  .frame { stroke-width: 2.5; stroke-linecap: round; }
  .wheel { fill: #7f95ab; fill-opacity: 0.55; stroke: #33475b; stroke-width: 2; }
  .spoke { stroke: #33475b; stroke-width: 2; stroke-linecap: round; }
  .path { fill: none; stroke: #d1495b; stroke-width: 1.8; stroke-opacity: 0.35; stroke-linejoin: round; }
  .passed { fill: none; stroke: #d1495b; stroke-width: 2.6; stroke-linejoin: round; }
  .outline { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
  text { font: 13px sans-serif; fill: #33475b; paint-order: stroke; stroke: #ffffff; stroke-width: 3; }
</style>
)";

std::vector<Vec3<double>> rim_of(const WheelDisk& disk) {
  constexpr int points = 48;
  std::vector<Vec3<double>> out;
  for (int k = 0; k < points; ++k) {
    const double angle = 2 * std::numbers::pi * k / points;
    out.push_back(disk.center + std::cos(angle) * disk.along[0] + std::sin(angle) * disk.along[1]);
  }
  return out;
}

namespace {

// The colors of bodies on report pages.
const char* body_color(int body) {
  static constexpr const char* palette[] = {"#4f7cac", "#e08e45", "#5b9f71", "#a77bb5",
                                            "#cf5c6a", "#4fa3a5", "#c2a23a", "#8c7868"};
  return palette[std::size_t(std::max(body - 1, 0)) % std::size(palette)];
}

class Figure {
 public:
  Figure(const Model& model, const Scenery& scenery, const Floor& floor, const Camera& camera,
         const StickFigureOptions& options)
      : model_(model),
        scenery_(scenery),
        floor_(floor),
        camera_(camera),
        size_(symbol_size(options)),
        has_colors_(options.colors),
        width_(options.width),
        height_(options.height) {}

  std::string draw(bool names) {
    for (double x = floor_.lo_x; x <= floor_.hi_x + 0.5 * floor_.cell; x += floor_.cell)
      line("grid", {x, floor_.lo_y, floor_.height}, {x, floor_.hi_y, floor_.height});
    for (double y = floor_.lo_y; y <= floor_.hi_y + 0.5 * floor_.cell; y += floor_.cell)
      line("grid", {floor_.lo_x, y, floor_.height}, {floor_.hi_x, y, floor_.height});
    for (const ShapeOutline& shape : scenery_.shapes) shadow(shape);
    for (const FigureStick& stick : scenery_.sticks)
      if (stick.is_drawn)
        line("shadow", {stick.from.x, stick.from.y, floor_.height},
             {stick.to.x, stick.to.y, floor_.height}, width(5));
    // ground is behind all moving parts
    for (const Vec3<double>& p : scenery_.anchors) anchor(p);
    solids();
    for (const FigureStick& stick : scenery_.sticks)
      if (stick.is_drawn)
        line(stick.style, stick.from, stick.to,
             std::string_view(stick.style) == "body" ? width(9, stick.body) : "");
    for (const JointSign& sign : scenery_.signs)
      if (sign.is_drawn) joint(sign);
    for (const FrameAxis& axis : scenery_.axes)
      line("frame", axis.at, axis.to, fmt::format(" stroke=\"{}\"", axis.color));
    if (names) labels();
    return std::move(svg_);
  }

 private:
  template <class... Values> void add(fmt::format_string<Values...> text, Values&&... values) {
    fmt::format_to(std::back_inserter(svg_), text, std::forward<Values>(values)...);
  }
  void line(const char* kind, const Vec3<double>& from, const Vec3<double>& to,
            const std::string& more = {}) {
    const Point a = camera_(from), b = camera_(to);
    add("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"{}/>\n", kind,
        a.x, a.y, b.x, b.y, more);
  }
  // Replaces the width of the style sheet if symbols are smaller.
  std::string width(double usual, int body = 0) const {
    std::string style;
    if (size_ < 1) style += fmt::format("stroke-width:{:.2g};", usual * size_);
    if (has_colors_ && body > 0) style += fmt::format("stroke:{};", body_color(body));
    return style.empty() ? style : fmt::format(" style=\"{}\"", style);
  }

  // A post from the floor, with the symbol of ground at its foot. If the mechanism extends below
  // the anchor, a post would cross it: then the symbol is at the anchor, on the side away from the
  // mechanism.
  void anchor(const Vec3<double>& p) {
    const double s = size_;
    if (p.z - floor_.lowest <= 0.02 * model_.characteristic_length()) {
      const Vec3<double> foot{p.x, p.y, floor_.height};
      line("post", foot, p, width(9));
      const Point a = camera_(foot);
      return hatch(a.x, a.y + 4 * s, 1);
    }
    const Point a = camera_(p);
    const double side = floor_.middle < p.z ? -1 : 1;  // y is down in the picture
    add("<path class=\"anchor\" d=\"M{0:.1f} {1:.1f}L{2:.1f} {3:.1f}M{0:.1f} {1:.1f}L{4:.1f} "
        "{3:.1f}\"/>\n",
        a.x, a.y, a.x - 9 * s, a.y + side * 17 * s, a.x + 9 * s);
    hatch(a.x, a.y + side * 17 * s, side);
  }
  void hatch(double x, double y, double side) {
    const double s = size_;
    std::string strokes;
    for (int k = 0; k < 4; ++k)
      fmt::format_to(std::back_inserter(strokes), "M{:.1f} {:.1f}l{:.1f} {:.1f}",
                     x + (-14 + 10 * k + (side < 0 ? -6 : 0)) * s, y, -6 * side * s, 8 * side * s);
    add("<path class=\"anchor\" d=\"M{:.1f} {:.1f}h{:.1f}{}\"/>\n", x - 18 * s, y, 36 * s, strokes);
  }

  // Shapes and wheels, the farthest first.
  void solids() {
    struct Solid {
      double nearness;
      const ShapeOutline* shape;
      const WheelDisk* disk;
    };
    const Vec3<double> towards = camera_.towards_viewer();
    std::vector<Solid> order;
    for (const ShapeOutline& shape : scenery_.shapes)
      order.push_back({dot(towards, shape.center), &shape, nullptr});
    for (const WheelDisk& disk : scenery_.disks)  // over the shape of its wheel
      order.push_back({dot(towards, disk.center) + norm(disk.along[0]), nullptr, &disk});
    std::ranges::stable_sort(order, {}, &Solid::nearness);
    for (const Solid& solid : order)
      if (solid.shape != nullptr)
        this->shape(*solid.shape);
      else
        wheel(*solid.disk);
  }

  std::string corners(std::span<const Vec3<double>> points) const {
    std::string out;
    for (const Vec3<double>& p : points) {
      const Point a = camera_(p);
      fmt::format_to(std::back_inserter(out), "{:.1f},{:.1f} ", a.x, a.y);
    }
    return out;
  }
  std::string hull(std::span<const Vec3<double>> points) const {
    std::vector<Point> flat;
    for (const Vec3<double>& p : points) flat.push_back(camera_(p));
    std::string out;
    for (const Point& a : convex_hull(std::move(flat)))
      fmt::format_to(std::back_inserter(out), "{:.1f},{:.1f} ", a.x, a.y);
    return out;
  }
  void shadow(const ShapeOutline& shape) {
    std::vector<Vec3<double>> below = shape.points;
    for (Vec3<double>& p : below) p.z = floor_.height;
    add("<polygon class=\"shade\" points=\"{}\"/>\n", hull(below));
  }
  // The silhouette, then the flat faces that are seen, lighter the more they look up.
  void shape(const ShapeOutline& shape) {
    const double opacity = shape.color ? std::max((*shape.color)[3], 0.3) : 1;
    add("<polygon class=\"solid\" fill=\"{}\" fill-opacity=\"{:.2g}\" points=\"{}\"/>\n",
        shade(shape, 0.8), opacity, hull(shape.points));
    for (const ShapeOutline::Face& face : shape.faces)
      if (dot(face.normal, camera_.towards_viewer()) > 1e-9)
        add("<polygon class=\"solid\" fill=\"{}\" fill-opacity=\"{:.2g}\" points=\"{}\"/>\n",
            shade(shape, 0.86 + 0.14 * face.normal.z), opacity, corners(face.corners));
  }
  std::string shade(const ShapeOutline& shape, double light) const {
    std::array<double, 3> rgb;
    for (std::size_t k = 0; k < 3; ++k)
      rgb[k] =
          shape.color
              ? (*shape.color)[k]
              : int(std::strtol(std::string(body_color(shape.body)).substr(1 + 2 * k, 2).c_str(),
                                nullptr, 16)) /
                    255.0;
    const auto byte = [&](double x) {
      return int(std::lround(255 * std::clamp(light * x, 0.0, 1.0)));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", byte(rgb[0]), byte(rgb[1]), byte(rgb[2]));
  }

  void wheel(const WheelDisk& disk) {
    std::string points;
    for (const Vec3<double>& rim : rim_of(disk)) {
      const Point a = camera_(rim);
      fmt::format_to(std::back_inserter(points), "{:.1f},{:.1f} ", a.x, a.y);
    }
    add("<polygon class=\"wheel\" points=\"{}\"/>\n", points);
    line("spoke", disk.center - 0.8 * disk.along[0], disk.center + 0.8 * disk.along[0]);
  }

  void joint(const JointSign& sign) {
    const double half = 0.35 * model_.characteristic_length();
    const bool has_axis = sign.joint->nv < 3;
    if (has_axis && norm(sign.axis) > 0) {
      const Vec3<double> along = (half / norm(sign.axis)) * sign.axis;
      line("axis", sign.at - along, sign.at + along);
    }
    const Point a = camera_(sign.at);
    if (sign.joint->kind == JointKind::prismatic)
      add("<rect class=\"joint\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.4g}\" height=\"{:.4g}\" "
          "rx=\"2\"/>\n",
          a.x - 7 * size_, a.y - 7 * size_, 14 * size_, 14 * size_);
    else
      add("<circle class=\"joint\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.3g}\"/>\n", a.x, a.y,
          (sign.joint->nv > 1 ? 9 : 7) * size_);
  }

  void labels() {
    std::vector<std::pair<Point, std::string>> labels;  // joints at one point share theirs
    for (const JointSign& sign : scenery_.signs) {
      const Point a = camera_(sign.at);
      const auto same = std::ranges::find_if(labels, [&](const auto& label) {
        return std::hypot(label.first.x - a.x, label.first.y - a.y) < 8;
      });
      if (same == labels.end())
        labels.push_back({a, sign.joint->name});
      else
        same->second += ", " + sign.joint->name;
    }
    std::vector<FigureLabel> wanted;
    for (const auto& [a, text] : labels) wanted.push_back({a.x, a.y, text});
    const std::vector<LabelPlace> places = place_labels(wanted, width_, height_);
    for (std::size_t k = 0; k < places.size(); ++k)
      if (places[k].is_far)
        add("<line class=\"leader\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
            wanted[k].x, wanted[k].y, places[k].line_x, places[k].line_y);
    for (std::size_t k = 0; k < places.size(); ++k)
      add("<text text-anchor=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", places[k].anchor,
          places[k].x, places[k].y, svg_text(wanted[k].text));
  }

  const Model& model_;
  const Scenery& scenery_;
  const Floor& floor_;
  const Camera& camera_;
  double size_;
  bool has_colors_;
  double width_, height_;
  std::string svg_;
};

}  // namespace

std::string lines(const Model& model, const Scenery& scenery, const Floor& floor,
                  const Camera& camera, const StickFigureOptions& options) {
  return Figure(model, scenery, floor, camera, options).draw(options.names);
}

std::string polyline(const char* kind, std::span<const Vec3<double>> line, const Camera& camera,
                     const std::string& more) {
  std::string points;
  for (const Vec3<double>& p : line) {
    const Point a = camera(p);
    fmt::format_to(std::back_inserter(points), "{:.1f},{:.1f} ", a.x, a.y);
  }
  return fmt::format("<polyline class=\"{}\" points=\"{}\"{}/>\n", kind, points, more);
}

}  // namespace trammel::figure
