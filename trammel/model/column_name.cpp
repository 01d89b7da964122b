#include "trammel/model/column_name.hpp"

#include <algorithm>
#include <array>

#include "trammel/model/build/names.hpp"
#include "trammel/model/description/joint_labels.hpp"
#include "trammel/model/description/joint_table.hpp"

#include "trammel/model/build/names.hpp"
#include "trammel/model/description/joint_labels.hpp"
#include "trammel/model/description/joint_table.hpp"

namespace trammel {

namespace {

constexpr std::array<std::string_view, 12> groups{"q.",      "v.",       "a.",     "tau.",
                                                  "loop.q.", "loop.v.",  "frame.", "reaction.",
                                                  "wheel.",  "contact.", "pose.",  "distance."};

constexpr std::array<std::string_view, 6> of_all{"energy.", "momentum.", "com.",
                                                 "gap.",    "power.",    "condition."};

}  // namespace

std::string_view group_of_items(std::string_view column) {
  for (const std::string_view group : groups)
    if (column.starts_with(group)) return group;
  return {};
}

std::string with_prefix(std::string_view column_or_joint, std::string_view prefix) {
  std::string name(column_or_joint);
  if (std::ranges::any_of(of_all, [&](auto group) { return name.starts_with(group); })) return name;
  const std::string_view group = group_of_items(column_or_joint);
  name.insert(group.size(), prefix);
  // a distance column names two items
  const std::size_t other = group == "distance." ? name.find(':') : name.npos;
  if (other != name.npos) name.insert(other + 1, prefix);
  return name;
}

std::string with_label(std::string_view name, const Description& description, bool is_position) {
  if (!name.ends_with(']')) return std::string(name);
  const std::string_view group = group_of_items(name);
  const bool is_of_q = group.empty() ? is_position : group == "q." || group == "loop.q.";
  const auto [joint, k] = coordinate_named(std::string(name.substr(group.size())), description);
  const auto found = std::ranges::find(description.joints, joint, &JointDescription::name);
  if (found == description.joints.end() || k < 0 || dofs(*found) < 2 ||
      k >= (is_of_q ? coordinates(*found) : dofs(*found)))
    return std::string(name);
  const std::string label = is_of_q ? coordinate_label(*found, k) : dof_label(*found, k);
  return std::string(group) + name_with_label(joint, label);
}

}  // namespace trammel
