// One number of a file: a number, or a text with a formula and perhaps a unit.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trammel/read/toml/report.hpp"
#include "trammel/read/toml/scope.hpp"
#include "trammel/read/units.hpp"

namespace trammel {

// What a number measures; nothing: anything may be written.
using Expected = std::optional<Dimension>;

struct SaidNumber {
  Expr value = 1.0;                         // in SI
  std::optional<Dimension> dimension = {};  // of its unit, if it has one
  std::string unit = {};                    // as written
  TextPosition unit_position = {};
  bool has_unit = false;  // its own, or of a name that it uses
  bool is_sound = true;
};

// "body 'crank'" and "mass", in messages
struct NumberName {
  std::string_view owner, key;
};
std::string to_string(const NumberName& name);

// What it is worth; mistakes are reported. `own_name` is the name under which others know it: in
// its own formula that name means what it means outside.
SaidNumber read_number(const TomlValue& value, const NumberName& name, const Scope& scope,
                       Report& report, std::string_view own_name = {});

// Does its unit fit? Reports if not.
bool check_unit(const SaidNumber& number, const NumberName& name, const Expected& expected,
                Report& report);

// Numbers that may use each other, in any order.
struct NamedNumber {
  std::string name;
  const TomlValue* value = nullptr;
  std::string owner, key;  // in messages
  SaidNumber said = {};
};
// Reads them all and adds them to the scope. Circles are reported: "these in a circle: a -> b ->
// a".
void read_together(std::span<NamedNumber> numbers, std::string_view these, Scope& scope,
                   Report& report);
// Is it a formula with names in it?
bool uses_names(const TomlValue& value);

// "a number", "a text", "a list": what stands there, in messages
std::string_view kind_of(const TomlValue& value);

}  // namespace trammel
