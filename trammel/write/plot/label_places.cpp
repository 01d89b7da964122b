#include "trammel/write/plot/label_places.hpp"

#include <algorithm>

namespace trammel {

namespace {

constexpr double letter_wide = 7.3, text_high = 15;  // [px]

struct LabelBox {
  double left, top, right, bottom;
  bool meets(const LabelBox& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

// Places around a point, at a distance.
std::vector<LabelPlace> places_around(double x, double y, double away) {
  const double near = 0.7 * away, below = text_high - 5;
  return {{x + away, y + 5, "start"},    {x - away, y + 5, "end"},
          {x, y - away, "middle"},       {x, y + away + below, "middle"},
          {x + near, y - near, "start"}, {x + near, y + near + below, "start"},
          {x - near, y - near, "end"},   {x - near, y + near + below, "end"}};
}

}  // namespace

std::vector<LabelPlace> place_labels(std::span<const FigureLabel> labels, double width,
                                     double height) {
  std::vector<LabelBox> taken;
  std::vector<LabelPlace> places;
  for (const FigureLabel& label : labels) {
    const double wide = letter_wide * double(label.text.size());
    const auto box_at = [&](const LabelPlace& at) {
      const double left = at.x - (at.anchor[0] == 'e' ? wide : at.anchor[0] == 'm' ? wide / 2 : 0);
      return LabelBox{left, at.y - text_high + 3, left + wide, at.y + 3};
    };
    const auto is_free = [&](const LabelPlace& at) {
      const LabelBox box = box_at(at);
      return box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height &&
             std::ranges::none_of(taken, [&](const LabelBox& other) { return box.meets(other); });
    };
    std::vector<LabelPlace> candidates;
    for (const double away : {13.0, 28.0, 46.0})
      for (const LabelPlace& one : places_around(label.x, label.y, away)) candidates.push_back(one);
    const auto found = std::ranges::find_if(candidates, is_free);
    places.push_back(found == candidates.end() ? candidates[0] : *found);
    LabelPlace& place = places.back();
    const LabelBox box = box_at(place);
    place.line_x = std::clamp(label.x, box.left, box.right);
    place.line_y = std::clamp(label.y, box.top, box.bottom);
    place.is_far = found - candidates.begin() >= 2 && found != candidates.end();
    taken.push_back(box);
  }
  return places;
}

}  // namespace trammel
