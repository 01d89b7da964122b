// Connects the root of a URDF tree, which has no parent, to ground, and reports graphs that are not
// a tree.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "trammel/read/urdf/parts.hpp"

namespace trammel::urdf {

namespace {

// "'a', 'b' and 3 more"
std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k) {
    const bool is_last = k + 1 == names.size();
    text += fmt::format("{}'{}'", k == 0 ? "" : is_last ? " and " : ", ", shortened(names[k]));
  }
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

class Planting {
 public:
  Planting(Description& description, Base base, Report& report)
      : description_(description), base_(base), report_(report) {}

  void plant() {
    number_links();
    find_parents();
    std::vector<std::size_t> roots;
    for (std::size_t k = 0; k < links().size(); ++k)
      if (joint_to_[k] < 0) roots.push_back(k);
    // an unknown name makes its link a second root: report one error only
    if (are_names_sound_ && roots.size() > 1) report_roots(roots);
    if (are_names_sound_ && !has_two_parents_) find_circles(roots);
    hang(roots);
  }

  void close(std::vector<JointDescription> loops) {
    for (JointDescription& loop : loops) {
      for (std::string* end : {&loop.parent, &loop.child})
        if (*end == ground_link_) *end = "ground";
      description_.joints.push_back(std::move(loop));
    }
  }

 private:
  static constexpr int none = -1;
  std::vector<BodyDescription>& links() { return description_.bodies; }

  void number_links() {
    for (std::size_t k = 0; k < links().size(); ++k)
      if (links()[k].name.empty() || !number_.emplace(links()[k].name, int(k)).second)
        are_names_sound_ = false;
  }
  int link_named(const std::string& name) {
    const auto found = number_.find(name);
    if (found == number_.end()) are_names_sound_ = false;
    return found == number_.end() ? none : found->second;
  }

  void find_parents() {
    joint_to_.assign(links().size(), none);
    for (std::size_t k = 0; k < description_.joints.size(); ++k) {
      const JointDescription& joint = description_.joints[k];
      const int parent = link_named(joint.parent), child = link_named(joint.child);
      if (parent == child) are_names_sound_ = false;  // reported by build_model
      if (child == none) continue;
      int& joint_to = joint_to_[std::size_t(child)];
      if (joint_to == none) {
        joint_to = int(k);
        continue;
      }
      has_two_parents_ = true;
      report_.error(
          joint.place.of("child"),
          fmt::format("link '{}' is the child of joint '{}' and of joint '{}'", joint.child,
                      description_.joints[std::size_t(joint_to)].name, joint.name),
          "in URDF a link has one parent; close a loop with a <loop>");
    }
  }

  void report_roots(const std::vector<std::size_t>& roots) {
    std::vector<std::string> names;
    for (const std::size_t root : roots) names.push_back(links()[root].name);
    report_.error(
        links()[roots[1]].place,
        fmt::format("{} links are the child of no joint: {}", roots.size(), list_of(names)),
        "a robot has one root; join the others to it");
  }

  // Follows the parents of each link towards the root; a link visited twice by one walk is in a
  // circle.
  void find_circles(std::vector<std::size_t>& roots) {
    std::vector<std::size_t> passed_by(links().size(), 0);  // index of the walk, from 1
    for (std::size_t start = 0; start < links().size(); ++start) {
      const std::size_t walk = start + 1;
      std::size_t at = start;
      while (passed_by[at] == 0 && joint_to_[at] != none) {
        passed_by[at] = walk;
        at = parent_of(at);
      }
      if (joint_to_[at] == none || passed_by[at] != walk) continue;
      report_circle(at);
      roots.push_back(at);  // it counts as a root now
    }
  }
  std::size_t parent_of(std::size_t link) {
    return std::size_t(number_.at(description_.joints[std::size_t(joint_to_[link])].parent));
  }
  void report_circle(std::size_t start) {
    std::vector<std::string> names;
    std::size_t at = start;
    do {
      names.push_back(description_.joints[std::size_t(joint_to_[at])].name);
      at = parent_of(at);
    } while (at != start);
    std::ranges::reverse(names);
    report_.error(description_.joints[std::size_t(joint_to_[start])].place,
                  fmt::format("joints go round in a circle: {}", list_of(names)),
                  "in URDF they are a tree; close a loop with a <loop>");
  }

