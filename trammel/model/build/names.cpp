#include "trammel/model/build/names.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/model/description/joint_labels.hpp"

namespace trammel {

namespace {

// Names that other tools have for the fixed body.
bool is_word_for_ground(std::string_view name) {
  return name == "world" || name == "World" || name == "earth" || name == "inertial" ||
         name == "fixed" || name == "origin" || name == "map" || name == "floor";
}

class NameResolver {
 public:
  NameResolver(const Description& description, Diagnostics& diagnostics)
      : description_(description), diagnostics_(diagnostics) {}

  ResolvedNames resolve() {
    enter_bodies();
    check_own_names("joint", description_.joints);
    check_own_names("frame", description_.frames);
    check_own_names("wheel", description_.wheels);
    check_own_names("terrain", description_.terrains);
    check_own_names("coupling", description_.couplings);
    check_own_names("constraint", description_.constraints);
    each_force_element_list(description_, [this]<class Element>(const std::vector<Element>& list) {
      check_own_names(Element::kind, list);
    });
    check_own_names("motor", description_.motors);
    check_own_names("input", description_.inputs);
    check_own_names("wrench", description_.wrenches);
    check_own_names("controller", description_.controllers);
    check_own_names("event", description_.events);
    for (const JointDescription& joint : description_.joints) resolve_ends(joint);
    for (const FrameDescription& frame : description_.frames)
      names_.frames.push_back(find_body(frame.body, "frame", frame, {"body", "is on"}));
    check_references();
    return std::move(names_);
  }

 private:
  void enter_bodies() {
    bodies_.reserve(description_.bodies.size() + 1);
    bodies_.emplace("ground", 0);
    for (std::size_t k = 0; k < description_.bodies.size(); ++k) {
      const auto& [name, solid, place, shapes] = description_.bodies[k];
      const bool is_new = !name.empty() && bodies_.emplace(name, int(k) + 1).second;
      if (is_new) continue;
      names_.doubtful.push_back(int(k) + 1);
      if (name == "ground")
        diagnostics_.error(place, "body 'ground' is always there and cannot be defined again",
                           "give this body another name; a fixed joint can hold it to ground");
      else
        report_own_name("body", name, place);
    }
  }

  template <class Item>
  void check_own_names(std::string_view kind, const std::vector<Item>& items) {
    std::unordered_set<std::string_view> seen;
    seen.reserve(items.size());
    for (const Item& item : items)
      if (item.name.empty() || !seen.insert(item.name).second)
        report_own_name(kind, item.name, item.place);
  }
  void report_own_name(std::string_view kind, std::string_view name, const Place& place) {
    if (name.empty())
      diagnostics_.error(place, fmt::format("a {} has no name", kind), "give it one");
    else
      diagnostics_.error(place, fmt::format("a second {} is named '{}'", kind, name),
                         "give one of the two another name");
  }

  void resolve_ends(const JointDescription& joint) {
    const ResolvedNames::Ends ends{
        find_body(joint.parent, "joint", joint, {"parent", "has parent"}),
        find_body(joint.child, "joint", joint, {"child", "has child"})};
    names_.joints.push_back(ends);
    if (ends.are_sound()) return;
    if (ends.parent == ends.child && ends.parent != unknown)
      diagnostics_.error(
          joint.place.of("child"),
          fmt::format("joint '{}' joins body '{}' to itself", joint.name, joint.child),
          "its parent and its child are two different bodies");
    for (const int body : {ends.parent, ends.child})
      if (body != unknown) names_.doubtful.push_back(body);
  }

  // as in: joint 'elbow' has child 'forearm'
  struct Relation {
    std::string_view key, words;
    std::string_view noun = key;
  };
  template <class Item>
  int find_body(const std::string& name, std::string_view kind, const Item& item,
                const Relation& relation) {
    if (const auto found = bodies_.find(name); found != bodies_.end()) return found->second;
    if (known_bodies_.empty()) {
      known_bodies_.push_back("ground");
      for (const BodyDescription& body : description_.bodies)
        if (!body.name.empty()) known_bodies_.push_back(body.name);
    }
    const auto meant = report(name, kind, item, relation, "body", known_bodies_);
    if (meant) names_.doubtful.push_back(bodies_.at(*meant));
    return unknown;
  }

