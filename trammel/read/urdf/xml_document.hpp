// XML text as a tree of elements, each with its place in the text.
#pragma once

#include <memory>
#include <vector>

#include <tinyxml2.h>

#include "trammel/base/diagnostics.hpp"
#include "trammel/read/source.hpp"
#include "trammel/read/urdf/xml_scan.hpp"

namespace trammel::urdf {

class XmlDocument {
 public:
  // Returns nothing and reports the first syntax error if it is not XML. `source` must outlive it.
  static std::unique_ptr<XmlDocument> parse(const Source& source, Diagnostics& diagnostics);

  const tinyxml2::XMLElement& root() const { return *tree_.RootElement(); }
  Place place() const { return {source_.name, 0, 0}; }
  Place place(const tinyxml2::XMLElement& element) const;
  // of its attribute number `which`, from 0
  Place place(const tinyxml2::XMLElement& element, std::size_t which) const;

 private:
  explicit XmlDocument(const Source& source) : source_(source) {}
  void begin_lines();
  void link_tags();
  Place at(std::size_t byte) const;

  const Source& source_;
  tinyxml2::XMLDocument tree_;
  XmlTags tags_;
  std::vector<std::size_t> lines_;  // byte offsets of line starts
  bool has_columns_ = false;
};

// The next element after this one in the order of the text, its children first; null at the end.
const tinyxml2::XMLElement* next_in_text(const tinyxml2::XMLElement& element);

}  // namespace trammel::urdf
