// Script and style of the pages, made from the folder viewer/ when this library was built
// (cmake/Viewer.cmake), and what they are put into.
#pragma once

#include <string>
#include <string_view>

namespace trammel {

struct ViewerPage {
  std::string_view script, style;
  std::string_view lacks;  // why there is neither: "npm was not found"; empty where there is
  // of script and style, as a Content-Security-Policy has them: "sha256-..."
  std::string_view script_hash = {}, style_hash = {};
};
ViewerPage report_viewer();  // a motion: viewer/src/main.ts
ViewerPage plots_viewer();   // columns alone: viewer/src/plots_page.ts

// How each page begins, up to its title. Its Content-Security-Policy lets nothing be loaded, and
// runs the one script with this hash (none: no script at all) and applies the one style sheet
// (none: any that the page itself holds).
std::string page_head(std::string_view script_hash = {}, std::string_view style_hash = {});

// The page that a viewer makes of data (JSON without "<"), found by its script under `id`.
// `without_script` is what a browser shows that runs none.
struct ScriptedPage {
  std::string title;
  std::string id, data;
  std::string without_script;
};
std::string scripted_page(const ViewerPage& viewer, const ScriptedPage& page);

}  // namespace trammel
