// The script and the style of the report's page, made from the folder viewer/ when this library was
// built (cmake/Viewer.cmake).
#pragma once

#include <string_view>

namespace trammel {

struct ViewerPage {
  std::string_view script, style;
  std::string_view lacks;  // why there is neither: "npm was not found"; empty where there is
};
ViewerPage viewer_page();

}  // namespace trammel
