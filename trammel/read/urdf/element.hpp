// Access to an XML element: checked once against its table of known attributes and children, then
// read. Every invalid value is reported and replaced by the default of URDF.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/model/description/description.hpp"
#include "trammel/read/urdf/report.hpp"
#include "trammel/read/urdf/tables.hpp"
#include "trammel/read/urdf/xml_document.hpp"

namespace trammel::urdf {

class Element {
 public:
  // `whose` begins every message: "link 'arm'"; empty for the file itself.
  Element(const XmlDocument& document, const tinyxml2::XMLElement& xml, const ElementTable& table,
          std::string whose, Report& report);

  std::string_view tag() const { return xml_->Name(); }
  Place place() const { return document_->place(*xml_); }
  // Place of an attribute, or of the element if it does not have the attribute.
  Place place(std::string_view attribute) const;

  bool has(std::string_view attribute) const { return find(attribute) != nullptr; }
  std::string text(std::string_view attribute) const;  // empty if there is none
  double number(std::string_view attribute, double otherwise) const;
  Vec3<double> three(std::string_view attribute, const Vec3<double>& otherwise) const;
  std::vector<double> numbers(std::string_view attribute, std::size_t count) const;  // or none

  // "arm: <axis>", the beginning of messages about this element
  const std::string& title() const { return title_; }
  Report& report() const { return *report_; }

  bool has_child(std::string_view name) const;
  // The first child of that name. It is checked when it is constructed: call once.
  std::optional<Element> child(std::string_view name) const;
  // All children of that name, in order.
  template <class Visit> void each_child(std::string_view name, const Visit& visit) const {
    const std::string tag_name(name);
    for (const tinyxml2::XMLElement* xml = xml_->FirstChildElement(tag_name.c_str()); xml;
         xml = xml->NextSiblingElement(tag_name.c_str()))
      visit(Element(*document_, *xml, table_of(name), whose_of(*xml), *report_));
  }

 private:
  const tinyxml2::XMLAttribute* find(std::string_view attribute) const;
  const ElementTable& table_of(std::string_view child) const;
  std::string whose_of(const tinyxml2::XMLElement& child) const;
  void check_attributes() const;
  void check_children() const;
  void check_text() const;

  const XmlDocument* document_;
  const tinyxml2::XMLElement* xml_;
  const ElementTable* table_;
  std::string whose_, title_;
  Report* report_;
};

}  // namespace trammel::urdf
