#include "trammel/write/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "trammel/write/report/page_data.hpp"
#include "trammel/write/report/plain_page.hpp"
#include "trammel/write/report/viewer_page.hpp"

namespace trammel {

namespace {

bool is_finite(const Vec3<double>& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}
bool is_finite(const Pose<double>& X) {
  return is_finite(X.p) && is_finite(X.R.x) && is_finite(X.R.y) && is_finite(X.R.z);
}

[[noreturn]] void refuse(const std::string& fact) {
  throw std::invalid_argument("report: " + fact);
}

void expect_one_a_sample(const std::string& what, std::size_t found, const MotionReport& report) {
  if (found != report.times.size())
    refuse(fmt::format("{} has {} entries for {} times: give one a sample", what, found,
                       report.times.size()));
}

void check(const Model& model, const MotionReport& report) {
  for (std::size_t k = 0; k < report.times.size(); ++k) {
    if (!std::isfinite(report.times[k])) refuse(fmt::format("times[{}] is not finite", k));
    if (k > 0 && report.times[k] < report.times[k - 1])
      refuse(fmt::format("times[{}] = {} s lies before times[{}] = {} s: sort the samples", k,
                         report.times[k], k - 1, report.times[k - 1]));
  }
  const std::size_t bodies = model.named_bodies().size();
  expect_one_a_sample("poses", report.poses.size(), report);
  for (std::size_t k = 0; k < report.poses.size(); ++k) {
    if (report.poses[k].size() != bodies)
      refuse(
          fmt::format("poses[{}] has {} entries, but model '{}' has {} bodies, ground among them",
                      k, report.poses[k].size(), shortened(model.name()), bodies));
    for (std::size_t i = 0; i < bodies; ++i)
      if (!is_finite(report.poses[k][i]))
        refuse(fmt::format("poses[{}] of body '{}' is not finite: end the samples before it", k,
                           shortened(model.named_bodies()[i].name)));
  }
  for (const MotionReport::Series& series : report.series)
    expect_one_a_sample(fmt::format("series '{}'", shortened(series.name)), series.values.size(),
                        report);
  for (const MotionReport::Arrow& arrow : report.arrows) {
    const std::string what = fmt::format("arrow '{}'", shortened(arrow.name));
    if (index(arrow.body) < 0 || std::size_t(index(arrow.body)) >= bodies)
      refuse(fmt::format("{} is on body {}, but there are {}", what, index(arrow.body), bodies));
    expect_one_a_sample(what + " (at)", arrow.at.size(), report);
    expect_one_a_sample(what + " (force)", arrow.force.size(), report);
    for (std::size_t k = 0; k < arrow.at.size(); ++k)
      if (!is_finite(arrow.at[k]) || !is_finite(arrow.force[k]))
        refuse(fmt::format("{} is not finite at sample {}", what, k));
  }
  for (const MotionReport::Path& path : report.paths)
    if (!std::ranges::all_of(path.points, [](const Vec3<double>& p) { return is_finite(p); }))
      refuse(fmt::format("path '{}' is not finite", shortened(path.name)));
  for (const MotionReport::TimedText& moment : report.moments)
    if (!std::isfinite(moment.time))
      refuse(fmt::format("the time of '{}' is not finite", shortened(moment.text)));
}

}  // namespace

std::string report_page_lacks() { return std::string(report_viewer().lacks); }

std::string report_page(const Model& model, const MotionReport& report) {
  const ViewerPage viewer = report_viewer();
  if (viewer.script.empty()) return plain_report_page(model, report);
  check(model, report);
  return scripted_page(viewer,
                       {.title = report.title,
                        .id = "trammel-report",
                        .data = page_data(model, report),
                        .without_script = "This page needs JavaScript to show the motion."});
}

std::string plain_report_page(const Model& model, const MotionReport& report) {
  check(model, report);
  return page_head() + plain_report_body(model, report);
}

}  // namespace trammel
