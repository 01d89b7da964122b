// Texts, numbers and columns of numbers as JSON that is safe inside a page's script element.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "trammel/spatial/pose.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel::json {

// Quoted. "<" is escaped: "</script" in a name must not end the script element.
inline std::string text(std::string_view description) {
  std::string out = "\"";
  for (const char c : description) {
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (c == '<' || static_cast<unsigned char>(c) < ' ')
      out += fmt::format("\\u{:04x}", int(c));
    else
      out += c;
  }
  return out + '"';
}

// JSON cannot represent numbers that are not finite: null.
inline std::string number(double x) { return std::isfinite(x) ? fmt::format("{}", x) : "null"; }

inline std::string vector(const Vec3<double>& a) {
  return fmt::format("[{},{},{}]", number(a.x), number(a.y), number(a.z));
}

// x y z, then the quaternion x y z w.
inline std::string placement(const Pose<double>& X) {
  const Quaternion<double> q = quaternion(X.R);
  return fmt::format("[{},{},{},{},{},{},{}]", number(X.p.x), number(X.p.y), number(X.p.z),
                     number(q.x), number(q.y), number(q.z), number(q.w));
}

// [a,b,c] with `make` applied to each entry.
template <class List, class Make> std::string list(const List& entries, const Make& make) {
  std::string out = "[";
  for (const auto& entry : entries) {
    if (out.size() > 1) out += ',';
    out += make(entry);
  }
  return out + ']';
}

// Bytes as base64, in quotes.
inline std::string base64(const std::string& bytes) {
  static constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out = "\"";
  out.reserve(bytes.size() * 4 / 3 + 8);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - k);
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 3; ++i)
      word = word << 8 | (i < count ? static_cast<unsigned char>(bytes[k + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i)
      out += i <= count ? letters[word >> (18 - 6 * i) & 63u] : '=';
  }
  return out + '"';
}

// A column of numbers as bytes, little-endian as in browsers.
template <class Bits, class Number> std::string column(std::span<const Number> numbers) {
  std::string bytes;
  bytes.reserve(numbers.size() * sizeof(Number));
  for (const Number x : numbers)
    for (std::size_t i = 0; i < sizeof(Number); ++i)
      bytes += static_cast<char>(std::bit_cast<Bits>(x) >> (8 * i) & 0xffu);
  return base64(bytes);
}
inline std::string doubles(std::span<const double> numbers) {
  return column<std::uint64_t>(numbers);
}
inline std::string floats(std::span<const float> numbers) { return column<std::uint32_t>(numbers); }

}  // namespace trammel::json
