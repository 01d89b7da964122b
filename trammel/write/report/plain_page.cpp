#include "trammel/write/report/plain_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "trammel/write/plot/plot.hpp"
#include "trammel/write/plot/svg_text.hpp"

namespace trammel {

namespace {

const char* const style_sheet = R"(<style>
  :root { color-scheme: light dark; }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 760px; margin: 32px auto; padding: 0 20px; }
  h1 { font-size: 22px; } h2 { font-size: 16px; margin-top: 28px; }
  .lacks { border-left: 4px solid #d97a2b; padding: 4px 14px; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; vertical-align: top; padding: 4px 14px 4px 0; border-bottom: 1px solid #8884; font-weight: normal; }
  th { opacity: 0.75; width: 30%; }
  .bad { color: #c6453f; font-weight: bold; }
  svg { max-width: 100%; height: auto; border-radius: 8px; margin: 8px 0; }
</style>
)";

// Number of lines in one plot that can be distinguished.
constexpr std::size_t lines_a_plot = 8;

std::string plots(const MotionReport& report) {
  std::string out;
  std::vector<bool> is_drawn(report.series.size(), false);
  for (std::size_t first = 0; first < report.series.size(); ++first) {
    if (is_drawn[first]) continue;
    const MotionReport::Series& head = report.series[first];
    std::vector<PlotLine> lines;
    for (std::size_t k = first; k < report.series.size() && lines.size() < lines_a_plot; ++k) {
      const MotionReport::Series& series = report.series[k];
      if (is_drawn[k] || series.group != head.group || series.unit != head.unit) continue;
      lines.push_back({series.name, series.values});
      is_drawn[k] = true;
    }
    PlotOptions options;
    options.title = head.group;
    options.size = natural_size(report, head);
    if (!head.unit.empty() && head.unit != "1") options.y_label = "[" + head.unit + "]";
    out += plot(report.times, lines, options);
  }
  return out;
}

}  // namespace

double natural_size(const MotionReport& report, const MotionReport::Series& of) {
  double largest = 0;
  if (of.group == "violations") return 0;
  for (const MotionReport::Series& series : report.series)
    if (series.unit == of.unit && series.group != "violations")
      for (const double value : series.values)
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

std::string plain_beginning(const std::string& title) {
  return fmt::format("<title>{0}</title>\n{1}</head>\n<body>\n<h1>{0}</h1>\n", svg_text(title),
                     style_sheet);
}

std::string lacks_note(std::string_view what, const std::string& write_again) {
  const std::string lacks = report_page_lacks();
  if (lacks.empty()) return {};
  return fmt::format(
      "<p class=\"lacks\">This is the plain page: {} not in this build of Trammel, because {}. "
      "Install npm, configure again and build, then write the {} again.</p>\n",
      what, svg_text(lacks), write_again);
}

std::string plain_report_body(const Model& model, const MotionReport& report) {
  std::string page;
  const auto add = [&]<class... Values>(fmt::format_string<Values...> text, Values&&... values) {
    fmt::format_to(std::back_inserter(page), text, std::forward<Values>(values)...);
  };
  page += plain_beginning(report.title);
  add("<p>Model: {}. {} samples", svg_text(model.name()), report.times.size());
  if (!report.times.empty())
    add(", {:.6g} s to {:.6g} s", report.times.front(), report.times.back());
  add(".</p>\n");
  page += lacks_note("the moving picture and the linked plots are", "report");
  if (!report.audit.empty()) {
    add("<h2>Audit</h2>\n<table>\n");
    for (const MotionReport::AuditLine& line : report.audit)
      add("<tr><th>{}</th><td>{}</td><td{}>{}</td></tr>\n", svg_text(line.name),
          svg_text(line.value), line.good ? "" : " class=\"bad\"",
          line.good ? "good" : "needs a look");
    add("</table>\n");
  }
  if (!report.statistics.empty()) {
    add("<h2>Model and run</h2>\n<table>\n");
    for (const auto& [name, value] : report.statistics)
      add("<tr><th>{}</th><td>{}</td></tr>\n", svg_text(name), svg_text(value));
    add("</table>\n");
  }
  if (!report.moments.empty()) {
    add("<h2>Events</h2>\n<table>\n");
    for (const MotionReport::TimedText& moment : report.moments)
      add("<tr><th>{:.6g} s</th><td>{}</td></tr>\n", moment.time, svg_text(moment.text));
    add("</table>\n");
  }
  if (!report.series.empty()) page += "<h2>Plots</h2>\n" + plots(report);
  page += "</body>\n</html>\n";
  return page;
}

}  // namespace trammel
