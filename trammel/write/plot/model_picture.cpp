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

constexpr double row = 32, box = 24, margin = 28, letter_width = 7.2, top = 84;

// Rows of the tree, one below the other: each body under the body that carries it, indented; under
// it the loop joints that are cut, then its own outboard bodies.
struct TreeRow {
  std::size_t body = 0;
  int depth = 0;
  std::size_t inboard_row = 0;        // of the body that it is on
  const NamedJoint* joint = nullptr;  // inboard joint, or the cut joint; none for ground
  bool is_cut = false;
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

// Outward, depth first, with an explicit stack: a chain may be long.
std::vector<TreeRow> tree_rows(const Model& model) {
  const std::size_t n = model.named_bodies().size();
  std::vector<std::vector<const NamedJoint*>> outward(n), cut(n);
  for (const JointId id : model.outward_joints()) outward[inner(model[id])].push_back(&model[id]);
  for (const NamedJoint& joint : model.joints())
    if (joint.role == NamedJoint::Role::loop) cut[outer(joint)].push_back(&joint);
  std::vector<TreeRow> rows, stack{{}};
  while (!stack.empty()) {
    const TreeRow now = stack.back();
    stack.pop_back();
    const std::size_t own = rows.size();
    rows.push_back(now);
    for (const NamedJoint* joint : cut[now.body])
      rows.push_back({inner(*joint), now.depth + 1, own, joint, true});
    for (auto joint = outward[now.body].rbegin(); joint != outward[now.body].rend(); ++joint)
      stack.push_back({outer(**joint), now.depth + 1, own, *joint});
  }
  return rows;
}

class Drawing {
 public:
  explicit Drawing(const Model& model) : model_(model), rows_(tree_rows(model)) {
    int deepest = 1;
    for (const TreeRow& at : rows_) deepest = std::max(deepest, at.depth);
    indent_ = std::clamp(600.0 / deepest, 4.0, 34.0);
    for (std::size_t k = 0; k < rows_.size(); ++k)
      width_ = std::max(width_, x(k) + 24 + half_wide(k) * 2 + 12 + wide(label_of(rows_[k])));
  }

  double width() const { return width_ + margin; }
  double height() const { return top + row * double(rows_.size()) + margin; }

  std::string draw() {
    for (std::size_t k = rows_.size(); k-- > 1;) edge(k);
    for (std::size_t k = 0; k < rows_.size(); ++k)
      if (!rows_[k].is_cut) body(k);
    return std::move(svg_);
  }

 private:
  template <class... Values> void add(fmt::format_string<Values...> text, Values&&... values) {
    fmt::format_to(std::back_inserter(svg_), text, std::forward<Values>(values)...);
  }
  double x(std::size_t k) const { return margin + indent_ * rows_[k].depth; }  // of the box
  static double y(std::size_t k) { return top + row * double(k); }
  std::string name(std::size_t k) const {
    return shortened(model_.named_bodies()[rows_[k].body].name, 24);
  }
  double half_wide(std::size_t k) const { return rows_[k].is_cut ? 0 : wide(name(k)) / 2 + 12; }
  std::string label_of(const TreeRow& at) const {
    if (at.joint == nullptr) return "";
    if (!at.is_cut) return label(*at.joint);
    return fmt::format("{}, cut: on {}", label(*at.joint),
                       shortened(model_.named_bodies()[at.body].name, 24));
  }

  // down from the box of the inboard body, then to the right
  void edge(std::size_t k) {
    const TreeRow& at = rows_[k];
    const bool is_fixed = at.joint->role == NamedJoint::Role::fixed;
    const double from = x(at.inboard_row) + 0.5 * indent_, sign = x(k) + 4;
    add("<path class=\"{}\" d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\"/>\n",
        at.is_cut  ? "t-cut"
        : is_fixed ? "t-weld"
                   : "t-edge",
        from, y(at.inboard_row) + box / 2, y(k), x(k) + (at.is_cut ? 10 : 22));
    if (at.joint->kind == JointKind::prismatic)
      add("<rect class=\"t-joint\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" "
          "rx=\"2\"/>\n",
          sign, y(k) - 6);
    else if (!is_fixed)
      add("<circle class=\"t-joint\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>\n", sign + 6, y(k),
          at.joint->nv > 1 ? 8 : 6);
    add("<text class=\"t-label\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        x(k) + 34 + 2 * half_wide(k), y(k) + 4, svg_text(label_of(at)));
  }

  void body(std::size_t k) {
    const double half = half_wide(k), left = k == 0 ? x(k) : x(k) + 22;
    add("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" rx=\"6\"/>\n",
        k == 0 ? "t-ground" : "t-body", left, y(k) - box / 2, 2 * half, box);
    add("<text class=\"t-name\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        left + half, y(k) + 4.5, svg_text(name(k)));
  }

  const Model& model_;
  std::vector<TreeRow> rows_;
  double indent_ = 34, width_ = 0;
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
  Drawing tree(model);
  double width = std::max(tree.width(), 420.0), height = tree.height();
  std::string figure;
  if (kinematics != nullptr) {
    const StickFigureOptions options{.colors = true};
    height = std::max(height, top + options.height);
    figure = stick_figure(model, *kinematics, options);
    figure.insert(std::string_view("<svg").size(),
                  fmt::format(" x=\"{:.0f}\" y=\"{:.0f}\"", width, top - box));
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
      style_sheet, margin, model.nq(), model.nv(), tree.draw());
}

}  // namespace trammel
