#include "trammel/read/toml/synonyms.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace trammel::toml {

namespace {

// `key` is in the table whose hint this is; several words mean the same.
struct KeySynonym {
  std::string_view words;  // with a bar before and after each
  std::string_view key, example;
  std::span<const Key> only_in = {};  // empty: in every table with the key
};
constexpr KeySynonym key_synonyms[] = {
    {"|origin|pose|offset|", "at", "at = { xyz = [0, 0, 1] }"},
    {"|child_origin|child_pose|child_offset|", "child_at", "child_at = { xyz = [0, 0, 1] }"},
    {"|xyz|pos|position|translation|rpy|euler|quat|quaternion|axis_angle|orientation|", "at",
     "at = { xyz = [0, 0, 1], rpy = [0, 0, \"90 deg\"] }"},
    {"|quat|orientation|", "quaternion", "quaternion = [1, 0, 0, 0]"},
    {"|pos|position|translation|", "xyz", "xyz = [0, 0, 1]"},
    {"|euler|", "rpy", "rpy = [0, 0, \"90 deg\"]"},
    {"|stiffness|damping|rest|springref|", "spring", "spring = { stiffness = 5, damping = 0.1 }",
     keys::joint},
    {"|frictionloss|", "friction", "friction = { effort = 0.2 }", keys::joint},
    {"|lower|upper|range|min|max|", "limits", "limits = { position = [-1, 1] }"},
    {"|lower|upper|range|min|max|", "position", "position = [-1, 1]", keys::joint_limits},
    {"|diaginertia|fullinertia|inertial|", "inertia", "inertia = [0.1, 0.1, 0.1]"},
    {"|visual|geometry|geom|", "shape", "shape = { box = [0.3, 0.02, 0.02] }"},
    {"|tyre|tire|tyres|tires|wheels|", "wheel", "[wheel.left]"},
    {"|link|links|bodies|", "body", "[body.arm]"},
    {"|joints|hinge|", "joint", "[joint.elbow]"},
    {"|site|sites|frames|marker|", "frame", "[frame.tip]"},
    {"|actuator|actuators|motors|", "motor", "[motor.drive]"},
    {"|start|initial|init|keyframe|", "state", "[state.position]", keys::model},
    {"|simulation|options|option|", "run", "[run]", keys::model},
};

struct ChoiceSynonym {
  std::string_view words;
  std::string_view choice;
};
constexpr ChoiceSynonym choice_synonyms[] = {
    {"|hinge|continuous|pin|rotary|", "revolute"},
    {"|slider|slide|linear|translational|", "prismatic"},
    {"|ball|ball-joint|", "spherical"},
    {"|floating|freejoint|6dof|", "free"},
    {"|weld|rigid|", "fixed"},
    {"|hooke|cardan|universal-joint|", "universal"},
    {"|helical|", "screw"},
    {"|position|velocity|prescribed|", "motion"},
    {"|effort|force|motor|", "torque"},
    {"|tyre|tire|standard|disk|", "conventional"},
    {"|mecanum|swedish|", "omni"},
    {"|sphere|ball-wheel|", "ball"},
    {"|skate|knife|blade|", "knife-edge"},
    {"|connect|ball|point-joint|", "point"},
    {"|rod|rope|", "distance"},
    {"|fixed|rigid|", "weld"},
};

bool has_word(std::string_view words, std::string_view word) {
  return word.find('|') == word.npos && words.find(fmt::format("|{}|", word)) != words.npos;
}

// Whether `at` is a placement in a table of these keys, not a point, a name or a time.
bool has_placement(std::span<const Key> keys) {
  return std::ranges::none_of(keys, [](const Key& key) {
    return key.name == "stiffness" || key.name == "force" || key.name == "when" || key.name == "to";
  });
}

}  // namespace

std::optional<std::string> hint_for_key(std::string_view word, std::span<const Key> keys) {
  for (const KeySynonym& synonym : key_synonyms) {
    if (!has_word(synonym.words, word)) continue;
    if (!synonym.only_in.empty() && synonym.only_in.data() != keys.data()) continue;
    if (std::ranges::find(keys, synonym.key, &Key::name) == keys.end()) continue;
    if (synonym.key == "at" && !has_placement(keys)) continue;
    return fmt::format("here it is '{}', as in {}", synonym.key, synonym.example);
  }
  return std::nullopt;
}

std::optional<std::string> choice_meant_by(std::string_view word,
                                           std::span<const std::string> known) {
  for (const ChoiceSynonym& synonym : choice_synonyms)
    if (has_word(synonym.words, word) && std::ranges::find(known, synonym.choice) != known.end())
      return std::string(synonym.choice);
  return std::nullopt;
}

}  // namespace trammel::toml
