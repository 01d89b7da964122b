#include "trammel/write/stick_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "trammel/write/svg_text.hpp"

namespace trammel {

namespace {

struct Point {
  double x = 0, y = 0;
};

struct Stick {
  Vec3<double> from, to;
  const char* style;
};
struct Sign {
  Vec3<double> at, axis;
  const NamedJoint* joint;
};
struct Axis {
  Vec3<double> at, to;
  const char* colour;
};

// What is to be drawn, in the world.
struct Scenery {
  std::vector<Stick> sticks;
  std::vector<Sign> signs;
  std::vector<Axis> axes;
  std::vector<Vec3<double>> anchors;  // where joints meet ground
};

Scenery look(const Model& model, const Kinematics& kinematics, double axis_length) {
  Scenery out;
  const auto X = [&](BodyId body) { return pose(model, kinematics, {body}); };
  for (const JointId id : model.outward_joints()) {
    const NamedJoint& joint = model[id];
    const Pose<double> X_WF = X(joint.parent) * joint.X_PF, X_WM = X(joint.child) * joint.X_CM;
    if (joint.role == NamedJoint::Role::tree) {
      out.sticks.push_back({X_WF.p, X_WM.p, "slide"});
      const int k = joint.v_start;
      const Motion<double>& S = kinematics.axes[std::size_t(k)];
      const Vec3<double> along = norm(S.angular) > norm(S.linear) ? S.angular : S.linear;
      out.signs.push_back({X_WM.p, along, &joint});
    }
    for (const BodyId ground_side : {joint.parent, joint.child})
      if (model[ground_side].carrier == 0 && joint.role == NamedJoint::Role::tree &&
          joint.kind != JointKind::free)
        out.anchors.push_back(X_WF.p);

    // the body beyond: from this joint to every joint and frame further out
    const BodyId body = joint.is_reversed ? joint.parent : joint.child;
    const Vec3<double> root = joint.is_reversed ? X_WF.p : X_WM.p;
    const Inertia<double>& I = model.numbers().own_inertia[std::size_t(index(body))];
    if (model[body].carrier == 0 && !(I.mass > 0)) continue;  // an included model's ground
    const std::size_t so_far = out.sticks.size();
    for (const JointId next_id : model.outward_joints()) {
      const NamedJoint& next = model[next_id];
      if ((next.is_reversed ? next.child : next.parent) != body) continue;
      const Pose<double> X_next =
          next.is_reversed ? X(next.child) * next.X_CM : X(next.parent) * next.X_PF;
      out.sticks.push_back({root, X_next.p, "body"});
    }
    for (const NamedJoint& loop : model.joints()) {
      if (loop.role != NamedJoint::Role::loop || (loop.parent != body && loop.child != body))
        continue;
      const Vec3<double> end = loop.parent == body ? X(body) * loop.X_PF.p : X(body) * loop.X_CM.p;
      out.sticks.push_back({root, end, "body"});
    }
    for (const NamedFrame& frame : model.frames()) {
      if (frame.body != body) continue;
      const std::size_t f = std::size_t(&frame - model.frames().data());
      const Pose<double> X_WA = X(body) * model.numbers().X_UF[f];
      out.sticks.push_back({root, X_WA.p, "body"});
      out.axes.push_back({X_WA.p, X_WA.p + axis_length * X_WA.R.x, "#d1495b"});
      out.axes.push_back({X_WA.p, X_WA.p + axis_length * X_WA.R.y, "#3d9970"});
      out.axes.push_back({X_WA.p, X_WA.p + axis_length * X_WA.R.z, "#2f6fde"});
    }
    // nothing further out: as far as its centre of mass
    if (out.sticks.size() > so_far || !(I.mass > 0)) continue;
    const Vec3<double> com = X(body) * ((1 / I.mass) * I.first_moment);
    if (norm(com - root) > 1e-9 * model.characteristic_length())
      out.sticks.push_back({root, com, "body"});
  }
  return out;
}

// From the world onto the paper: parallel light, fitted to what is seen.
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
    const double margin = 70;
    const double wide = std::max(hi.x - lo.x, 1e-9), high = std::max(hi.y - lo.y, 1e-9);
    scale_ = std::min((options_.width - 2 * margin) / wide, (options_.height - 2 * margin) / high);
    centre_ = {(lo.x + hi.x) / 2, (lo.y + hi.y) / 2};
  }
  Point operator()(const Vec3<double>& p) const {
    return {options_.width / 2.0 + scale_ * (dot(right_, p) - centre_.x),
            options_.height / 2.0 - scale_ * (dot(up_, p) - centre_.y)};
  }

