#include "trammel/write/report/viewer_page.hpp"

#include <fmt/format.h>

#include "trammel/write/plot/svg_text.hpp"

namespace trammel {

std::string page_head(std::string_view script_hash, std::string_view style_hash) {
  // nothing from outside may be loaded: the page contains all its data
  const std::string script =
      script_hash.empty() ? "" : fmt::format("script-src '{}'; ", script_hash);
  const std::string_view style = style_hash.empty() ? "unsafe-inline" : style_hash;
  return fmt::format(R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; {}style-src '{}'; img-src data: blob:">
<meta name="generator" content="Trammel">
)",
                     script, style);
}

std::string scripted_page(const ViewerPage& viewer, const ScriptedPage& page) {
  // pictures for browsers without scripts have their own style sheets
  const bool has_others = page.without_script.find("<style") != std::string::npos;
  std::string out = page_head(viewer.script_hash, has_others ? "" : viewer.style_hash);
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