  // all other references: of wheels, couplings, constraints, springs, inputs, initial values, and
  // more
  void check_references() {
    Known joints("joint", [&](auto& names) { add_names(description_.joints, names); });
    const auto add_places = [&](auto& names) {
      add_names(description_.frames, names);
      add_names(description_.bodies, names);
      names.push_back("ground");
    };
    Known places("frame or body", add_places);
    Known floors("frame, body or terrain", [&](auto& names) {
      add_places(names);
      add_names(description_.terrains, names);
    });
    for (const WheelDescription& wheel : description_.wheels) {
      find_body(wheel.body, "wheel", wheel, {"body", "is on"});
      expect(floors, wheel.on, "wheel", wheel, {"on", "rolls on", "floor to roll on"});
    }
    for (const TerrainDescription& terrain : description_.terrains) {
      expect(places, terrain.on, "terrain", terrain, {"on", "lies on"});
      if (places.has(terrain.name))
        diagnostics_.error(
            terrain.place,
            fmt::format("a terrain and a frame or body are named '{}'", terrain.name),
            "give one of the two another name: wheels roll on either");
    }
    for (const WrenchDescription& wrench : description_.wrenches)
      expect(places, wrench.at, "wrench", wrench, {"at", "acts at"});
    for (const ContactDescription& contact : description_.contacts) {
      find_body(contact.body, "contact", contact, {"body", "is on"});
      expect(places, contact.on, "contact", contact, {"on", "touches", "floor to touch"});
    }
    for (const CouplingDescription& coupling : description_.couplings)
      for (const auto& [joint, factor] : coupling.terms)
        expect(joints, coordinate_named(joint, description_).joint, "coupling", coupling,
               {"terms", "couples", "joint in one of its terms"});
    for (const ConstraintDescription& constraint : description_.constraints)
      for (const std::string& frame : {constraint.frame, constraint.other_frame})
        expect(places, frame, "constraint", constraint, {"between", "holds", "frame at one end"});
    each_force_element_list(description_, [&]<class Element>(const std::vector<Element>& list) {
      if constexpr (!std::same_as<Element, ContactDescription>)
        for (const Element& element : list)
          for (const std::string& frame : {element.frame, element.other_frame})
            expect(places, frame, Element::kind, element,
                   {"between", Element::acts, "frame at one end"});
    });
    for (const InputDescription& input : description_.inputs)
      expect(joints, input.joint, "input", input, {"joint", "drives"});
    for (const MotorDescription& motor : description_.motors)
      expect(joints, motor.joint, "motor", motor, {"joint", "turns"});
    for (const ControllerDescription& controller : description_.controllers)
      expect(joints, coordinate_named(controller.joint, description_).joint, "controller",
             controller, {"joint", "holds"});
    Known constraints("constraint",
                      [&](auto& names) { add_names(description_.constraints, names); });
    for (const EventDescription& event : description_.events) {
      // a name with a dot may be a column of a recording, which only the run knows
      const std::string joint = coordinate_named(event.joint, description_).joint;
      if (!event.time && joint.find('.') == joint.npos)
        expect(joints, joint, "event", event, {"when", "waits for", "joint"});
      for (const auto& [key, words, names] : {std::tuple("lock", "locks", &event.lock),
                                              std::tuple("unlock", "unlocks", &event.unlock)})
        for (const std::string& name : *names) expect(joints, name, "event", event, {key, words});
      for (const std::string& name : event.unlock) expect_not_fixed(name, event);
      for (const auto& [key, words, names] : {std::tuple("grasp", "grasps with", &event.grasp),
                                              std::tuple("release", "releases", &event.release)})
        for (const std::string& name : *names)
          expect(constraints, name, "event", event, {key, words});
    }
    for (const StartDescription& start : description_.start_positions)
      expect_start(joints, start, "position");
    for (const StartDescription& start : description_.start_velocities)
      expect_start(joints, start, "velocity");
    for (const StartDescription& start : description_.position_guesses)
      expect_start(joints, start, "guess");
    for (const StartDescription& start : description_.velocity_guesses)
      expect_start(joints, start, "velocity guess");
  }

  // Names that a reference may mean; listed at the first reference, since most models have few.
  class Known {
   public:
    using Names = std::vector<std::string_view>;  // of the description
    Known(std::string_view what, std::function<void(Names&)> list)
        : what_(what), list_(std::move(list)) {}

    std::string_view what() const { return what_; }
    bool has(std::string_view name) {
      if (set_.empty()) {
        list_(names_);
        set_.insert(names_.begin(), names_.end());
      }
      return set_.contains(name);
    }
    std::vector<std::string> names() const { return {names_.begin(), names_.end()}; }

