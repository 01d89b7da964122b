#include "trammel/write/plot/plot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>
#include <stdexcept>

namespace trammel::plot_test {
namespace {

TEST(Plot, AxesHaveRoundNumbers) {
  const AxisMarks unit = axis_marks(0, 1, 5);
  EXPECT_EQ(unit.text, (std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(axis_marks(-3, 27, 6).text,
            (std::vector<std::string>{"0", "5", "10", "15", "20", "25"}));
  EXPECT_EQ(axis_marks(0, 4e-9, 4).text,
            (std::vector<std::string>{"0", "1e-09", "2e-09", "3e-09", "4e-09"}));
  EXPECT_EQ(axis_marks(2e6, 2.4e6, 4).text,
            (std::vector<std::string>{"2.0e+06", "2.1e+06", "2.2e+06", "2.3e+06", "2.4e+06"}));
}

TEST(Plot, MarksAreInsideEvenAndDistinctForAnyRange) {
  for (const double center : {0.0, 1.0, -37.2, 9.81e4, 3e-7})
    for (const double half : {1e-9, 3.3e-4, 0.7, 42.0, 6e8}) {
      const double low = center - half, high = center + half;
      const AxisMarks marks = axis_marks(low, high, 5);
      ASSERT_GE(marks.at.size(), 2u) << low << " " << high;
      EXPECT_LE(marks.at.size(), 12u);
      for (std::size_t k = 0; k < marks.at.size(); ++k) {
        const double slack = 1e-6 * half;  // marks may lie on the ends
        EXPECT_GE(marks.at[k], low - slack);
        EXPECT_LE(marks.at[k], high + slack);
        // the text of a mark is its value, to a small part of the distance to its neighbor
        EXPECT_NEAR(std::stod(marks.text[k]), marks.at[k],
                    0.01 * (marks.at[1] - marks.at[0]) + 1e-12 * std::abs(center));
      }
    }
}

std::string first_line(const std::string& svg) {
  const std::size_t line = svg.find("<path class=\"p-line\"");
  return svg.substr(line, svg.find("/>", line) - line);
}
std::vector<std::pair<double, double>> points(const std::string& svg) {
  const std::string path = first_line(svg);
  std::vector<std::pair<double, double>> out;
  const std::regex point("[ML](-?[0-9.]+) (-?[0-9.]+)");
  for (std::sregex_iterator at(path.begin(), path.end(), point), end; at != end; ++at)
    out.emplace_back(std::stod((*at)[1]), std::stod((*at)[2]));
  return out;
}

TEST(Plot, LinesGoThroughTheirValues) {
  const std::vector<double> x{0, 1, 2, 4}, y{0, 10, 5, 10};
  const std::vector<PlotLine> lines{{"speed <1>", y}};
  const std::string svg = plot(x, lines, {.title = "T & U", .y_label = "[m/s]"});
  const auto p = points(svg);
  ASSERT_EQ(p.size(), 4u);
  const double wide = p[3].first - p[0].first, high = p[0].second - p[1].second;
  EXPECT_GT(high, 100);
  EXPECT_NEAR(p[1].first - p[0].first, wide / 4, 0.2);  // written to a tenth of a pixel
  EXPECT_NEAR(p[0].second - p[2].second, high / 2, 0.2);
  EXPECT_NEAR(p[3].second, p[1].second, 0.2);
  for (const char* text : {">speed &lt;1&gt;<", ">T &amp; U<", ">[m/s]<", ">time [s]<"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
}

TEST(Plot, LongLinesAreThinnedAndKeepTheirPeaks) {
  std::vector<double> x, y;
  for (int k = 0; k < 100000; ++k) x.push_back(k), y.push_back(std::sin(1e-3 * k));
  y[77777] = 9;
  const std::vector<PlotLine> lines{{"y", y}};
  const std::string svg = plot(x, lines);
  EXPECT_LT(svg.size(), 60000u);
  const auto p = points(svg);
  const auto peak =
      std::min_element(p.begin(), p.end(), [](auto a, auto b) { return a.second < b.second; });
  const double part = (peak->first - p.front().first) / (p.back().first - p.front().first);
  EXPECT_NEAR(part, 0.77777, 1e-3);
}

TEST(Plot, GapsSinglePointsAndConstantsAreDrawn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> x{0, 1, 2, 3, 4}, y{1, 1, nan, 1, 1};
  const std::vector<PlotLine> lines{{"y", y}};
  const std::string svg = plot(x, lines);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  const std::string path = first_line(svg);
  EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 2) << "two pieces";
  const std::vector<double> one{5};
  const std::vector<PlotLine> alone{{"y", one}};
  EXPECT_NE(plot(one, alone).find("<circle"), std::string::npos);
  EXPECT_NE(plot({}, {}).find("</svg>"), std::string::npos);
}

// Noise of 1e-15 next to numbers of 100 is a flat line in the middle; alone it fills the plot.
TEST(Plot, RoundingIsFlatBesideWhatIsLarge) {
  std::vector<double> x, y;
  for (int k = 0; k < 50; ++k) x.push_back(k), y.push_back(1e-15 * std::sin(k));
  const std::vector<PlotLine> lines{{"noise", y}};
  const auto spread = [&](double size) {
    double low = 1e9, high = -1e9;
    for (const auto& [across, up] : points(plot(x, lines, {.size = size})))
      low = std::min(low, up), high = std::max(high, up);
    return high - low;
  };
  EXPECT_EQ(spread(100), 0);
  EXPECT_GT(spread(0), 100);     // pixels
  EXPECT_GT(spread(1e-4), 100);  // 1e-11 of that is no rounding
}

TEST(Plot, RefusesWhatCannotBeDrawn) {
  const std::vector<double> x{0, 1}, unsorted{1, 0}, y{1};
  const std::vector<PlotLine> lines{{"y", y}};
  const auto description = [](auto call) -> std::string {
    try {
      call();
    } catch (const std::invalid_argument& error) { return error.what(); }
    return "";
  };
  EXPECT_EQ(description([&] { (void)plot(x, lines); }),
            "plot: line 'y' has 1 values for 2 x: give one for each");
  EXPECT_EQ(description([&] { (void)plot(unsorted, {}); }),
            "plot: x[1] = 0 lies before x[0] = 1: sort them");
}

}  // namespace
}  // namespace trammel::plot_test
