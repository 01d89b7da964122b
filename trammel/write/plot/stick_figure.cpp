#include "trammel/write/plot/stick_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <span>
#include <string_view>
#include <vector>

#include "trammel/model/build/parameters.hpp"
#include "trammel/model/description/joint_table.hpp"
#include "trammel/write/plot/svg_text.hpp"
#include "trammel/write/upright.hpp"

namespace trammel {

namespace {

struct Point {
  double x = 0, y = 0;
};

struct Stick {
  Vec3<double> from, to;
  const char* style;
  int body = 0;
};
struct Sign {
  Vec3<double> at, axis;
  const NamedJoint* joint;
  bool is_drawn = true;  // else only labeled: a wheel's disk shows the axle
};
struct Disk {
  Vec3<double> center, along[2];  // half axes in its plane, the first one marked by a spoke
};
struct Axis {
  Vec3<double> at, to;
  const char* color;
};

// Elements of the figure, in axes whose z points against gravity.
struct Scenery {
  std::vector<Stick> sticks;
  std::vector<Sign> signs;
  std::vector<Axis> axes;
  std::vector<Disk> disks;            // wheels
  std::vector<Vec3<double>> anchors;  // connections of joints to ground
};

// Whether a joint keeps a point of its body near ground: not for vehicles and floating bodies.
bool holds_point(const NamedJoint& joint) {
  const JointTraits of = traits(joint.kind);
  const auto slides =
      std::count(of.dofs.kind.begin(), of.dofs.kind.begin() + of.dofs.count, DofKind::slide);
  return joint.nv < 3 || (of.axes != JointAxes::per_motion && slides < 2);
}

bool is_wheel(const Model& model, BodyId body) {
  return std::ranges::any_of(model.wheels(),
                             [&](const Wheel& wheel) { return wheel.child == body; });
}

Scenery look(const Model& model, const Kinematics& kinematics, double axis_length) {
  Scenery out;
  const Mat3<double> upright = upright_rotation(up_direction(model));
  const auto X = [&](BodyId body) {
    return Pose<double>{upright, {}} * pose(model, kinematics, {body});
  };
  for (std::size_t k = 0; k < model.wheels().size(); ++k) {
    const BodyId body = model.wheels()[k].child;
    const WheelNumbers<double>& at = model.numbers().wheels[k];
    const Pose<double> X_WD =
        X(body) * inverse(model.numbers().X_BU[std::size_t(index(body))]) * at.X_CM;
    out.disks.push_back({X_WD.p, {at.radius * X_WD.R.x, at.radius * X_WD.R.y}});
  }
  for (const JointId id : model.outward_joints()) {
    const NamedJoint& joint = model[id];
    const Pose<double> X_WF = X(joint.parent) * joint.X_PF, X_WM = X(joint.child) * joint.X_CM;
    if (joint.role == NamedJoint::Role::tree) {
      out.sticks.push_back({X_WF.p, X_WM.p, "slide"});
      const int k = joint.v_start;
      const Motion<double>& S = kinematics.axes[std::size_t(k)];
      const Vec3<double> along = norm(S.angular) > norm(S.linear) ? S.angular : S.linear;
      const BodyId outer = joint.is_reversed ? joint.parent : joint.child;
      out.signs.push_back({X_WM.p, upright * along, &joint, !is_wheel(model, outer)});
    }
    for (const BodyId ground_side : {joint.parent, joint.child})
      if (model[ground_side].tree_body == 0 && joint.role == NamedJoint::Role::tree &&
          holds_point(joint))
        out.anchors.push_back(X_WF.p);

    // the outboard body: from this joint to every joint and frame further outward
    const BodyId body = joint.is_reversed ? joint.parent : joint.child;
    const Vec3<double> root = joint.is_reversed ? X_WF.p : X_WM.p;
    const Inertia<double>& I = model.numbers().own_inertia[std::size_t(index(body))];
    if (model[body].tree_body == 0 && !(I.mass > 0)) continue;  // an included model's ground
    const std::size_t so_far = out.sticks.size();
    for (const JointId next_id : model.outward_joints()) {
      const NamedJoint& next = model[next_id];
      if ((next.is_reversed ? next.child : next.parent) != body) continue;
      const Pose<double> X_next =
          next.is_reversed ? X(next.child) * next.X_CM : X(next.parent) * next.X_PF;
      out.sticks.push_back({root, X_next.p, "body", index(body)});
    }
    for (const NamedJoint& loop : model.joints()) {
      if (loop.role != NamedJoint::Role::loop || (loop.parent != body && loop.child != body))
        continue;
      const Vec3<double> end = loop.parent == body ? X(body) * loop.X_PF.p : X(body) * loop.X_CM.p;
      out.sticks.push_back({root, end, "body", index(body)});
    }
    for (const NamedFrame& frame : model.frames()) {
      if (frame.body != body) continue;
      const std::size_t f = std::size_t(&frame - model.frames().data());
      const Pose<double> X_WA = X(body) * model.numbers().X_UF[f];
      out.sticks.push_back({root, X_WA.p, "body", index(body)});
      out.axes.push_back({X_WA.p, X_WA.p + axis_length * X_WA.R.x, "#d1495b"});
      out.axes.push_back({X_WA.p, X_WA.p + axis_length * X_WA.R.y, "#3d9970"});
      out.axes.push_back({X_WA.p, X_WA.p + axis_length * X_WA.R.z, "#2f6fde"});
    }
    // a free joint constrains nothing: no symbol if sticks show the body
    if (out.sticks.size() > so_far && joint.kind == JointKind::free &&
        joint.role == NamedJoint::Role::tree)
      out.signs.back().is_drawn = false;
    // terminal body: a stick to its center of mass
    if (out.sticks.size() > so_far || !(I.mass > 0) || is_wheel(model, body)) continue;
    const Vec3<double> com = X(body) * ((1 / I.mass) * I.first_moment);
    if (norm(com - root) > 1e-9 * model.characteristic_length())
      out.sticks.push_back({root, com, "body", index(body)});
  }
  for (const NamedJoint& joint : model.joints())  // the axes of cut joints are not known
    if (joint.role == NamedJoint::Role::loop && joint.kind != JointKind::free)
      out.signs.push_back({X(joint.parent) * joint.X_PF.p, {}, &joint});
  return out;
}

// Symbols have full size in the default picture, and are smaller in a smaller one.
double symbol_size(const StickFigureOptions& options) {
  return std::min({options.width / 640.0, options.height / 520.0, 1.0});
}

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

const char* const figure_style_sheet = R"(<style>
  svg { background: #ffffff; }
  .grid { stroke: #dfe5ec; stroke-width: 1; }
  .shadow { stroke: #d3dae3; stroke-width: 5; stroke-linecap: round; }
  .post { stroke: #aebccb; stroke-width: 9; stroke-linecap: round; }
  .body { stroke: #33475b; stroke-width: 9; stroke-linecap: round; }
  .slide { stroke: #33475b; stroke-width: 3; stroke-dasharray: 5 4; }
  .joint { fill: #f6b73c; stroke: #33475b; stroke-width: 2; }
  .axis { stroke: #c4762a; stroke-width: 1.5; stroke-dasharray: 7 3 1.5 3; }
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

// The floor is below the lowest point, and slightly wider than the mechanism.
struct Floor {
  double height = 0, cell = 1;
  double lowest = 0, middle = 0;  // of the drawn points, without the floor
  double lo_x = 0, hi_x = 0, lo_y = 0, hi_y = 0;
};

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

std::vector<Vec3<double>> rim_of(const Disk& disk) {
  constexpr int points = 48;
  std::vector<Vec3<double>> out;
  for (int k = 0; k < points; ++k) {
    const double angle = 2 * std::numbers::pi * k / points;
    out.push_back(disk.center + std::cos(angle) * disk.along[0] + std::sin(angle) * disk.along[1]);
  }
  return out;
}

void add_points(const Scenery& scenery, std::vector<Vec3<double>>& points) {
  for (const Stick& stick : scenery.sticks) points.insert(points.end(), {stick.from, stick.to});
  for (const Axis& axis : scenery.axes) points.push_back(axis.to);
  for (const Disk& disk : scenery.disks)
    for (const Vec3<double>& rim : rim_of(disk)) points.push_back(rim);
}

void add_corners(const Floor& floor, std::vector<Vec3<double>>& points) {
  for (const double x : {floor.lo_x, floor.hi_x})
    for (const double y : {floor.lo_y, floor.hi_y}) points.push_back({x, y, floor.height});
}

// Lines and symbols of one figure, without the enclosing document.
class Figure {
 public:
  Figure(const Model& model, const Scenery& scenery, const Floor& floor, const Camera& camera,
         const StickFigureOptions& options)
      : model_(model),
        scenery_(scenery),
        floor_(floor),
        camera_(camera),
        size_(symbol_size(options)),
        has_colors_(options.colors) {}

  std::string draw(bool names) {
    for (double x = floor_.lo_x; x <= floor_.hi_x + 0.5 * floor_.cell; x += floor_.cell)
      line("grid", {x, floor_.lo_y, floor_.height}, {x, floor_.hi_y, floor_.height});
    for (double y = floor_.lo_y; y <= floor_.hi_y + 0.5 * floor_.cell; y += floor_.cell)
      line("grid", {floor_.lo_x, y, floor_.height}, {floor_.hi_x, y, floor_.height});
    for (const Stick& stick : scenery_.sticks)
      line("shadow", {stick.from.x, stick.from.y, floor_.height},
           {stick.to.x, stick.to.y, floor_.height}, width(5));
    // ground is behind all moving parts
    for (const Vec3<double>& p : scenery_.anchors) anchor(p);
    for (const Disk& disk : scenery_.disks) wheel(disk);
    for (const Stick& stick : scenery_.sticks)
      line(stick.style, stick.from, stick.to,
           std::string_view(stick.style) == "body" ? width(9, stick.body) : "");
    for (const Sign& sign : scenery_.signs)
      if (sign.is_drawn) joint(sign);
    for (const Axis& axis : scenery_.axes)
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
    // the colors of bodies on report pages
    static constexpr const char* palette[] = {"#4f7cac", "#e08e45", "#5b9f71", "#a77bb5",
                                              "#cf5c6a", "#4fa3a5", "#c2a23a", "#8c7868"};
    std::string style;
    if (size_ < 1) style += fmt::format("stroke-width:{:.2g};", usual * size_);
    if (has_colors_ && body > 0)
      style += fmt::format("stroke:{};", palette[std::size_t(body - 1) % std::size(palette)]);
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

  void wheel(const Disk& disk) {
    std::string points;
    for (const Vec3<double>& rim : rim_of(disk)) {
      const Point a = camera_(rim);
      fmt::format_to(std::back_inserter(points), "{:.1f},{:.1f} ", a.x, a.y);
    }
    add("<polygon class=\"wheel\" points=\"{}\"/>\n", points);
    line("spoke", disk.center - 0.8 * disk.along[0], disk.center + 0.8 * disk.along[0]);
  }

  void joint(const Sign& sign) {
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
    for (const Sign& sign : scenery_.signs) {
      const Point a = camera_(sign.at);
      const auto same = std::ranges::find_if(labels, [&](const auto& label) {
        return std::hypot(label.first.x - a.x, label.first.y - a.y) < 8;
      });
      if (same == labels.end())
        labels.push_back({a, svg_text(sign.joint->name)});
      else
        same->second += ", " + svg_text(sign.joint->name);
    }
    for (const auto& [a, text] : labels)
      add("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", a.x + 13, a.y + 5, text);
  }

  const Model& model_;
  const Scenery& scenery_;
  const Floor& floor_;
  const Camera& camera_;
  double size_;
  bool has_colors_;
  std::string svg_;
};

std::string polyline(const char* kind, std::span<const Vec3<double>> line, const Camera& camera,
                     const std::string& more = {}) {
  std::string points;
  for (const Vec3<double>& p : line) {
    const Point a = camera(p);
    fmt::format_to(std::back_inserter(points), "{:.1f},{:.1f} ", a.x, a.y);
  }
  return fmt::format("<polyline class=\"{}\" points=\"{}\"{}/>\n", kind, points, more);
}

std::string document(int width, int height, const std::string& title, const std::string& inside) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\">\n<title>{2}</title>\n{3}{4}</svg>\n",
      width, height, svg_text(title), figure_style_sheet, inside);
}

}  // namespace

namespace {

// Samples of a motion with one floor and one camera, so that only the mechanism moves.
class Series {
 public:
  Series(const Model& model, std::span<const Snapshot> snapshots, const StickFigureOptions& options)
      : model_(model), options_(options), camera_(options_) {
    const double axis_length = 0.3 * model.characteristic_length();
    std::vector<Vec3<double>> points{{0, 0, 0}};
    for (const Snapshot& snapshot : snapshots) {
      sceneries_.push_back(look(model, snapshot.kinematics, axis_length));
      add_points(sceneries_.back(), points);
    }
    const Mat3<double> upright = upright_rotation(up_direction(model));
    for (Outline& outline : options_.outlines)
      for (Vec3<double>& p : outline.points) points.push_back(p = upright * p);
    if (options_.faces_flat) face(points);
    floor_ = floor_under(points, model.characteristic_length());
    add_corners(floor_, points);
    camera_ = Camera(options_);
    camera_.fit(points);
  }
  std::string figure(std::size_t k) const {
    std::string out = Figure(model_, sceneries_[k], floor_, camera_, options_).draw(options_.names);
    for (const Outline& outline : options_.outlines)
      out += polyline("outline", outline.points, camera_,
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
      out += polyline("path", path, camera_);
      out += polyline("passed", std::span(path).first(k + 1), camera_);
    }
    return out;
  }

 private:
  // Planar mechanisms are viewed nearly at right angles to their plane.
  void face(const std::vector<Vec3<double>>& points) {
    Vec3<double> lo{1e300, 1e300, 1e300}, hi{-1e300, -1e300, -1e300};
    for (const Vec3<double>& p : points) {
      lo = {std::min(lo.x, p.x), std::min(lo.y, p.y), std::min(lo.z, p.z)};
      hi = {std::max(hi.x, p.x), std::max(hi.y, p.y), std::max(hi.z, p.z)};
    }
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
  Floor floor_;
  Camera camera_;
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
