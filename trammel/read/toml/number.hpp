// Reads one number of a file: a TOML number, or a text with a formula and an optional unit.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trammel/read/toml/report.hpp"
#include "trammel/read/toml/scope.hpp"
#include "trammel/read/units.hpp"

namespace trammel::toml {

// Expected dimension of a number; nullopt: any.
using Expected = std::optional<Dimension>;

struct GivenNumber {
  Expr value = 1.0;                         // in SI
  std::optional<Dimension> dimension = {};  // of its unit, if it has one
  std::string unit = {};                    // as written
  TextPosition unit_position = {};
  bool has_unit = false;  // its own, or that of a name it uses
  bool is_sound = true;
};

// "body 'crank'" and "mass", in messages
struct NumberName {
  std::string_view owner, key;
};
std::string to_string(const NumberName& name);

// Evaluates a number; errors are reported. `own_name` is the name of this number in other formulas:
// in its own formula that name refers to the outer scope.
GivenNumber read_number(const Value& value, const NumberName& name, const Scope& scope,
                        Report& report, std::string_view own_name = {});

// Checks that the unit fits the expected dimension, and reports an error if not.
bool check_unit(const GivenNumber& number, const NumberName& name, const Expected& expected,
                Report& report);

// Numbers that may refer to each other, in any order.
struct NamedNumber {
  std::string name;
  const Value* value = nullptr;
  std::string owner, key;  // in messages
  GivenNumber description = {};
};
// Reads them all and adds them to the scope. Circular references are reported: "these in a circle:
// a -> b -> a".
void read_together(std::span<NamedNumber> numbers, std::string_view these, Scope& scope,
                   Report& report);
// Whether it is a formula that contains names.
bool uses_names(const Value& value);

// "a number", "a text", "a list": kind of the value, in messages
std::string_view kind_of(const Value& value);

}  // namespace trammel::toml
