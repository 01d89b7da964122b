#include "model_facts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "quantities.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/model/units.hpp"
#include "trammel/write/model/topology.hpp"

namespace trammel::cli {

namespace {

using Row = std::vector<std::string>;

// Whether a table with these rows, the first of them its heading, is as long as text output has it.
bool is_full(const std::vector<Row>& rows) { return rows.size() > most_listed; }

// Columns as wide as their widest cell; the first row is the heading. `count`: number of all rows,
// of which only the first may be given.
std::string table(const std::vector<Row>& rows, std::size_t count) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const Row& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], width(row[k]));
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k)
      line += "  " + row[k] + std::string(widths[k] - width(row[k]), ' ');
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text + more_text(count);
}

// "3" or "3-5"
std::string span_text(int start, int count) {
  return count == 1 ? std::to_string(start) : fmt::format("{}-{}", start, start + count - 1);
}

// Limits of one joint; `start` is its first entry in the lists of units.
class LimitsText {
 public:
  LimitsText(const Model& model, const NumberFormat& format)
      : model_(model),
        format_(format),
        tree_{position_units(model), velocity_units(model), effort_units(model)},
        loops_{loop_position_units(model), loop_velocity_units(model), loop_effort_units(model)} {}

  std::string operator()(JointId id) const {
    const NamedJoint& joint = model_[id];
    const int closure = model_.closure_of(id);
    if (joint.role == NamedJoint::Role::fixed) return {};
    const bool is_loop = closure >= 0;
    const Units& units = is_loop ? loops_ : tree_;
    const int q = is_loop ? model_.closures()[std::size_t(closure)].q_start : joint.q_start;
    const int v = is_loop ? model_.closures()[std::size_t(closure)].v_start : joint.v_start;
    const BasicJointLimits<double>& limits = joint.limits;
    std::string text;
    const auto add = [&](std::string_view word, const std::string& part) {
      text += fmt::format("{}{}{}", text.empty() ? "" : "; ", word, part);
    };
    if (!limits.lower.empty() || !limits.upper.empty())
      add("", list(limits.lower, units.q, q) + " .. " + list(limits.upper, units.q, q));
    if (!limits.velocity.empty()) add("speed ", list(limits.velocity, units.v, v));
    if (!limits.effort.empty()) add("effort ", list(limits.effort, units.effort, v));
    return text;
  }

 private:
  struct Units {
    std::vector<std::string> q, v, effort;
  };
  std::string list(const std::vector<double>& values, const std::vector<std::string>& units,
                   int start) const {
    std::string out;
    for (std::size_t k = 0; k < values.size(); ++k)
      out += (out.empty() ? "" : ", ") + format_.text(values[k], units[std::size_t(start) + k]);
    return out;
  }

  const Model& model_;
  const NumberFormat& format_;
  Units tree_, loops_;
};

std::string joints_text(const Model& model, const NumberFormat& format) {
  std::vector<Row> rows{{"joint", "kind", "parent", "child", "q", "v", "drive", "limits"}};
  const LimitsText limits_text(model, format);
  for (std::size_t j = 0; j < model.joints().size() && !is_full(rows); ++j) {
    const NamedJoint& joint = model.joints()[j];
    const bool moves = joint.role == NamedJoint::Role::tree;
    rows.push_back({joint.name, to_string(joint.kind), model[joint.parent].name,
                    model[joint.child].name, moves ? span_text(joint.q_start, joint.nq) : "-",
                    moves ? span_text(joint.v_start, joint.nv) : "-", to_string(joint.drive),
                    limits_text(JointId(int(j)))});
  }
  return table(rows, model.joints().size());
}

std::string bodies_text(const Model& model, const NumberFormat& format) {
  std::vector<Row> rows{{"body", "mass [kg]", "hangs from"}};
  for (std::size_t k = 1; k < model.named_bodies().size() && !is_full(rows); ++k) {
    const NamedBody& body = model.named_bodies()[k];
    rows.push_back({body.name, format.text(model.inertia(BodyId(int(k))).mass),
                    body.inboard ? model[*body.inboard].name : "-"});
  }
  return table(rows, model.named_bodies().size() - 1);
}

std::string order_text(const Model& model) {
  std::vector<Row> rows{{"", "q", "unit", "", "v", "unit"}};
  const auto q_units = position_units(model), v_units = velocity_units(model);
  const int count = std::max(model.nq(), model.nv());
  for (int k = 0; k < count && !is_full(rows); ++k) {
    Row row(6);
    if (k < model.nq())
      row[0] = std::to_string(k), row[1] = model.coordinate_name(k),
      row[2] = q_units[std::size_t(k)];
    if (k < model.nv())
      row[3] = std::to_string(k), row[4] = model.dof_name(k), row[5] = v_units[std::size_t(k)];
    rows.push_back(row);
  }
  return table(rows, std::size_t(count));
}