 private:
  const StickFigureOptions& options_;
  Vec3<double> right_, up_;
  Point centre_;
  double scale_ = 1;
};

const char* const style_sheet = R"(<style>
  svg { background: #ffffff; }
  .grid { stroke: #dfe5ec; stroke-width: 1; }
  .shadow { stroke: #c9d2dc; stroke-width: 5; stroke-linecap: round; }
  .post { stroke: #aebccb; stroke-width: 9; stroke-linecap: round; }
  .body { stroke: #33475b; stroke-width: 9; stroke-linecap: round; }
  .slide { stroke: #33475b; stroke-width: 3; stroke-dasharray: 5 4; }
  .joint { fill: #f6b73c; stroke: #33475b; stroke-width: 2; }
  .axis { stroke: #c4762a; stroke-width: 1.5; stroke-dasharray: 7 3 1.5 3; }
  .anchor { stroke: #33475b; stroke-width: 2; fill: none; }
  .frame { stroke-width: 2.5; stroke-linecap: round; }
  .outline { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
  text { font: 13px sans-serif; fill: #33475b; paint-order: stroke; stroke: #ffffff; stroke-width: 3; }
</style>
)";

// The floor lies under the lowest point, a little wider than the mechanism.
struct Floor {
  double height = 0, cell = 1;
  double lo_x = 0, hi_x = 0, lo_y = 0, hi_y = 0;
};

Floor floor_under(const std::vector<Vec3<double>>& points, double length) {
  Floor out;
  double lo_x = 1e300, hi_x = -1e300, lo_y = 1e300, hi_y = -1e300;
  for (const Vec3<double>& p : points) {
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

void add_points(const Scenery& scenery, std::vector<Vec3<double>>& points) {
  for (const Stick& stick : scenery.sticks) points.insert(points.end(), {stick.from, stick.to});
  for (const Axis& axis : scenery.axes) points.push_back(axis.to);
}

void add_corners(const Floor& floor, std::vector<Vec3<double>>& points) {
  for (const double x : {floor.lo_x, floor.hi_x})
    for (const double y : {floor.lo_y, floor.hi_y}) points.push_back({x, y, floor.height});
}

// The lines and signs of one figure, without the document around them.
std::string drawn(const Model& model, const Scenery& scenery, const Floor& floor,
                  const Camera& camera, bool names) {
  std::string svg;
  const auto line = [&](const char* kind, const Vec3<double>& from, const Vec3<double>& to,
                        const std::string& more = {}) {
    const Point a = camera(from), b = camera(to);
    fmt::format_to(
        std::back_inserter(svg),
        "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"{}/>\n", kind,
        a.x, a.y, b.x, b.y, more);
  };

  for (double x = floor.lo_x; x <= floor.hi_x + 0.5 * floor.cell; x += floor.cell)
    line("grid", {x, floor.lo_y, floor.height}, {x, floor.hi_y, floor.height});
  for (double y = floor.lo_y; y <= floor.hi_y + 0.5 * floor.cell; y += floor.cell)
    line("grid", {floor.lo_x, y, floor.height}, {floor.hi_x, y, floor.height});
  for (const Stick& stick : scenery.sticks)
    line("shadow", {stick.from.x, stick.from.y, floor.height},
         {stick.to.x, stick.to.y, floor.height});
  for (const Vec3<double>& p : scenery.anchors) {  // a post from the floor, and the sign of ground
    const Vec3<double> foot{p.x, p.y, floor.height};
    line("post", foot, p);
    const Point a = camera(foot);
    fmt::format_to(
        std::back_inserter(svg),
        "<path class=\"anchor\" d=\"M{:.1f} {:.1f}h36m-32 0l-6 8m14 -8l-6 8m14 -8l-6 8m14 "
        "-8l-6 8\"/>\n",
        a.x - 18, a.y + 4);
  }
  for (const Stick& stick : scenery.sticks) line(stick.style, stick.from, stick.to);
  const double half = 0.35 * model.characteristic_length();
  for (const Sign& sign : scenery.signs) {
    const bool has_axis = sign.joint->nv < 3;
    if (has_axis && norm(sign.axis) > 0) {
      const Vec3<double> along = (half / norm(sign.axis)) * sign.axis;
      line("axis", sign.at - along, sign.at + along);
    }
    const Point a = camera(sign.at);
    const bool slides = sign.joint->kind == JointKind::prismatic;
    svg += slides ? fmt::format(
                        "<rect class=\"joint\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" "
                        "height=\"14\" rx=\"2\"/>\n",
                        a.x - 7, a.y - 7)
                  : fmt::format("<circle class=\"joint\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>\n",
                                a.x, a.y, sign.joint->nv > 1 ? 9 : 7);
  }
  for (const Axis& axis : scenery.axes)
    line("frame", axis.at, axis.to, fmt::format(" stroke=\"{}\"", axis.colour));
  if (names) {
    std::vector<std::pair<Point, std::string>> labels;  // joints at one spot share theirs
    for (const Sign& sign : scenery.signs) {
      const Point a = camera(sign.at);
      const auto same = std::find_if(labels.begin(), labels.end(), [&](const auto& label) {
        return std::hypot(label.first.x - a.x, label.first.y - a.y) < 8;
      });
      if (same == labels.end())
        labels.push_back({a, svg_text(sign.joint->name)});
      else
        same->second += ", " + svg_text(sign.joint->name);
    }
    for (const auto& [a, text] : labels)
      fmt::format_to(std::back_inserter(svg), "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                     a.x + 13, a.y + 5, text);
  }
  return svg;
}

std::string drawn(const std::vector<Outline>& outlines, const Camera& camera) {
  std::string svg;
  for (const Outline& outline : outlines) {
    std::string points;
    for (const Vec3<double>& p : outline.points) {
      const Point a = camera(p);
      fmt::format_to(std::back_inserter(points), "{:.1f},{:.1f} ", a.x, a.y);
    }
    fmt::format_to(std::back_inserter(svg),
                   "<polyline class=\"outline\" points=\"{}\" stroke=\"{}\"/>\n", points,
                   outline.colour);
  }
  return svg;
}

std::string document(int width, int height, const std::string& title, const std::string& inside) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\">\n<title>{2}</title>\n{3}{4}</svg>\n",
      width, height, svg_text(title), style_sheet, inside);
}

}  // namespace

std::string stick_figure(const Model& model, const Kinematics& kinematics,
                         const StickFigureOptions& options) {
  const Scenery scenery = look(model, kinematics, 0.3 * model.characteristic_length());
  std::vector<Vec3<double>> points{{0, 0, 0}};
  add_points(scenery, points);
  for (const Outline& outline : options.outlines)
    points.insert(points.end(), outline.points.begin(), outline.points.end());
  const Floor floor = floor_under(points, model.characteristic_length());
  add_corners(floor, points);
  Camera camera(options);
  camera.fit(points);
  return document(
      options.width, options.height, model.name(),
      drawn(model, scenery, floor, camera, options.names) + drawn(options.outlines, camera));
}

std::string stick_figures(const Model& model, std::span<const Snapshot> snapshots, int columns,
                          const StickFigureOptions& options) {
  // one floor and one camera for all, so that what moves is the mechanism
  std::vector<Scenery> sceneries;
  std::vector<Vec3<double>> points{{0, 0, 0}};
  for (const Snapshot& snapshot : snapshots) {
    sceneries.push_back(look(model, snapshot.kinematics, 0.3 * model.characteristic_length()));
    add_points(sceneries.back(), points);
  }
  const Floor floor = floor_under(points, model.characteristic_length());
  add_corners(floor, points);
  Camera camera(options);
  camera.fit(points);

  const int count = int(snapshots.size()), wide = std::clamp(columns, 1, std::max(count, 1));
  std::string inside;
  for (int k = 0; k < count; ++k)
    fmt::format_to(
        std::back_inserter(inside),
        "<g transform=\"translate({} {})\">\n{}<text x=\"16\" y=\"26\">{}</text>\n</g>\n",
        k % wide * options.width, k / wide * options.height,
        drawn(model, sceneries[std::size_t(k)], floor, camera, options.names),
        svg_text(snapshots[std::size_t(k)].caption));
  const int high = std::max((count + wide - 1) / wide, 1);
  return document(wide * options.width, high * options.height, model.name(), inside);
}

}  // namespace trammel
