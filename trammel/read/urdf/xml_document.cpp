#include "trammel/read/urdf/xml_document.hpp"

#include <algorithm>

namespace trammel::urdf {

using tinyxml2::XMLElement;

namespace {

std::size_t index_of(const XMLElement& element) {
  return reinterpret_cast<std::size_t>(element.GetUserData());
}

}  // namespace

const XMLElement* next_in_text(const XMLElement& element) {
  if (const XMLElement* child = element.FirstChildElement()) return child;
  for (const tinyxml2::XMLNode* node = &element; node; node = node->Parent())
    if (const XMLElement* sibling = node->NextSiblingElement()) return sibling;
  return nullptr;
}

std::unique_ptr<XmlDocument> XmlDocument::parse(const Source& source, Diagnostics& diagnostics) {
  std::unique_ptr<XmlDocument> document(new XmlDocument(source));
  document->begin_lines();
  document->tags_ = scan_xml(source.text);
  const XmlTags& tags = document->tags_;
  if (tags.mistake) {
    diagnostics.error(document->at(tags.mistake->at), tags.mistake->message, tags.mistake->hint);
    return nullptr;
  }
  if (tags.tags.empty()) {
    diagnostics.error(document->place(), "the file has no element", "a URDF begins with <robot>");
    return nullptr;
  }
  document->tree_.Parse(source.text.data(), source.text.size());
  if (document->tree_.Error()) {
    diagnostics.error({source.name, document->tree_.ErrorLineNum(), 0}, "the XML is broken here",
                      "a declaration <?xml ... ?> stands first in a file or nowhere");
    return nullptr;
  }
  document->link_tags();
  return document;
}

void XmlDocument::begin_lines() {
  lines_.push_back(0);
  for (std::size_t at = 0; (at = source_.text.find('\n', at)) != std::string::npos;)
    lines_.push_back(++at);
}

// Numbers the elements in the order of the text, which is the same for the scan and the parser. If
// the counts differ, places have no columns.
void XmlDocument::link_tags() {
  std::size_t k = 0;
  for (XMLElement* element = tree_.RootElement(); element;
       element = const_cast<XMLElement*>(next_in_text(*element)))
    element->SetUserData(reinterpret_cast<void*>(k++));  // NOLINT: a number where a pointer fits
  has_columns_ = k == tags_.tags.size();
}

Place XmlDocument::at(std::size_t byte) const {
  const auto after = std::upper_bound(lines_.begin(), lines_.end(), byte);
  return {source_.name, int(after - lines_.begin()), int(byte - *(after - 1)) + 1};
}
Place XmlDocument::place(const XMLElement& element) const {
  if (!has_columns_) return {source_.name, element.GetLineNum(), 0};
  return at(tags_.tags[index_of(element)].at);
}
Place XmlDocument::place(const XMLElement& element, std::size_t which) const {
  if (!has_columns_) return {source_.name, element.GetLineNum(), 0};
  const std::size_t attribute = tags_.tags[index_of(element)].first_attribute + which;
  return attribute < tags_.attributes.size() ? at(tags_.attributes[attribute]) : place(element);
}

}  // namespace trammel::urdf
