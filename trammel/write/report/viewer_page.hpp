// Script and style of the pages, made from the folder viewer/ when this library was built
// (cmake/Viewer.cmake), and what they are put into.
#pragma once

#include <string>
#include <string_view>

namespace trammel {

struct ViewerPage {
  std::string_view script, style;
  std::string_view lacks;  // why there is neither: "npm was not found"; empty where there is
};
ViewerPage report_viewer();  // a motion: viewer/src/main.ts
ViewerPage plots_viewer();   // columns alone: viewer/src/plots_page.ts

// How each page begins, up to its title.
std::string page_head();

// The page that a viewer makes of data (JSON without "<"), found by its script under `id`.
// `without_script` is what a browser shows that runs none.
struct ScriptedPage {
  std::string title;
  std::string id, data;
  std::string without_script;
};
std::string scripted_page(const ViewerPage& viewer, const ScriptedPage& page);

}  // namespace trammel
