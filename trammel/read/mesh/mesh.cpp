#include "trammel/read/mesh/mesh.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include <fmt/format.h>

namespace trammel {

namespace {

using Point = std::array<float, 3>;

// Builds a mesh from triangles given by their vertices: equal vertices become one point.
class Welder {
 public:
  std::uint32_t add(const Point& point) {
    const auto [found, is_new] = known_.try_emplace(point, std::uint32_t(mesh_.points.size()));
    if (is_new) mesh_.points.push_back(point);
    return found->second;
  }
  // Degenerate triangles are left out.
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (a != b && b != c && a != c) mesh_.triangles.push_back({a, b, c});
  }
  TriangleMesh finish() { return std::move(mesh_); }

 private:
  struct Hash {
    std::size_t operator()(const Point& point) const {
      std::size_t sum = 0;
      for (const float x : point) sum = sum * 1000003u ^ std::hash<float>()(x);
      return sum;
    }
  };
  std::unordered_map<Point, std::uint32_t, Hash> known_;
  TriangleMesh mesh_;
};

bool is_finite(const Point& point) {
  return std::ranges::all_of(point, [](float x) { return std::isfinite(x); });
}

// Words of a text, line by line.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}
  // Moves to the next line that has words; false at the end.
  bool next_line() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      skip_blanks();
      if (!line_.empty()) return true;
    }
    return false;
  }
  // The next word of the line; empty if there is none.
  std::string_view word() {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    const std::size_t end = std::size_t(std::ranges::find_if(line_, is_blank) - line_.begin());
    const std::string_view word = line_.substr(0, end);
    line_.remove_prefix(end);
    skip_blanks();
    return word;
  }
  bool number(float& out) {
    std::string_view text = word();
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, mistake] = std::from_chars(text.begin(), text.end(), out);
    return mistake == std::errc() && end == text.end();
  }
  bool point(Point& out) { return number(out[0]) && number(out[1]) && number(out[2]); }
  int line_number() const { return number_; }

 private:
  void skip_blanks() {
    const std::size_t first = line_.find_first_not_of(" \t\r");
    line_.remove_prefix(first == line_.npos ? line_.size() : first);
  }
  std::string_view rest_, line_;
  int number_ = 0;
};

using Parsed = std::variant<TriangleMesh, MeshMistake>;

// Binary STL: a header of 80 bytes, a count, and 50 bytes per triangle: normal, vertices, two more
// bytes.
constexpr std::size_t stl_head = 84, stl_triangle = 50;
std::uint32_t stl_count(std::string_view bytes) {
  std::uint32_t count = 0;
  for (std::size_t k = 0; k < 4; ++k)
    count |= std::uint32_t(static_cast<unsigned char>(bytes[80 + k])) << (8 * k);
  return count;
}

Parsed parse_binary_stl(std::string_view bytes) {
  Welder weld;
  const std::uint32_t count = stl_count(bytes);
  for (std::uint32_t t = 0; t < count; ++t) {
    std::uint32_t corners[3];
    for (std::size_t c = 0; c < 3; ++c) {
      Point point;
      for (std::size_t k = 0; k < 3; ++k) {
        std::uint32_t bits = 0;
        for (std::size_t b = 0; b < 4; ++b)
          bits |= std::uint32_t(static_cast<unsigned char>(
                      bytes[stl_head + t * stl_triangle + 12 + 12 * c + 4 * k + b]))
                  << (8 * b);
        point[k] = std::bit_cast<float>(bits);
      }
      if (!is_finite(point))
        return MeshMistake{
            0, fmt::format("has a triangle ({}) whose corners are not finite", t + 1), ""};
      corners[c] = weld.add(point);
    }
    weld.triangle(corners[0], corners[1], corners[2]);
  }
  return weld.finish();
}

