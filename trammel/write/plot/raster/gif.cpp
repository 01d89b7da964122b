#include "trammel/write/plot/raster/gif.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace trammel {

namespace {

constexpr std::size_t most_colors = 255;
constexpr std::uint8_t transparent = 255;  // palette index: unchanged from the previous frame

std::uint32_t color_at(const Image& image, std::size_t k) {
  const std::uint8_t* const p = &image.rgb[3 * k];
  return (std::uint32_t(p[0]) << 16) | (std::uint32_t(p[1]) << 8) | p[2];
}

int distance(std::uint32_t a, std::uint32_t b) {
  int sum = 0;
  for (int shift = 0; shift < 24; shift += 8) {
    const int d = int((a >> shift) & 0xffU) - int((b >> shift) & 0xffU);
    sum += d * d;
  }
  return sum;
}

// The most frequent colors, taken in rounds with decreasing least distance between them.
std::vector<std::uint32_t> palette_of(std::span<const Image> samples) {
  std::unordered_map<std::uint32_t, std::size_t> counts;
  for (const Image& image : samples)
    for (std::size_t k = 0; 3 * k < image.rgb.size(); ++k) ++counts[color_at(image, k)];
  std::vector<std::pair<std::size_t, std::uint32_t>> by_count;
  for (const auto& [color, count] : counts) by_count.emplace_back(count, color);
  std::ranges::sort(by_count, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<std::uint32_t> palette;
  const auto add_all = [&](int apart) {
    for (const auto& entry : by_count) {
      const std::uint32_t color = entry.second;
      if (palette.size() == most_colors) return;
      if (std::ranges::all_of(palette,
                              [&](std::uint32_t other) { return distance(color, other) > apart; }))
        palette.push_back(color);
    }
  };
  if (by_count.size() <= most_colors) {
    add_all(0);
    return palette;
  }
  for (const int apart : {1024, 256, 96, 32, 8, 0}) add_all(apart);
  return palette;
}

void add_little_endian(std::string& out, int value) {
  out += char(value & 0xff);
  out += char((value >> 8) & 0xff);
}

// Lempel-Ziv-Welch (LZW) codes with eight bits per pixel, in blocks of up to 255 bytes.
class LzwCodes {
 public:
  std::string encode(const std::vector<std::uint8_t>& pixels) {
    constexpr int clear = 256, end = 257, full = 4096;
    begin();
    put(clear);
    int prefix = pixels.front();
    for (std::size_t k = 1; k < pixels.size(); ++k) {
      std::int16_t& code = codes_[std::size_t(prefix) * 256 + pixels[k]];
      if (code >= 0) {
        prefix = code;
        continue;
      }
      put(prefix);
      if (next_ == full) {
        put(clear);
        begin();
      } else {
        code = std::int16_t(next_++);
        if (next_ - 1 == 1 << bits_ && bits_ < 12) ++bits_;
      }
      prefix = pixels[k];
    }
    put(prefix);
    put(end);
    if (held_ > 0) bytes_ += char(word_ & 0xffU);
    std::string out(1, char(8));
    for (std::size_t k = 0; k < bytes_.size(); k += 255) {
      const std::size_t size = std::min<std::size_t>(255, bytes_.size() - k);
      out += char(size);
      out.append(bytes_, k, size);
    }
    return out + '\0';
  }

 private:
  void begin() {
    codes_.assign(std::size_t(4096) * 256, -1);
    next_ = 258;
    bits_ = 9;
  }
  void put(int code) {
    word_ |= std::uint32_t(code) << held_;
    for (held_ += bits_; held_ >= 8; held_ -= 8, word_ >>= 8) bytes_ += char(word_ & 0xffU);
  }
  std::vector<std::int16_t> codes_;
  std::string bytes_;
  std::uint32_t word_ = 0;
  int next_ = 258, bits_ = 9, held_ = 0;
};

}  // namespace

GifWriter::GifWriter(std::span<const Image> samples) : palette_(palette_of(samples)) {
  if (!samples.empty()) width_ = samples[0].width, height_ = samples[0].height;
  out_ = "GIF89a";
  add_little_endian(out_, width_);
  add_little_endian(out_, height_);
  out_ += char(0xf7);  // a palette of 256 colors for all frames
  out_.append(2, '\0');
  for (std::size_t k = 0; k < 256; ++k) {
    const std::uint32_t color = k < palette_.size() ? palette_[k] : 0;
    for (int shift = 16; shift >= 0; shift -= 8) out_ += char((color >> shift) & 0xffU);
  }
  out_ += "\x21\xff\x0bNETSCAPE2.0\x03\x01";
  out_.append(3, '\0');  // repeats forever; end of the block
}

std::uint8_t GifWriter::index_of(std::uint32_t color) {
  const auto [known, is_new] = nearest_.emplace(color, 0);
  if (is_new)
    known->second = std::uint8_t(
        std::ranges::min_element(palette_, {},
                                 [&](std::uint32_t other) { return distance(color, other); }) -
        palette_.begin());
  return known->second;
}

void GifWriter::add(const Image& image, int hundredths) {
  if (image.width != width_ || image.height != height_)
    throw std::invalid_argument("GifWriter: all frames have one size");
  std::vector<std::uint8_t> now(std::size_t(width_) * std::size_t(height_));
  std::uint32_t last = color_at(image, 0);
  std::uint8_t index = index_of(last);
  for (std::size_t k = 0; k < now.size(); ++k) {  // most pixels equal the previous one
    if (const std::uint32_t color = color_at(image, k); color != last)
      index = index_of(last = color);
    now[k] = index;
  }
  int left = 0, top = 0, right = width_, bottom = height_;
  if (!shown_.empty()) {
    left = width_, top = height_, right = bottom = 0;
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const std::size_t k = std::size_t(y) * std::size_t(width_) + std::size_t(x);
        if (now[k] == shown_[k]) continue;
        left = std::min(left, x), right = std::max(right, x + 1);
        top = std::min(top, y), bottom = std::max(bottom, y + 1);
      }
    if (left >= right) left = top = 0, right = bottom = 1;  // no change: a frame of one pixel
  }
  std::vector<std::uint8_t> pixels;
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) {
      const std::size_t k = std::size_t(y) * std::size_t(width_) + std::size_t(x);
      pixels.push_back(!shown_.empty() && now[k] == shown_[k] ? transparent : now[k]);
    }
  out_ += "\x21\xf9\x04";
  out_ += char(shown_.empty() ? 0x04 : 0x05);  // keep; transparent pixels from the second frame on
  add_little_endian(out_, hundredths);
  out_ += char(transparent);
  out_ += '\0';
  out_ += ',';
  for (const int x : {left, top, right - left, bottom - top}) add_little_endian(out_, x);
  out_ += '\0';
  out_ += LzwCodes().encode(pixels);
  shown_ = std::move(now);
}

std::string GifWriter::finish() { return out_ + ';'; }

}  // namespace trammel
