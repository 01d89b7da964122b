#include "trammel/write/plot/raster/png.hpp"

#include <zlib.h>

#include <stdexcept>
#include <string_view>
#include <unordered_map>

namespace trammel {

namespace {

void add_big_endian(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += char((value >> shift) & 0xffU);
}

void add_chunk(std::string& out, std::string_view kind, std::string_view data) {
  add_big_endian(out, std::uint32_t(data.size()));
  const std::string body = std::string(kind) + std::string(data);
  out += body;
  add_big_endian(
      out, std::uint32_t(crc32(0, reinterpret_cast<const Bytef*>(body.data()), uInt(body.size()))));
}

std::string deflated(const std::string& data) {
  uLongf size = compressBound(uLong(data.size()));
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                reinterpret_cast<const Bytef*>(data.data()), uLong(data.size()), 9) != Z_OK)
    throw std::runtime_error("write_png: zlib could not compress the picture");
  out.resize(size);
  return out;
}

}  // namespace

std::string write_png(const Image& image) {
  const std::size_t pixels = std::size_t(image.width) * std::size_t(image.height);
  std::unordered_map<std::uint32_t, std::uint8_t> palette;
  const auto color = [&](std::size_t k) {
    const std::uint8_t* const p = &image.rgb[3 * k];
    return (std::uint32_t(p[0]) << 16) | (std::uint32_t(p[1]) << 8) | p[2];
  };
  std::string colors;
  for (std::size_t k = 0; k < pixels && palette.size() <= 256; ++k)
    if (palette.emplace(color(k), std::uint8_t(palette.size())).second)
      colors.append(reinterpret_cast<const char*>(&image.rgb[3 * k]), 3);
  const bool has_palette = palette.size() <= 256;

  std::string rows;
  for (int row = 0; row < image.height; ++row) {
    rows += '\0';  // no filter
    const std::size_t begin = std::size_t(row) * std::size_t(image.width);
    if (has_palette)
      for (std::size_t k = begin; k < begin + std::size_t(image.width); ++k)
        rows += char(palette.at(color(k)));
    else
      rows.append(reinterpret_cast<const char*>(&image.rgb[3 * begin]),
                  std::size_t(3 * image.width));
  }
  std::string header;
  add_big_endian(header, std::uint32_t(image.width));
  add_big_endian(header, std::uint32_t(image.height));
  header += char(8);                    // bits
  header += char(has_palette ? 3 : 2);  // indexed, or true color
  header.append(3, '\0');               // deflate, filters by row, not interlaced

  std::string out = "\x89PNG\r\n\x1a\n";
  add_chunk(out, "IHDR", header);
  if (has_palette) add_chunk(out, "PLTE", colors);
  add_chunk(out, "IDAT", deflated(rows));
  add_chunk(out, "IEND", {});
  return out;
}

}  // namespace trammel
