#include "trammel/write/plot/model_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "trammel/write/model/topology.hpp"
#include "trammel/write/plot/stick_figure.hpp"
#include "trammel/write/plot/svg_text.hpp"

namespace trammel {

namespace {

constexpr double row = 74, box = 26, margin = 28, letter_width = 7.2, title = 58;

// Position of every named body in the picture: outward is down, leaves side by side.
struct TreeLayout {
  std::vector<double> x, y, half;  // center of each box, and half its width
  double width = 0, height = 0;
};

std::size_t outer(const NamedJoint& joint) {
  return std::size_t(index(joint.is_reversed ? joint.parent : joint.child));
}
std::size_t inner(const NamedJoint& joint) {
  return std::size_t(index(joint.is_reversed ? joint.child : joint.parent));
}

std::string label(const NamedJoint& joint) {
  return fmt::format("{} ({})", shortened(joint.name, 24), to_string(joint.kind));
}

double wide(const std::string& text) { return letter_width * double(text.size()); }

TreeLayout arrange(const Model& model) {
  const std::size_t n = model.named_bodies().size();
  TreeLayout out{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
  std::vector<std::vector<std::size_t>> children(n);
  std::vector<double> column(n, 0);  // width of a leaf, its joint's label included
  for (std::size_t k = 0; k < n; ++k)
    out.half[k] = wide(shortened(model.named_bodies()[k].name, 24)) / 2 + 12;
  for (const JointId id : model.outward_joints()) {
    const NamedJoint& joint = model[id];
    children[inner(joint)].push_back(outer(joint));
    out.y[outer(joint)] = out.y[inner(joint)] + row;
    column[outer(joint)] = wide(label(joint));
  }

  // leaves from left to right, with an explicit stack: a chain may be long
  std::vector<std::size_t> stack{0}, order;
  double right = margin;
  while (!stack.empty()) {
    const std::size_t k = stack.back();
    stack.pop_back();
    order.push_back(k);
    if (children[k].empty()) {
      out.x[k] = right + out.half[k];
      right += std::max(2 * out.half[k], out.half[k] + 14 + column[k]) + 22;
    }
    stack.insert(stack.end(), children[k].rbegin(), children[k].rend());
  }
  // every other body is centered above its children
  for (auto k = order.rbegin(); k != order.rend(); ++k)
    if (!children[*k].empty())
      out.x[*k] = (out.x[children[*k].front()] + out.x[children[*k].back()]) / 2;

  // a wide name above a narrow chain must stay inside the picture
  double left = 1e300;
  for (std::size_t k = 0; k < n; ++k) {
    left = std::min(left, out.x[k] - out.half[k]);
    out.width = std::max(out.width, out.x[k] + std::max(out.half[k], 14 + column[k]) + margin);
    out.y[k] += title + margin;
    out.height = std::max(out.height, out.y[k] + box + margin);
  }
  const double shift = std::max(0.0, margin - left);
  for (double& x : out.x) x += shift;
  out.width += shift;
  return out;
}

class Drawing {
 public:
  Drawing(const Model& model, const TreeLayout& layout) : model_(model), at_(layout) {}

  std::string draw() {
    for (const JointId id : model_.outward_joints()) edge(model_[id]);
    for (const NamedJoint& joint : model_.joints())
      if (joint.role == NamedJoint::Role::loop) cut(joint);
    for (std::size_t k = 0; k < model_.named_bodies().size(); ++k) body(k);
    return std::move(svg_);
  }

 private:
  template <class... Values> void add(fmt::format_string<Values...> text, Values&&... values) {
    fmt::format_to(std::back_inserter(svg_), text, std::forward<Values>(values)...);
  }

  // straight down from the box above, or sideways first
  void edge(const NamedJoint& joint) {
    const std::size_t a = inner(joint), b = outer(joint);
    const bool is_fixed = joint.role == NamedJoint::Role::fixed;
    const double from = at_.y[a] + box / 2, to = at_.y[b] - box / 2, sign = at_.y[b] - 30;
    const double bend = from + 8;
    add("<path class=\"{}\" d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}V{:.1f}\"/>\n",
        is_fixed ? "t-weld" : "t-edge", at_.x[a], from, bend, at_.x[b], to);
    if (joint.kind == JointKind::prismatic)
      add("<rect class=\"t-joint\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" "
          "rx=\"2\"/>\n",
          at_.x[b] - 6, sign - 6);
    else if (!is_fixed)
      add("<circle class=\"t-joint\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>\n", at_.x[b], sign,
          joint.nv > 1 ? 8 : 6);
    add("<text class=\"t-label\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", at_.x[b] + 13, sign + 4,
        svg_text(label(joint)));
  }

  void cut(const NamedJoint& joint) {
    const std::size_t a = inner(joint), b = outer(joint);
    const double down = 34 + 0.12 * std::abs(at_.x[a] - at_.x[b]);
    const double low = std::max(at_.y[a], at_.y[b]) + box / 2;
    add("<path class=\"t-cut\" d=\"M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\"/>\n",
        at_.x[a], at_.y[a] + box / 2, at_.x[a], low + down, at_.x[b], low + down, at_.x[b],
        at_.y[b] + box / 2);
    add("<text class=\"t-label\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}, cut</text>\n",
        (at_.x[a] + at_.x[b]) / 2, low + 0.75 * down + 16, svg_text(label(joint)));
  }

  void body(std::size_t k) {
    const double x = at_.x[k], y = at_.y[k], half = at_.half[k];
    add("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" rx=\"6\"/>\n",
        k == 0 ? "t-ground" : "t-body", x - half, y - box / 2, 2 * half, box);
    add("<text class=\"t-name\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x,
        y + 4.5, svg_text(shortened(model_.named_bodies()[k].name, 24)));
  }

  const Model& model_;
  const TreeLayout& at_;
  std::string svg_;
};

const char* const style_sheet = R"(<style>
  .t-edge { stroke: #33475b; stroke-width: 2; fill: none; }
  .t-weld { stroke: #8a9aab; stroke-width: 5; fill: none; }
  .t-cut { stroke: #d1495b; stroke-width: 2; stroke-dasharray: 6 4; fill: none; }
  .t-joint { fill: #f6b73c; stroke: #33475b; stroke-width: 2; }
  .t-body { fill: #eef3f8; stroke: #33475b; stroke-width: 1.5; }
  .t-ground { fill: #33475b; }
  text.t-name, text.t-label, text.t-title, text.t-about { font: 13px sans-serif; fill: #33475b; stroke: none; }
  text.t-label { font-size: 12px; fill: #5b6f83; }
  .t-ground + text.t-name { fill: #ffffff; }
  text.t-title { font-size: 18px; font-weight: bold; }
  text.t-about { fill: #5b6f83; }
</style>
)";

}  // namespace

std::string model_picture(const Model& model, const Kinematics* kinematics) {
  const TreeLayout layout = arrange(model);
  const bool has_loops = std::ranges::any_of(
      model.joints(), [](const auto& joint) { return joint.role == NamedJoint::Role::loop; });
  double width = std::max(layout.width, 420.0);
  double height = layout.height + (has_loops ? 0.12 * layout.width + 60 : 0);
  std::string figure;
  if (kinematics != nullptr) {
    const StickFigureOptions options;
    height = std::max(height, title + options.height);
    figure = stick_figure(model, *kinematics, options);
    figure.insert(std::string_view("<svg").size(),
                  fmt::format(" x=\"{:.0f}\" y=\"{:.0f}\"", width,
                              title + (height - title - options.height) / 2));
    width += options.width;
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\">\n<title>{2}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{3}"
      "{5}"
      "<text class=\"t-title\" x=\"{6}\" y=\"32\">{2}</text>\n"
      "<text class=\"t-about\" x=\"{6}\" y=\"52\">{4}, nq {7}, nv {8}</text>\n{9}</svg>\n",
      width, height, svg_text(shortened(model.name(), 60)), figure, topology_class(model),
      style_sheet, margin, model.nq(), model.nv(), Drawing(model, layout).draw());
}

}  // namespace trammel
