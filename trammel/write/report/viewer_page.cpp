#include "trammel/write/report/viewer_page.hpp"

#include <fmt/format.h>

#include "trammel/write/svg_text.hpp"

namespace trammel {

std::string page_head() {
  // nothing from outside may be loaded: what the page shows is in the page
  return R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
<meta name="generator" content="Trammel">
)";
}

std::string scripted_page(const ViewerPage& viewer, const ScriptedPage& page) {
  std::string out = page_head();
  out += fmt::format("<title>{}</title>\n<style>", svg_text(page.title));
  out += viewer.style;
  out += "</style>\n</head>\n<body>\n<noscript>";
  out += page.without_script;
  out += fmt::format("</noscript>\n<script id=\"{}\" type=\"application/json\">", page.id);
  out += page.data;
  out += "</script>\n<script>";
  out += viewer.script;
  out += "</script>\n</body>\n</html>\n";
  return out;
}

}  // namespace trammel
