#include "trammel/read/urdf/loops.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/read/urdf/parts.hpp"

namespace trammel::urdf {

namespace {

JointKind read_type(const Element& loop) {
  if (!loop.has("type")) return JointKind::revolute;  // reported before, when checked
  const std::string type = loop.text("type");
  const std::vector<JointType> types = joint_types(&JointTraits::urdf_loop);
  const auto found = std::ranges::find(types, type, &JointType::name);
  if (found != types.end()) return found->kind;
  std::vector<std::string> names;
  for (const JointType& known : types) names.push_back(known.name);
  const std::optional<std::string> meant = suggest(type, names);
  loop.report().error(
      loop.place("type"),
      fmt::format("{} has type '{}', which no loop can have", loop.title(), shortened(type)),
      meant ? fmt::format("did you mean '{}'?", *meant)
            : "it is revolute, continuous, prismatic, fixed, planar or spherical");
  return JointKind::revolute;
}

// The link at one end, and the placement on it; an element is constructed once.
std::string read_end(const Element& owner, const std::string& which, const std::string& key,
                     ItemPlace& place, Placement* at = nullptr, const std::string& at_key = {}) {
  const auto end = owner.child(which);
  if (!end) return {};
  place.key(key, end->place("link"));
  if (at) *at = read_origin(*end, place, at_key);
  return end->text("link");
}

// The joint that carries each link, and the path from a link inward.
class Inward {
 public:
  explicit Inward(const Description& description) {
    for (const JointDescription& joint : description.joints)
      if (!joint.options.cut) joint_to_.emplace(joint.child, &joint);
    for (const BodyDescription& body : description.bodies) names_.push_back(body.name);
    names_.emplace_back("ground");
  }
  bool knows(const std::string& link) const {
    return std::ranges::find(names_, link) != names_.end();
  }
  const std::vector<std::string>& names() const { return names_; }
  // Joints from the link to ground.
  std::vector<const JointDescription*> way(std::string link) const {
    std::vector<const JointDescription*> joints;
    for (auto found = joint_to_.find(link);
         found != joint_to_.end() && joints.size() <= joint_to_.size();
         found = joint_to_.find(found->second->parent))
      joints.push_back(found->second);
    return joints;
  }

 private:
  std::unordered_map<std::string, const JointDescription*> joint_to_;
  std::vector<std::string> names_;
};

class CouplingMaker {
 public:
  CouplingMaker(const GivenCoupling& given, const Inward& inward, Report& report)
      : description_(given), inward_(inward), report_(report) {}

  std::optional<CouplingDescription> make() {
    for (const auto& [key, link] : {std::pair("predecessor", description_.predecessor),
                                    std::pair("successor", description_.successor)}) {
      if (link.empty()) return std::nullopt;  // reported before, when read
      if (!inward_.knows(link)) return complain_of_link(key, link);
    }
    auto there = inward_.way(description_.predecessor), back = inward_.way(description_.successor);
    while (!there.empty() && !back.empty() && there.back() == back.back())
      there.pop_back(), back.pop_back();
    CouplingDescription made{description_.name, {}, {}, description_.place};
    if (!add(there, description_.ratio, made) || !add(back, -1, made)) return std::nullopt;
    if (made.terms.empty())
      return complain(
          fmt::format("couples link '{}' to link '{}', and no joint that moves is "
                      "between them",
                      shortened(description_.predecessor), shortened(description_.successor)),
          "name links that move against each other");
    return made;
  }

 private:
  std::nullopt_t complain(const std::string& fact, const std::string& hint) {
    report_.error(description_.place.of("predecessor"),
                  fmt::format("coupling '{}' {}", shortened(description_.name), fact), hint);
    return std::nullopt;
  }
  std::nullopt_t complain_of_link(const char* key, const std::string& link) {
    const std::optional<std::string> meant = suggest(link, inward_.names());
    report_.error(description_.place.of(key),
                  fmt::format("coupling '{}' has {} '{}', but no link has that name",
                              shortened(description_.name), key, shortened(link)),
                  meant ? fmt::format("did you mean '{}'?", *meant) : "name one that is there");
    return std::nullopt;
  }
  // Reports an error and returns false if a joint of the path has more than one coordinate.
  bool add(const std::vector<const JointDescription*>& way, double factor,
           CouplingDescription& made) {
    for (const JointDescription* joint : way) {
      const int count = dofs(*joint);
      if (count == 0) continue;
      if (count > 1) {
        (void)complain(
            fmt::format("goes through joint '{}', which is {} and has {} degrees of freedom",
                        shortened(joint->name), to_string(joint->kind), count),
            "couple links that joints of one degree of freedom connect");
        return false;
      }
      made.terms.emplace_back(joint->name, factor);
    }
    return true;
  }

  const GivenCoupling& description_;
  const Inward& inward_;
  Report& report_;
};

}  // namespace

JointDescription read_loop(const Element& loop) {
  const std::size_t errors = loop.report().errors();
  JointDescription joint;
  joint.place = loop.place();
  joint.name = loop.text("name");
  joint.kind = read_type(loop);
  joint.options.cut = true;
  joint.options.axis = {1.0, 0.0, 0.0};  // the default of URDF
  JointOptions& options = joint.options;
  joint.parent = read_end(loop, "predecessor", "parent", joint.place, &options.at, "at");
  joint.child = read_end(loop, "successor", "child", joint.place, &options.child_at, "child_at");
  if (const auto axis = loop.child("axis")) {
    joint.options.axis = axis->three("xyz", {1, 0, 0});
    joint.place.key("axis", axis->place("xyz"));
  }
  joint.place.has_mistakes = loop.report().errors() > errors || !loop.has_child("predecessor") ||
                             !loop.has_child("successor");
  return joint;
}

GivenCoupling read_coupling(const Element& coupling) {
  GivenCoupling given;
  given.name = coupling.text("name");
  given.place = coupling.place();
  given.predecessor = read_end(coupling, "predecessor", "predecessor", given.place);
  given.successor = read_end(coupling, "successor", "successor", given.place);
  if (const auto ratio = coupling.child("ratio")) {
    given.ratio = ratio->number("value", 1);
    given.place.key("terms", ratio->place("value"));
  }
  return given;
}

void add_couplings(const std::vector<GivenCoupling>& couplings, Description& description,
                   Report& report) {
  const Inward inward(description);
  for (const GivenCoupling& given : couplings)
    if (auto made = CouplingMaker(given, inward, report).make())
      description.couplings.push_back(std::move(*made));
}

}  // namespace trammel::urdf
