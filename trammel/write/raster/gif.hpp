// Images in turn as an animated GIF (GIF89a), which repeats for ever.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "trammel/write/raster/canvas.hpp"

namespace trammel {

// One palette for all frames; each frame holds only the rectangle that has changed.
class GifWriter {
 public:
  // The palette fits the samples: all their colors if there are at most 255, else those that occur
  // most and differ most; colors of later frames become the nearest of these.
  explicit GifWriter(std::span<const Image> samples);

  // Throws std::invalid_argument if the image has not the size of the samples.
  void add(const Image& image, int hundredths);  // shown for so long [s / 100]
  [[nodiscard]] std::string finish();            // the whole file

 private:
  std::uint8_t index_of(std::uint32_t color);

  int width_ = 0, height_ = 0;
  std::vector<std::uint32_t> palette_;
  std::unordered_map<std::uint32_t, std::uint8_t> nearest_;
  std::vector<std::uint8_t> shown_;
  std::string out_;
};

}  // namespace trammel