   private:
    std::string_view what_;
    std::function<void(Names&)> list_;
    Names names_;
    std::unordered_set<std::string_view> set_;
  };
  template <class Item>
  static void add_names(const std::vector<Item>& items, std::vector<std::string_view>& names) {
    for (const Item& item : items) names.push_back(item.name);
  }
  template <class Item>
  void expect(Known& known, const std::string& name, std::string_view kind, const Item& item,
              const Relation& relation) {
    if (!known.has(name)) report(name, kind, item, relation, known.what(), known.names());
  }
  // A fixed joint is part of a rigid body: it has no coordinates that an event could unlock.
  void expect_not_fixed(const std::string& name, const EventDescription& event) {
    const auto joint = std::ranges::find(description_.joints, name, &JointDescription::name);
    if (joint == description_.joints.end() || joint->kind != JointKind::fixed) return;
    diagnostics_.error(
        event.place.of("unlock"),
        fmt::format("event '{}' unlocks '{}', but a fixed joint has nothing to unlock", event.name,
                    name),
        "give the joint the type it has when unlocked and drive = \"locked\", or hold the body by "
        "a constraint of type \"weld\" and release that");
  }
  void expect_start(Known& joints, const StartDescription& start, std::string_view what) {
    if (joints.has(start.joint) || start.place.has_mistakes) return;
    const std::optional<std::string> meant = suggest(start.joint, joints.names());
    diagnostics_.error(
        start.place,
        fmt::format("the start {} is of joint '{}', but no joint has that name", what, start.joint),
        meant ? fmt::format("did you mean '{}'?", *meant) : "name one that is there");
  }

  // Reports that the name is missing or unknown; returns a similar known name, if there is one.
  template <class Item>
  std::optional<std::string> report(const std::string& name, std::string_view kind,
                                    const Item& item, const Relation& relation,
                                    std::string_view what, const std::vector<std::string>& known) {
    if (name.empty()) {
      if (!item.place.has_mistakes)
        diagnostics_.error(item.place,
                           fmt::format("{} '{}' has no {}", kind, item.name, relation.noun),
                           fmt::format("name a {} that is there", what));
      return std::nullopt;
    }
    const std::optional<std::string> meant = suggest(name, known);
    const bool means_ground =
        !meant && is_word_for_ground(name) && std::ranges::find(known, "ground") != known.end();
    diagnostics_.error(item.place.of(relation.key),
                       fmt::format("{} '{}' {} '{}', but no {} has that name", kind, item.name,
                                   relation.words, name, what),
                       means_ground ? "the fixed body is called 'ground'"
                       : meant
                           ? fmt::format("did you mean '{}'?", *meant)
                           : fmt::format("add a {} of that name, or name one that is there", what));
    return meant;
  }

  const Description& description_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string_view, int> bodies_;
  std::vector<std::string> known_bodies_;  // suggestions, made at the first wrong name
  ResolvedNames names_;
};

}  // namespace

ResolvedNames resolve_names(const Description& description, Diagnostics& diagnostics) {
  return NameResolver(description, diagnostics).resolve();
}

CoordinateName coordinate_named(const std::string& text, const Description& description) {
  const std::size_t dot = text.rfind('.');
  if (dot != std::string::npos) {
    const std::string owner = text.substr(0, dot);
    for (const JointDescription& joint : description.joints) {
      if (joint.name == text) return {text};
      if (joint.name != owner) continue;
      const int k = index_of_label(joint, std::string_view(text).substr(dot + 1));
      if (k >= 0) return {owner, k};
    }
  }
  const std::size_t bracket = text.rfind('[');
  if (bracket == std::string::npos || bracket == 0 || !text.ends_with(']')) return {text};
  const std::string_view inside = std::string_view(text).substr(bracket + 1);
  int k = 0;
  const auto [end, mistake] = std::from_chars(inside.begin(), inside.end() - 1, k);
  if (mistake != std::errc() || end != inside.end() - 1 || k < 0) return {text};
  return {text.substr(0, bracket), k};
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
    if (node.op != Op::symbol) continue;
    const std::string& symbol = description.graph.symbols()[std::size_t(node.operand[0])];
    if (seen.contains(symbol)) continue;
    const std::optional<std::string> meant = suggest(symbol, known);
    diagnostics.error(
        {}, fmt::format("a formula uses '{}', but no parameter has that name", symbol),
        meant ? fmt::format("did you mean '{}'?", *meant) : "add a parameter of that name");
  }
}

}  // namespace trammel