  void hang(const std::vector<std::size_t>& roots) {
    std::vector<JointDescription> bases;
    std::unordered_set<std::string> joints;
    for (const JointDescription& joint : description_.joints) joints.insert(joint.name);
    std::vector<bool> is_ground(links().size(), false);
    for (const std::size_t root : roots) {
      const BodyDescription& link = links()[root];
      if (link.name.empty()) continue;  // reported by build_model
      if (link.name == "world" || link.name == "ground") {
        is_ground[root] = true;
        continue;
      }
      JointDescription joint;
      joint.name = link.name + "_base";
      while (!joints.insert(joint.name).second) joint.name += "_";
      joint.kind = base_ == Base::free ? JointKind::free : JointKind::fixed;
      joint.parent = "ground";
      joint.child = link.name;
      joint.place = Place(link.place);
      bases.push_back(std::move(joint));
    }
    for (std::size_t k = links().size(); k-- > 0;)
      if (is_ground[k]) make_ground(k);
    description_.joints.insert(description_.joints.begin(), bases.begin(), bases.end());
  }

  // The link is ground itself: its mass and shapes have no effect.
  void make_ground(std::size_t k) {
    const BodyDescription& link = links()[k];
    if (base_ == Base::free)
      report_.warning(link.place,
                      fmt::format("the root '{}' is ground, so the base stays fixed", link.name),
                      "take the link out, and the joint that hangs from it");
    const Place &item = link.place, &inertial = link.place.of("inertial");
    if (&inertial != &item)
      report_.warning(
          inertial, fmt::format("the root '{}' is ground: its <inertial> is not used", link.name));
    for (const Shape& shape : link.shapes)
      report_.warning(shape.place,
                      fmt::format("the root '{}' is ground: its {} is not kept", link.name,
                                  shape.is_collision ? "<collision>" : "<visual>"));
    for (JointDescription& joint : description_.joints)
      if (joint.parent == link.name) joint.parent = "ground";
    ground_link_ = link.name;
    links().erase(links().begin() + std::ptrdiff_t(k));
  }

  Description& description_;
  Base base_;
  Report& report_;
  std::unordered_map<std::string, int> number_;
  std::string ground_link_ = "ground";
  std::vector<int> joint_to_;  // for each link, the joint that carries it, or none
  bool are_names_sound_ = true, has_two_parents_ = false;
};

}  // namespace

std::optional<std::string> rename_ground_link(Description& description, Report& report) {
  const auto link = std::ranges::find(description.bodies, "ground", &BodyDescription::name);
  const auto joint = std::ranges::find(description.joints, "ground", &JointDescription::child);
  if (link == description.bodies.end() || joint == description.joints.end()) return std::nullopt;
  std::string name = "ground_link";
  while (std::ranges::find(description.bodies, name, &BodyDescription::name) !=
         description.bodies.end())
    name += "_";
  report.warning(link->place,
                 fmt::format("link 'ground' hangs from joint '{}', and 'ground' is what stands "
                             "still: it is called '{}' here",
                             shortened(joint->name), name),
                 "give it another name");
  for (BodyDescription& body : description.bodies)
    if (body.name == "ground") body.name = name;
  for (JointDescription& each : description.joints)
    for (std::string* end : {&each.parent, &each.child})
      if (*end == "ground") *end = name;
  return name;
}

void plant_tree(Description& description, std::vector<JointDescription> loops, Base base,
                Report& report) {
  Planting planting(description, base, report);
  planting.plant();
  planting.close(std::move(loops));
}

}  // namespace trammel::urdf
