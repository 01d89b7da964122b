#include "trammel/read/urdf/urdf.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "trammel/read/urdf/loops.hpp"
#include "trammel/read/urdf/parts.hpp"

namespace trammel::urdf {

using tinyxml2::XMLAttribute;
using tinyxml2::XMLElement;

namespace {

// Xacro is a macro language that expands to URDF; only the result is read. Returns true and reports
// an error if the file uses it.
bool needs_xacro(const XmlDocument& document, Diagnostics& diagnostics) {
  const auto refuse = [&](const Place& place, const std::string& fact) {
    diagnostics.error(place, fact, "make a URDF of it first: xacro model.xacro > model.urdf");
    return true;
  };
  for (const XMLElement* xml = &document.root(); xml; xml = next_in_text(*xml)) {
    if (std::string_view(xml->Name()).starts_with("xacro:"))
      return refuse(document.place(*xml),
                    fmt::format("<{}> is of xacro, not of URDF", shortened(xml->Name())));
    std::size_t which = 0;
    for (const XMLAttribute* a = xml->FirstAttribute(); a; a = a->Next(), ++which) {
      const std::string_view value = a->Value();
      if (value.find("${") == value.npos && value.find("$(") == value.npos) continue;
      return refuse(document.place(*xml, which),
                    fmt::format("'{}' is of xacro, not of URDF", shortened(value)));
    }
  }
  return false;
}

bool is_robot(const XmlDocument& document, Diagnostics& diagnostics) {
  const XMLElement& root = document.root();
  const std::string_view tag = root.Name();
  if (tag != "robot") {
    const std::string format = tag == "sdf" ? "SDF" : tag == "mujoco" ? "MuJoCo's format" : "";
    diagnostics.error(
        document.place(root),
        fmt::format("the file begins with <{}>, a URDF begins with <robot>", shortened(tag)),
        format.empty() ? "is this the right file?"
                       : fmt::format("this is {}, which is not read; use its URDF, "
                                     "or convert it to one",
                                     format));
    return false;
  }
  if (const XMLElement* second = root.NextSiblingElement()) {
    diagnostics.error(document.place(*second), "the file goes on after </robot>",
                      "a URDF has one <robot>, with everything in it");
    return false;
  }
  return true;
}

void check_options(const Source& source, const ReadOptions& options, Report& report) {
  for (const auto& [name, value] : options.set)
    report.error({source.name, 0, 0},
                 fmt::format("there is no parameter '{}' to set: URDF has none", shortened(name)),
                 "convert the model to TOML, and give it parameters there");
}

// Outside <robot> only a declaration <?xml ... ?> and comments are allowed.
void check_outside(const XmlDocument& document, Report& report) {
  for (const tinyxml2::XMLNode* node = document.root().GetDocument()->FirstChild(); node;
       node = node->NextSibling())
    if (node->ToUnknown() || node->ToText()) {
      Place place = document.place();
      place.line = node->GetLineNum();
      return report.warning(
          place, fmt::format("'{}' outside <robot> is ignored", shortened(node->Value(), 30)),
          "what a DOCTYPE declares is not filled in");
    }
}

void check_version(const Element& robot) {
  const std::string version = robot.text("version");
  if (version.empty() || version == "1" || version.starts_with("1.")) return;
  robot.report().warning(
      robot.place("version"),
      fmt::format("the file is of URDF version '{}': read as version 1", shortened(version)));
}

// URDF requires a name; some files have none.
std::string name_of(const Element& robot, const Source& source) {
  if (robot.has("name")) return robot.text("name");
  std::string name = std::filesystem::path(source.name).stem().string();
  robot.report().warning(
      robot.place(),
      fmt::format("<robot> has no name: it is called '{}', as its file", shortened(name)),
      "add name=\"...\"");
  return name;
}

Description read_robot(const XmlDocument& document, const Source& source,
                       const ReadOptions& options, Report& report) {
  const Element robot(document, document.root(), robot_table(), "", report);
  Description description(name_of(robot, source));
  description.source = ItemPlace(document.place());
  description.source.key("name", robot.place("name"));
  check_outside(document, report);
  check_version(robot);

  const Materials materials(document.root());
  Meshes meshes(source.name, options);
  robot.each_child("material", [&](const Element& material) { materials.color_of(material); });
  robot.each_child("link", [&](const Element& link) {
    description.bodies.push_back(read_link(link, materials, meshes));
  });
  robot.each_child("joint", [&](const Element& joint) { read_joint(joint, description); });
  std::vector<JointDescription> loops;
  robot.each_child("loop", [&](const Element& loop) { loops.push_back(read_loop(loop)); });
  std::vector<GivenCoupling> couplings;
  robot.each_child("coupling",
                   [&](const Element& coupling) { couplings.push_back(read_coupling(coupling)); });
  if (description.bodies.empty()) {
    report.error(robot.place(), "the robot has no link", "add one: <link name=\"base\"/>");
    return description;
  }
  if (const auto renamed = rename_ground_link(description, report)) {
    const auto rename = [&](std::string& link) {
      if (link == "ground") link = *renamed;
    };
    for (JointDescription& loop : loops) rename(loop.parent), rename(loop.child);
    for (GivenCoupling& coupling : couplings)
      rename(coupling.predecessor), rename(coupling.successor);
  }
  check_mimics(description, report);
  plant_tree(description, std::move(loops), options.base, report);
  add_couplings(couplings, description, report);
  return description;
}

}  // namespace

Description read_description(const Source& source, const ReadOptions& options,
                             Diagnostics& diagnostics) {
  const std::unique_ptr<XmlDocument> document = XmlDocument::parse(source, diagnostics);
  if (!document || !is_robot(*document, diagnostics) || needs_xacro(*document, diagnostics))
    return Description{};
  Report report;
  check_options(source, options, report);
  Description description = read_robot(*document, source, options, report);
  report.pass_on(document->place(), diagnostics);
  return description;
}

}  // namespace trammel::urdf
