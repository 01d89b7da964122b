// Places of labels next to their points, so that they do not cover one another.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace trammel {

struct FigureLabel {
  double x = 0, y = 0;  // the point [px], y down
  std::string text;
};
// On the base line of a text: its left end, or what the anchor says.
struct LabelPlace {
  double x = 0, y = 0;
  const char* anchor = "start";   // start, middle or end
  bool is_far = false;            // a line should lead to it
  double line_x = 0, line_y = 0;  // the end of that line
};

// One place per label in a picture of this size: beside its point, else above or below it, else
// farther away; the first labels choose first. A label that fits nowhere is beside its point.
std::vector<LabelPlace> place_labels(std::span<const FigureLabel> labels, double width,
                                     double height);

}  // namespace trammel
