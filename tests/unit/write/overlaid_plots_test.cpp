// Columns of one or several recordings in one picture, and their largest differences.
#include "trammel/write/report/overlaid_plots.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "trammel/write/plot/plot.hpp"

namespace trammel::overlaid_plots_test {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

Recording recording_of(std::initializer_list<Column> columns, std::vector<double> values) {
  Recording out;
  out.columns = columns;
  out.values = std::move(values);
  return out;
}

// q = 2 t and v = 2, at t = 0, 1, 2; and q = 2 t + 0.5 t (t - 1), at t = 0.5, 1, 1.5
const Recording a = recording_of({{"time", "s", ""}, {"q", "rad", ""}, {"v", "rad/s", ""}},
                                 {0, 0, 2, 1, 2, 2, 2, 4, 2});
const Recording b =
    recording_of({{"time", "s", ""}, {"q", "rad", ""}}, {0.5, 0.875, 1, 2, 1.5, 3.375});
const NamedRecording both[] = {{"a", &a}, {"b", &b}};
const std::vector<std::string> q_and_v{"q", "v"};

TEST(overlaid_plots, have_a_panel_for_each_unit_and_a_line_for_each_run) {
  const std::vector<std::string> panels = overlaid_plots(both, q_and_v, {.title = "two <runs>"});
  ASSERT_EQ(panels.size(), 2u);
  EXPECT_NE(panels[0].find(">[rad]<"), std::string::npos);
  EXPECT_NE(panels[1].find(">[rad/s]<"), std::string::npos);
  EXPECT_NE(panels[0].find(">two &lt;runs&gt;<"), std::string::npos);
  EXPECT_EQ(panels[1].find("two"), std::string::npos) << "one title";
  EXPECT_NE(panels[0].find(">a: q<"), std::string::npos);
  EXPECT_NE(panels[0].find(">b: q<"), std::string::npos);
  EXPECT_EQ(count(panels[0], "stroke-dasharray"), 2u) << "the line of the second run and its key";
  EXPECT_EQ(count(panels[1], ">b: "), 0u) << "it has no v";
  // alone, a run needs no name
  const std::vector<std::string> alone = overlaid_plots(std::span(both).first(1), q_and_v);
  EXPECT_EQ(count(alone[0] + alone[1], "stroke-dasharray"), 0u);
}

TEST(overlaid_plots, lie_one_below_the_other) {
  const std::string svg = stacked_pictures(overlaid_plots(both, q_and_v));
  EXPECT_EQ(count(svg, "<svg"), 3u);
  EXPECT_NE(svg.find("viewBox=\"0 0 720 600\""), std::string::npos);
  EXPECT_NE(svg.find("<svg x=\"0\" y=\"300\""), std::string::npos);
}

TEST(overlaid_plots, may_have_another_column_across) {
  // a circle: x goes back and forth
  Recording circle = recording_of({{"time", "s", ""}, {"x", "m", ""}, {"y", "m", ""}}, {});
  for (int k = 0; k <= 64; ++k) {
    const double angle = 2 * std::acos(-1) * k / 64;
    circle.values.insert(circle.values.end(), {0.1 * k, std::cos(angle), std::sin(angle)});
  }
  const NamedRecording run{"", &circle};
  const std::vector<std::string> y{"y"};
  const std::string svg = overlaid_plots({&run, 1}, y, {.x = "x"}).at(0);
  EXPECT_NE(svg.find(">x [m]<"), std::string::npos);
  EXPECT_EQ(svg.find("time"), std::string::npos);
  const auto what = [&](const char* x, const std::vector<std::string>& columns) -> std::string {
    try {
      (void)overlaid_plots({&run, 1}, columns, {.x = x});
    } catch (const std::invalid_argument& error) { return error.what(); }
    return "";
  };
  EXPECT_EQ(what("z", y), "plot: the run has no column 'z'");
  EXPECT_EQ(what("", {"z"}), "plot: no run has a column 'z'");
}

TEST(overlaid_plots, of_runs_joined_have_the_times_of_both) {
  const Recording joined = joined_recording(both, q_and_v);
  ASSERT_EQ(joined.samples(), 5u);  // 0, 0.5, 1, 1.5, 2
  ASSERT_EQ(joined.columns.size(), 4u);
  EXPECT_EQ(joined.columns[1].name, "a: q");
  EXPECT_EQ(joined.columns[2].name, "b: q");
  EXPECT_EQ(joined.columns[3].name, "a: v");
  EXPECT_EQ(joined.at(1, 1), 1);  // between its samples
  EXPECT_EQ(joined.at(3, 2), 3.375);
  EXPECT_TRUE(std::isnan(joined.at(0, 2)) && std::isnan(joined.at(4, 2))) << "b has none";
}

TEST(overlaid_plots, differ_by_what_largest_differences_says) {
  const std::vector<ColumnDifference> found = largest_differences(a, b, q_and_v);
  ASSERT_EQ(found.size(), 1u) << "b has no v";
  EXPECT_EQ(found[0].column, "q");
  EXPECT_EQ(found[0].unit, "rad");
  EXPECT_DOUBLE_EQ(found[0].largest, 0.375);  // 0.5 * 1.5 * 0.5, exact in binary
  EXPECT_EQ(found[0].time, 1.5);
  EXPECT_EQ(largest_differences(a, a, q_and_v).at(0).largest, 0);
  const Recording later = recording_of({{"time", "s", ""}, {"q", "rad", ""}}, {5, 1, 6, 1});
  EXPECT_TRUE(std::isnan(largest_differences(a, later, q_and_v).at(0).largest));
}

}  // namespace
}  // namespace trammel::overlaid_plots_test
