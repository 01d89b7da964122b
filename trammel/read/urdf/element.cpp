#include "trammel/read/urdf/element.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/read/urdf/numbers.hpp"

namespace trammel::urdf {

using tinyxml2::XMLAttribute;
using tinyxml2::XMLElement;

namespace {

template <class Known> const Known* known_as(std::string_view name, const std::vector<Known>& all) {
  const auto found = std::ranges::find(all, name, &Known::name);
  return found == all.end() ? nullptr : &*found;
}

template <class Known> std::string hint_for(std::string_view wrong, const std::vector<Known>& all) {
  std::vector<std::string> names;
  for (const Known& known : all) names.emplace_back(known.name);
  const std::optional<std::string> meant = suggest(wrong, names);
  return meant ? fmt::format("did you mean '{}'?", *meant) : "";
}

bool is_namespace(std::string_view attribute) {
  return attribute == "xmlns" || attribute.starts_with("xmlns:");
}

// Elements with a name of their own, which messages about them and their contents use.
bool is_part(std::string_view tag) {
  return tag == "link" || tag == "joint" || tag == "loop" || tag == "coupling";
}

// Beginning of the messages about an element.
std::string title_of(const XMLElement& xml, const std::string& whose) {
  const std::string_view tag = xml.Name();
  if (is_part(tag)) return whose;
  return (whose.empty() ? "" : whose + ": ") + fmt::format("<{}>", tag);
}

}  // namespace

Element::Element(const XmlDocument& document, const XMLElement& xml, const ElementTable& table,
                 std::string whose, Report& report)
    : document_(&document),
      xml_(&xml),
      table_(&table),
      whose_(std::move(whose)),
      title_(title_of(xml, whose_)),
      report_(&report) {
  check_attributes();
  check_children();
  check_text();
}

void Element::check_attributes() const {
  std::vector<bool> is_there(table_->attributes.size(), false);
  std::size_t which = 0;
  for (const XMLAttribute* a = xml_->FirstAttribute(); a; a = a->Next(), ++which) {
    const std::string_view name = a->Name();
    const KnownAttribute* known = known_as(name, table_->attributes);
    if (!known) {
      if (!is_namespace(name))
        report_->warning(document_->place(*xml_, which),
                         fmt::format("{} has an attribute '{}', which URDF does not know: ignored",
                                     title_, shortened(name)),
                         hint_for(name, table_->attributes));
      continue;
    }
    const auto k = std::size_t(known - table_->attributes.data());
    if (known->use == Use::unused)
      report_->warning(document_->place(*xml_, which),
                       fmt::format("{} has an attribute '{}', which is not used", title_, name),
                       std::string(known->why));
    is_there[k] = true;
  }
  for (std::size_t k = 0; k < is_there.size(); ++k)
    if (!is_there[k] && table_->attributes[k].use == Use::required)
      report_->error(place(), fmt::format("{} has no {}", title_, table_->attributes[k].name),
                     fmt::format("add {}=\"...\"", table_->attributes[k].name));
}

void Element::check_children() const {
  std::vector<bool> is_there(table_->children.size(), false);
  for (const XMLElement* child = xml_->FirstChildElement(); child;
       child = child->NextSiblingElement()) {
    const std::string_view name = child->Name();
    const KnownChild* known = known_as(name, table_->children);
    if (!known) {
      report_->warning(
          document_->place(*child),
          fmt::format("{} has a <{}>, which URDF does not know: ignored", title_, shortened(name)),
          hint_for(name, table_->children));
      continue;
    }
    const auto k = std::size_t(known - table_->children.data());
    if (known->use == Use::unused)
      report_->warning(document_->place(*child),
                       fmt::format("{} has a <{}>, which is not used", title_, name),
                       std::string(known->why));
    else if (is_there[k] && known->use != Use::repeated)
      report_->error(document_->place(*child), fmt::format("{} has a second <{}>", title_, name),
                     "take one of them out");
    is_there[k] = true;
  }
  for (std::size_t k = 0; k < is_there.size(); ++k)
    if (!is_there[k] && table_->children[k].use == Use::required)
      report_->error(place(), fmt::format("{} has no <{}>", title_, table_->children[k].name),
                     fmt::format("add <{} .../>", table_->children[k].name));
}

void Element::check_text() const {
  for (const tinyxml2::XMLNode* node = xml_->FirstChild(); node; node = node->NextSibling()) {
    if (!node->ToText() && !node->ToUnknown()) continue;
    std::string_view text = node->Value();
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    report_->warning(place(),
                     fmt::format("{} has text '{}', which is ignored", title_, shortened(text, 30)),
                     "URDF says everything in elements and attributes");
    return;
  }
}

const XMLAttribute* Element::find(std::string_view attribute) const {
  for (const XMLAttribute* a = xml_->FirstAttribute(); a; a = a->Next())
    if (a->Name() == attribute) return a;
  return nullptr;
}

Place Element::place(std::string_view attribute) const {
  std::size_t which = 0;
  for (const XMLAttribute* a = xml_->FirstAttribute(); a; a = a->Next(), ++which)
    if (a->Name() == attribute) return document_->place(*xml_, which);
  return place();
}

std::string Element::text(std::string_view attribute) const {
  const XMLAttribute* found = find(attribute);
  return found ? found->Value() : "";
}

std::vector<double> Element::numbers(std::string_view attribute, std::size_t count) const {
  const XMLAttribute* found = find(attribute);
  if (!found) return {};
  NumberList list = parse_numbers(found->Value(), count);
  if (!list.mistake.empty()) {
    report_->error(place(attribute), fmt::format("{} {} has {}", title_, attribute, list.mistake),
                   list.hint);
    return {};
  }
  if (list.count != count) {
    report_->error(place(attribute),
                   fmt::format("{} {} has {} number{}, it takes {}", title_, attribute, list.count,
                               list.count == 1 ? "" : "s", count),
                   count == 1 ? "give one number" : "give them with spaces between");
    return {};
  }
  return std::move(list.values);
}
double Element::number(std::string_view attribute, double otherwise) const {
  const std::vector<double> list = numbers(attribute, 1);
  return list.empty() ? otherwise : list[0];
}
Vec3<double> Element::three(std::string_view attribute, const Vec3<double>& otherwise) const {
  const std::vector<double> list = numbers(attribute, 3);
  return list.empty() ? otherwise : Vec3<double>{list[0], list[1], list[2]};
}

const ElementTable& Element::table_of(std::string_view child) const {
  return *known_as(child, table_->children)->table;
}

std::string Element::whose_of(const XMLElement& child) const {
  const std::string_view tag = child.Name();
  if (!is_part(tag)) return whose_;
  const char* name = child.Attribute("name");
  return name && *name ? fmt::format("{} '{}'", tag, shortened(name))
                       : fmt::format("a {} without name", tag);
}

bool Element::has_child(std::string_view name) const {
  return xml_->FirstChildElement(std::string(name).c_str()) != nullptr;
}
std::optional<Element> Element::child(std::string_view name) const {
  const XMLElement* xml = xml_->FirstChildElement(std::string(name).c_str());
  if (!xml) return std::nullopt;
  return Element(*document_, *xml, table_of(name), whose_of(*xml), *report_);
}

}  // namespace trammel::urdf
