// Video (WebM) of a report page, filmed by a headless Chromium.
#pragma once

#include <string>

namespace trammel::cli {

// A Chromium of the PATH; empty if there is none.
std::string find_chromium();

// The page's motion as WebM. The browser reads the page from a temporary file, is controlled
// through a pipe (DevTools protocol) and draws frame by frame, without a display and without the
// network. Throws WorkFailed if the browser does not start, ends early or gives no video, and if
// the run is interrupted.
std::string film_of_page(const std::string& chromium, const std::string& page);

}  // namespace trammel::cli
