// Where every tag and attribute of an XML text begins, and the first mistake of its syntax: the
// parser knows lines only, and of a mistake not even what it is. One pass, no recursion.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trammel {

struct XmlMistake {
  std::size_t at = 0;  // byte
  std::string message, hint;
};

struct XmlTags {
  struct Tag {
    std::size_t at = 0;               // byte of its '<'
    std::size_t first_attribute = 0;  // in `attributes`
  };
  std::vector<Tag> tags;                // that open an element, in the order of the text
  std::vector<std::size_t> attributes;  // bytes where their names begin
  std::optional<XmlMistake> mistake;    // then the lists end there
};

// No robot needs more than ten of either.
inline constexpr std::size_t deepest_xml = 50;
inline constexpr std::size_t most_attributes = 100;  // of an element

XmlTags scan_xml(std::string_view text);

}  // namespace trammel
