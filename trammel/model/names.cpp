#include "trammel/model/names.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/model/description_numbers.hpp"

namespace trammel {

namespace {

class NameResolver {
 public:
  NameResolver(const Description& description, Diagnostics& diagnostics)
      : description_(description), diagnostics_(diagnostics) {}

  ResolvedNames resolve() {
    enter_bodies();
    check_own_names("joint", description_.joints);
    check_own_names("frame", description_.frames);
    check_own_names("wheel", description_.wheels);
    check_own_names("coupling", description_.couplings);
    check_own_names("constraint", description_.constraints);
    check_own_names("spring", description_.springs);
    for (const JointDescription& joint : description_.joints) resolve_ends(joint);
    for (const FrameDescription& frame : description_.frames)
      names_.frames.push_back(find_body(frame.body, "frame", frame, "is on"));
    return std::move(names_);
  }

 private:
  void enter_bodies() {
    bodies_.emplace("ground", 0);
    for (std::size_t k = 0; k < description_.bodies.size(); ++k) {
      const auto& [name, solid, place] = description_.bodies[k];
      const bool is_new = !name.empty() && bodies_.emplace(name, int(k) + 1).second;
      if (is_new) continue;
      names_.doubtful.push_back(int(k) + 1);
      if (name == "ground")
        diagnostics_.error(place, "body 'ground' is always there and cannot be said again",
                           "give this body another name; a fixed joint can hold it to ground");
      else
        report_own_name("body", name, place);
    }
  }

  template <class Item>
  void check_own_names(std::string_view kind, const std::vector<Item>& items) {
    std::unordered_map<std::string_view, int> seen;
    for (const Item& item : items)
      if (item.name.empty() || ++seen[item.name] > 1) report_own_name(kind, item.name, item.place);
  }
  void report_own_name(std::string_view kind, std::string_view name, const Place& place) {
    if (name.empty())
      diagnostics_.error(place, fmt::format("a {} has no name", kind), "give it one");
    else
      diagnostics_.error(place, fmt::format("a second {} is named '{}'", kind, name),
                         "give one of the two another name");
  }

  void resolve_ends(const JointDescription& joint) {
    const ResolvedNames::Ends ends{find_body(joint.parent, "joint", joint, "has parent"),
                                   find_body(joint.child, "joint", joint, "has child")};
    names_.joints.push_back(ends);
    if (ends.are_sound()) return;
    if (ends.parent == ends.child && ends.parent != unknown)
      diagnostics_.error(
          joint.place, fmt::format("joint '{}' joins body '{}' to itself", joint.name, joint.child),
          "its parent and its child are two different bodies");
    for (const int body : {ends.parent, ends.child})
      if (body != unknown) names_.doubtful.push_back(body);
  }

  // as in: joint 'elbow' has child 'forearm'
  template <class Item>
  int find_body(const std::string& name, std::string_view kind, const Item& item,
                std::string_view relation) {
    if (const auto found = bodies_.find(name); found != bodies_.end()) return found->second;
    if (known_.empty()) {
      known_.push_back("ground");
      for (const BodyDescription& body : description_.bodies)
        if (!body.name.empty()) known_.push_back(body.name);
    }
    const std::optional<std::string> meant = suggest(name, known_);
    if (meant) names_.doubtful.push_back(bodies_.at(*meant));
    diagnostics_.error(
        item.place,
        fmt::format("{} '{}' {} '{}', but no body has that name", kind, item.name, relation, name),
        meant ? fmt::format("did you mean '{}'?", *meant)
              : "add a body of that name, or name one that is there");
    return unknown;
  }

  const Description& description_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string_view, int> bodies_;
  std::vector<std::string> known_;  // names to suggest, made when the first is wrong
  ResolvedNames names_;
};

}  // namespace

ResolvedNames resolve_names(const Description& description, Diagnostics& diagnostics) {
  return NameResolver(description, diagnostics).resolve();
}

void check_parameter_names(const Description& description, Diagnostics& diagnostics) {
  std::unordered_map<std::string_view, int> seen;
  std::vector<std::string> known;
  for (const auto& [name, value, place] : description.parameters) {
    known.push_back(name);
    if (name.empty())
      diagnostics.error(place, "a parameter has no name", "give it one");
    else if (++seen[name] > 1)
      diagnostics.error(place, fmt::format("a second parameter is named '{}'", name),
                        "give one of the two another name");
  }

  for (const int id : live_nodes(formulas(description))) {
    const Node& node = description.graph.nodes()[id];
    if (node.op != Op::letter) continue;
    const std::string& letter = description.graph.letters()[std::size_t(node.operand[0])];
    if (seen.contains(letter)) continue;
    const std::optional<std::string> meant = suggest(letter, known);
    diagnostics.error(
        {}, fmt::format("a formula uses '{}', but no parameter has that name", letter),
        meant ? fmt::format("did you mean '{}'?", *meant) : "add a parameter of that name");
  }
}

}  // namespace trammel