// The spanning tree, one line per body with its inboard joint, indented by depth.
std::string tree_text(const Model& model) {
  std::vector<std::vector<JointId>> outward(model.named_bodies().size());
  for (const JointId id : model.outward_joints()) {
    const NamedJoint& joint = model[id];
    outward[std::size_t(index(joint.is_reversed ? joint.child : joint.parent))].push_back(id);
  }
  std::string text = "  ground\n";
  std::vector<std::pair<JointId, std::size_t>> stack;
  const auto push = [&](BodyId body, std::size_t depth) {
    const auto& next = outward[std::size_t(index(body))];
    for (auto id = next.rbegin(); id != next.rend(); ++id) stack.emplace_back(*id, depth);
  };
  push(ground, 2);
  std::size_t count = 0;
  while (!stack.empty() && count++ < most_listed) {
    const auto [id, depth] = stack.back();
    stack.pop_back();
    const NamedJoint& joint = model[id];
    const BodyId body = joint.is_reversed ? joint.parent : joint.child;
    // a long chain would leave the screen: indentation is limited
    text += fmt::format("{}{}  ({}, {})\n", std::string(std::min<std::size_t>(2 * depth, 60), ' '),
                        model[body].name, joint.name, to_string(joint.kind));
    push(body, depth + 1);
  }
  text += more_text(model.outward_joints().size());
  std::size_t cuts = 0;
  for (const NamedJoint& joint : model.joints())
    if (joint.role == NamedJoint::Role::loop && ++cuts <= most_listed)
      text += fmt::format("  cut: {} ({}) between {} and {}\n", joint.name, to_string(joint.kind),
                          model[joint.parent].name, model[joint.child].name);
  return text + more_text(cuts);
}

}  // namespace

std::string to_string(Drive drive) {
  switch (drive) {
    case Drive::torque: return "torque";
    case Drive::motion: return "motion";
    case Drive::locked: return "locked";
    case Drive::none: break;
  }
  return "none";
}

std::string to_string(NamedJoint::Role role) {
  switch (role) {
    case NamedJoint::Role::fixed: return "fixed";
    case NamedJoint::Role::loop: return "loop";
    case NamedJoint::Role::tree: break;
  }
  return "tree";
}

double total_mass(const Model& model) {
  double mass = 0;
  for (const Inertia<double>& inertia : model.numbers().own_inertia) mass += inertia.mass;
  return mass;
}

std::string statistics_text(const Model& model, const Structure& structure,
                            const NumberFormat& format, const Terminal& terminal) {
  const Vec3<double>& g = model.gravity();
  std::string text = fmt::format(
      "{}: {}\n  {}, {}, nq {}, nv {}\n  mass {} kg, gravity {}, {}, {} m/s^2\n",
      terminal.heading(model.name().empty() ? "(no name)" : model.name()), topology_class(model),
      counted(model.named_bodies().size() - 1, "body", "bodies"),
      counted(model.joints().size(), "joint", "joints"), model.nq(), model.nv(),
      format.text(total_mass(model)), format.text(g.x), format.text(g.y), format.text(g.z));
  const auto section = [&](const char* name, const std::string& body) {
    text += "\n" + terminal.heading(name) + "\n" + body;
  };
  section("tree", tree_text(model));
  section("topology", topology_text(model, structure));
  if (structure.mobility) section("mobility", mobility_text(structure));
  if (structure.actuation && model.nv() > 0)
    section("actuation", actuation_text(*structure.actuation));
  if (!structure.arms.empty()) section("arms", arms_text(structure.arms));
  section("bodies", bodies_text(model, format));
  section("joints", joints_text(model, format));
  if (model.nv() > 0) section("order of q and v", order_text(model));
  if (!model.frames().empty()) {
    std::vector<Row> rows{{"frame", "on body"}};
    for (const NamedFrame& frame : model.frames())
      if (!is_full(rows)) rows.push_back({frame.name, model[frame.body].name});
    section("frames", table(rows, model.frames().size()));
  }
  if (!model.parameters().empty()) {
    std::vector<Row> rows{{"parameter", "value"}};
    for (const auto& parameter : model.parameters())
      if (!is_full(rows)) rows.push_back({parameter.name, format.text(parameter.value)});
    section("parameters", table(rows, model.parameters().size()));
  }
  return text;
}

}  // namespace trammel::cli
