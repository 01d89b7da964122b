#include "named_values.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "numbers.hpp"
#include "quantities.hpp"
#include "terminal.hpp"
#include "trammel/base/suggest.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"
#include "trammel/model/column_name.hpp"
#include "trammel/model/units.hpp"

namespace trammel::cli {

std::string entry_name(const Model& model, Space space, int k) {
  return space == Space::coordinates ? model.coordinate_name(k) : model.dof_name(k);
}

std::string with_label(const Model& model, Space space, const std::string& name) {
  return trammel::with_label(name, model.description(), space == Space::coordinates);
}

Slots find(const Model& model, Space space, const std::string& given, std::string_view option) {
  const std::string name = with_label(model, space, given);
  std::vector<std::string> known;
  if (const auto id = model.find_joint(name)) {
    const NamedJoint& joint = model[*id];
    if (joint.role == NamedJoint::Role::tree)
      return space == Space::coordinates ? Slots{joint.q_start, joint.nq}
                                         : Slots{joint.v_start, joint.nv};
    const bool is_fixed = joint.role == NamedJoint::Role::fixed;
    throw UsageError(fmt::format("option {} names joint '{}', which {}", option, name,
                                 is_fixed ? "is fixed" : "closes a loop"),
                     is_fixed ? "it has no coordinates" : "its coordinates follow from the others");
  }
  const int count = space == Space::coordinates ? model.nq() : model.nv();
  for (int k = 0; k < count; ++k) {
    known.push_back(entry_name(model, space, k));
    if (known.back() == name) return {k, 1};
  }
  const auto near = suggest(name, known);
  throw UsageError(
      fmt::format("option {} names '{}', but no joint has that name", option, name),
      near ? fmt::format("did you mean '{}'?", *near) : "trammel info MODEL lists the joints");
}

Dimension dimension_of(const std::string& unit) {
  return unit == "1" ? dimension::none : std::get<Unit>(parse_unit(unit)).dimension;
}

std::vector<std::string> put_loops(const Model& model, Space space,
                                   const std::vector<std::string>& given, std::string_view option,
                                   const std::vector<std::string>& units,
                                   std::vector<double>& loop_values) {
  const bool is_position = space == Space::coordinates;
  // positions are given for whole joints only: one coordinate of a multi-dof joint is no position
  const std::vector<std::string> names =
      is_position ? std::vector<std::string>() : loop_dof_names(model);
  std::vector<std::string> rest;
  for (const auto& [given_name, texts] : named_texts(given)) {
    const std::string name = with_label(model, space, given_name);
    const auto id = model.find_joint(name);
    const int closure = id ? model.closure_of(*id) : -1;
    int start = int(std::ranges::find(names, name) - names.begin()), count = 1;
    if (closure >= 0) {
      const Closure& joint = model.closures()[std::size_t(closure)];
      start = is_position ? joint.q_start : joint.v_start;
      count = is_position ? std::visit([](const auto& j) { return int(j.nq()); }, joint.joint)
                          : dof_count(joint.joint);
    } else if (name.empty() || start == int(names.size())) {
      rest.push_back((name.empty() ? "" : name + "=") + fmt::format("{}", fmt::join(texts, ",")));
      continue;
    }
    if (int(texts.size()) != count)
      throw UsageError(fmt::format("option {} has {} {}, '{}' has {}", option, texts.size(),
                                   texts.size() == 1 ? "number" : "numbers", name, count),
                       "separate them by commas");
    for (int k = 0; k < count; ++k)
      loop_values[std::size_t(start + k)] =
          number(texts[std::size_t(k)], option, dimension_of(units[std::size_t(start + k)]));
  }
  return rest;
}

std::vector<LoopValues> loop_values(const Model& model, Space space,
                                    const std::vector<std::string>& given,
                                    std::string_view option) {
  const bool is_position = space == Space::coordinates;
  const std::vector<std::string> units =
      is_position ? loop_position_units(model) : loop_velocity_units(model);
  std::vector<LoopValues> all;
  for (const auto& [name, texts] : named_texts(given)) {
    const auto id = model.find_joint(name);
    const int closure = id ? model.closure_of(*id) : -1;
    if (closure < 0) continue;
    const Closure& joint = model.closures()[std::size_t(closure)];
    LoopValues values{.closure = closure};
    for (std::size_t k = 0; k < texts.size(); ++k)
      values.values.push_back(number(
          texts[k], option,
          dimension_of(units[std::size_t(is_position ? joint.q_start : joint.v_start) + k])));
    all.push_back(std::move(values));
  }
  return all;
}

void put(const Model& model, Space space, const std::vector<std::string>& given,
         std::string_view option, const std::vector<std::string>& units,
         std::vector<double>& values) {
  for (const auto& [name, texts] : named_texts(given)) {
    const Slots slots =
        name.empty() ? Slots{0, int(values.size())} : find(model, space, name, option);
    if (int(texts.size()) != slots.count)
      throw UsageError(fmt::format("option {} has {} {}, {}", option, texts.size(),
                                   texts.size() == 1 ? "number" : "numbers",
                                   !name.empty() ? fmt::format("'{}' has {}", name, slots.count)
                                   : space == Space::coordinates
                                       ? fmt::format("the model has nq = {}", slots.count)
                                       : fmt::format("the model has nv = {}", slots.count)),
                       name.empty() ? "give them all, or name those you give: joint=value"
                                    : "separate them by commas");
    for (int k = 0; k < slots.count; ++k)
      values[std::size_t(slots.start + k)] =
          number(texts[std::size_t(k)], option, dimension_of(units[std::size_t(slots.start + k)]));
  }
}

void normalize_quaternions(const Model& model, std::vector<double>& q) {
  for (const int start : model.quaternion_starts()) {
    double* const w = q.data() + start;
    const double length = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
    if (std::abs(length - 1) > 1e-2) continue;  // the evaluation reports it
    for (int k = 0; k < 4; ++k) w[k] /= length;
  }
}

}  // namespace trammel::cli
