// Vocabulary of URDF: attributes and children of every element, and whether they are used. Unknown
// and unused ones are reported to the user (element.cpp).
#pragma once

#include <string_view>
#include <vector>

namespace trammel::urdf {

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
  std::string_view why = {};  // reason why it is not used
};
struct KnownChild {
  std::string_view name;
  Use use = Use::optional;
  const ElementTable* table = nullptr;  // of a child that is used
  std::string_view why = {};
};
struct ElementTable {
  std::vector<KnownAttribute> attributes = {};
  std::vector<KnownChild> children = {};
};

const ElementTable& robot_table();

}  // namespace trammel::urdf
