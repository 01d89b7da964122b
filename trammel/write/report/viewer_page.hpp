// Script and style of the pages, made from the folder viewer/ when this library was built
// (cmake/Viewer.cmake), and the page frame around them.
#pragma once

#include <string>
#include <string_view>

namespace trammel {

struct ViewerPage {
  std::string_view script, style;
  std::string_view lacks;  // reason if they are missing: "npm was not found"; else empty
  // of script and style, as in a Content-Security-Policy: "sha256-..."
  std::string_view script_hash = {}, style_hash = {};
};
ViewerPage report_viewer();  // a motion: viewer/src/main.ts
ViewerPage plots_viewer();   // only columns: viewer/src/plots_page.ts

// Beginning of each page, up to its title. Its Content-Security-Policy forbids loading anything,
// and allows only the script with this hash (empty: no script) and the style sheet with this hash
// (empty: any that the page contains).
std::string page_head(std::string_view script_hash = {}, std::string_view style_hash = {});

// A page with a viewer and its data (JSON without "<"), which the script finds under `id`.
// `without_script` is the content for a browser that runs no scripts.
struct ScriptedPage {
  std::string title;
  std::string id, data;
  std::string without_script;
};
std::string scripted_page(const ViewerPage& viewer, const ScriptedPage& page);

}  // namespace trammel
