// Positions of all tags and attributes of an XML text, and its first syntax error: the parser knows
// only lines, and gives no description of an error. One pass, no recursion.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trammel::urdf {

struct XmlMistake {
  std::size_t at = 0;  // byte
  std::string message, hint;
};

struct XmlTags {
  struct Tag {
    std::size_t at = 0;               // offset of its '<'
    std::size_t first_attribute = 0;  // in `attributes`
  };
  std::vector<Tag> tags;                // opening tags, in the order of the text
  std::vector<std::size_t> attributes;  // offsets of their names
  std::optional<XmlMistake> mistake;    // the lists end there
};

// Robots need at most ten of either.
inline constexpr std::size_t deepest_xml = 50;
inline constexpr std::size_t most_attributes = 100;  // of an element

XmlTags scan_xml(std::string_view text);

}  // namespace trammel::urdf
