// What URDF knows: for every element its attributes and children, and whether we use them. What is
// in no table is unknown; both unknown and unused are told to the user (element.cpp).
#pragma once

#include <string_view>
#include <vector>

namespace trammel {

enum class Use {
  required,  // once
  optional,  // once or not
  repeated,  // any number of times
  unused     // known, and not used
};

struct ElementTable;

struct KnownAttribute {
  std::string_view name;
  Use use = Use::optional;
  std::string_view why = {};  // it is not used
};
struct KnownChild {
  std::string_view name;
  Use use = Use::optional;
  const ElementTable* table = nullptr;  // of those that are used
  std::string_view why = {};
};
struct ElementTable {
  std::vector<KnownAttribute> attributes = {};
  std::vector<KnownChild> children = {};
};

const ElementTable& robot_table();

}  // namespace trammel
