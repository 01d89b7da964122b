// Animated GIF (GIF89a) of a sequence of images, which repeats forever.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "trammel/write/plot/raster/canvas.hpp"

namespace trammel {

// One palette for all frames; each frame stores only the rectangle that has changed.
class GifWriter {
 public:
  // The palette fits the samples: all their colors if there are at most 255, else the most frequent
  // and most different ones; colors of later frames are replaced by the nearest of these.
  explicit GifWriter(std::span<const Image> samples);

  // Throws std::invalid_argument if the image does not have the size of the samples.
  void add(const Image& image, int hundredths);  // display time [s / 100]
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
