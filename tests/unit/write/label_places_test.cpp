#include "trammel/write/plot/label_places.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trammel::label_places_test {
namespace {

TEST(label_places, do_not_cover_one_another) {
  std::vector<FigureLabel> labels;  // ten within 30 px
  for (int k = 0; k < 10; ++k)
    labels.push_back({300 + 3.0 * k, 200 + 2.0 * (k % 3), "joint" + std::to_string(k)});
  labels.push_back({636, 300, "at the right edge"});
  labels.push_back({320, 4, "top"});
  const std::vector<LabelPlace> places = place_labels(labels, 640, 520);
  ASSERT_EQ(places.size(), labels.size());
  EXPECT_NEAR(places[0].x, 313, 1e-12) << "the first is beside its point";
  const auto wide = [&](std::size_t k) { return 7.0 * double(labels[k].text.size()); };
  const auto left = [&](std::size_t k) {
    const std::string anchor = places[k].anchor;
    return places[k].x - (anchor == "end" ? wide(k) : anchor == "middle" ? wide(k) / 2 : 0);
  };
  for (std::size_t i = 0; i < places.size(); ++i) {
    EXPECT_GE(left(i), 0) << labels[i].text;
    EXPECT_LE(left(i) + wide(i), 640) << labels[i].text;
    EXPECT_GE(places[i].y, 9) << labels[i].text;  // the letters stand on it
    for (std::size_t k = 0; k < i; ++k) {
      const bool is_beside = left(i) >= left(k) + wide(k) || left(k) >= left(i) + wide(i) ||
                             std::abs(places[i].y - places[k].y) >= 12;
      EXPECT_TRUE(is_beside) << labels[i].text << " covers " << labels[k].text;
    }
  }
}

}  // namespace
}  // namespace trammel::label_places_test
