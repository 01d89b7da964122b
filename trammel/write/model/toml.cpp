#include "trammel/write/model/toml.hpp"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "trammel/write/model/toml/items.hpp"
#include "trammel/write/model/toml/text.hpp"

namespace trammel::toml {

namespace {

class Writer {
 public:
  explicit Writer(const Description& description)
      : description_(description), values_(description) {}

  std::string write() {
    write_items();
    const std::string first = header();
    return first + parameters() + out_;  // all definitions are known only now
  }

 private:
  void write_items() {
    for (const BodyDescription& body : description_.bodies)
      section("body", body.name, table_of(body, values_));
    for (const FrameDescription& each : description_.frames)
      section("frame", each.name, table_of(each, values_));
    for (const JointDescription& each : description_.joints)
      section("joint", each.name, table_of(each, values_));
    for (const WheelDescription& each : description_.wheels)
      section("wheel", each.name, table_of(each, values_));
    for (const auto& each : description_.terrains)
      section("terrain", each.name, table_of(each, values_));
    for (const auto& each : description_.couplings)
      section("coupling", each.name, table_of(each, values_));
    for (const auto& each : description_.constraints)
      section("constraint", each.name, table_of(each, values_));
    each_force_element_list(description_, [this]<class Element>(const std::vector<Element>& list) {
      for (const Element& each : list) section(Element::kind, each.name, table_of(each, values_));
    });
    for (const auto& each : description_.motors)
      section("motor", each.name, table_of(each, values_));
    section("state.position", positions_table(description_.start_positions, description_, values_));
    section("state.velocity", table_of(description_.start_velocities, values_));
    section("state.guess", positions_table(description_.position_guesses, description_, values_));
    section("state.velocity_guess", table_of(description_.velocity_guesses, values_));
    for (const InputDescription& each : description_.inputs)
      section("input", each.name, table_of(each, values_));
    for (const auto& each : description_.wrenches)
      section("wrench", each.name, table_of(each, values_));
    if (description_.ground_motion)
      section("ground.motion", table_of(*description_.ground_motion, values_));
    for (const auto& each : description_.controllers)
      section("controller", each.name, table_of(each, values_));
    for (const auto& each : description_.events)
      section("event", each.name, table_of(each, description_, values_));
    for (const RawSection& section : description_.raw_sections) write_raw_section(section);
  }

  std::string header() {
    Table table;
    table.add("trammel", "1");
    if (!description_.name.empty()) table.add("name", string_text(description_.name));
    table.add("gravity", values_.text(description_.gravity));
    return table.in_lines();
  }

  std::string parameters() const {
    Table symbols;
    for (const ParameterDescription& parameter : description_.parameters)
      symbols.add(parameter.name, number_text(parameter.value));
    for (const DefinitionDescription& definition : description_.definitions)
      if (definition.formula.is_constant())
        symbols.add(definition.name, number_text(definition.formula.constant()));
    for (const auto& [name, formula] : values_.formulas().definitions())
      symbols.add(name, string_text(formula));
    return symbols.is_empty() ? "" : "\n[parameters]\n" + symbols.in_lines();
  }

  // "controller.hold": the first part is a keyword of the format, the rest is a name
  void write_raw_section(const RawSection& section) {
    const std::size_t dot = section.name.find('.');
    const std::string heading =
        dot == std::string::npos
            ? key_text(section.name)
            : section.name.substr(0, dot) + "." + key_text(section.name.substr(dot + 1));
    out_ += fmt::format("\n[{}]\n{}", heading, section.text);
    if (!out_.ends_with('\n')) out_ += '\n';
  }

  void section(std::string_view kind, const std::string& name, const Table& table) {
    out_ += fmt::format("\n[{}.{}]\n{}", kind, key_text(name), table.in_lines());
  }
  void section(std::string_view name, const Table& table) {
    if (!table.is_empty()) out_ += fmt::format("\n[{}]\n{}", name, table.in_lines());
  }

  const Description& description_;
  ValueWriter values_;
  std::string out_;
};

}  // namespace

}  // namespace trammel::toml

std::string trammel::write_toml(const Description& description) {
  return toml::Writer(description).write();
}