Parsed parse_text_stl(std::string_view text) {
  Welder weld;
  std::vector<std::uint32_t> corners;
  Words words(text);
  while (words.next_line()) {
    const std::string_view first = words.word();
    if (first == "vertex") {
      Point point;
      if (!words.point(point) || !is_finite(point))
        return MeshMistake{words.line_number(), "a vertex is not three finite numbers", ""};
      corners.push_back(weld.add(point));
    } else if (first == "endfacet") {
      if (corners.size() != 3)
        return MeshMistake{words.line_number(),
                           fmt::format("a facet has {} corners, it must have 3", corners.size()),
                           ""};
      weld.triangle(corners[0], corners[1], corners[2]);
      corners.clear();
    } else if (first != "solid" && first != "facet" && first != "outer" && first != "endloop" &&
               first != "endsolid") {
      return MeshMistake{
          words.line_number(),
          fmt::format("'{}' is no word of an STL file", shortened(std::string(first))), ""};
    }
  }
  if (!corners.empty())
    return MeshMistake{words.line_number(), "it ends within a facet", "it is cut short"};
  return weld.finish();
}

Parsed parse_stl(std::string_view bytes) {
  // a binary file may begin with "solid" too: only its length distinguishes it
  if (bytes.size() >= stl_head && bytes.size() == stl_head + stl_triangle * stl_count(bytes))
    return parse_binary_stl(bytes);
  if (bytes.starts_with("solid") && bytes.find("facet") != bytes.npos) return parse_text_stl(bytes);
  if (bytes.size() < stl_head)
    return MeshMistake{0, fmt::format("has {} bytes, too few for an STL file", bytes.size()), ""};
  return MeshMistake{0,
                     fmt::format("says {} triangles and has bytes for {}", stl_count(bytes),
                                 (bytes.size() - stl_head) / stl_triangle),
                     "it is cut short, or no STL file"};
}

Parsed parse_obj(std::string_view text) {
  Welder weld;
  std::vector<std::uint32_t> points, corners;
  Words words(text);
  while (words.next_line()) {
    const std::string_view first = words.word();
    const auto wrong = [&](std::string what) {
      return MeshMistake{words.line_number(), std::move(what), ""};
    };
    if (first == "v") {
      Point point;
      if (!words.point(point) || !is_finite(point))
        return wrong("a vertex is not three finite numbers");
      points.push_back(weld.add(point));
    } else if (first == "f") {
      corners.clear();
      for (std::string_view word = words.word(); !word.empty(); word = words.word()) {
        // "7/1/3": the first number is the point, counted from 1, or back from the last one if
        // negative
        word = word.substr(0, word.find('/'));
        long k = 0;
        const auto [end, mistake] = std::from_chars(word.begin(), word.end(), k);
        if (mistake != std::errc() || end != word.end())
          return wrong("a corner of a face is no number");
        const long at = k < 0 ? long(points.size()) + k : k - 1;
        if (at < 0 || at >= long(points.size()))
          return wrong(
              fmt::format("a face names vertex {}, and there are {} so far", k, points.size()));
        corners.push_back(points[std::size_t(at)]);
      }
      if (corners.size() < 3)
        return wrong(fmt::format("a face has {} corners, it must have 3 or more", corners.size()));
      for (std::size_t k = 1; k + 1 < corners.size(); ++k)
        weld.triangle(corners[0], corners[k], corners[k + 1]);
    }
  }
  return weld.finish();
}

}  // namespace

Parsed parse_mesh(const std::string& name, std::string_view bytes) {
  const std::size_t dot = name.rfind('.');
  std::string ending = dot == name.npos ? "" : name.substr(dot);
  std::ranges::transform(ending, ending.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  if (ending != ".stl" && ending != ".obj")
    return MeshMistake{0, fmt::format("is a '{}' file, which is not read here", ending),
                       "convert it to STL or OBJ"};
  Parsed parsed = ending == ".stl" ? parse_stl(bytes) : parse_obj(bytes);
  if (const auto* mesh = std::get_if<TriangleMesh>(&parsed); mesh && mesh->triangles.empty())
    return MeshMistake{0, "has no triangles", ""};
  return parsed;
}

}  // namespace trammel
