#include "trammel/write/plot/raster/canvas.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trammel {

namespace {

// Parts of a line after dashing.
std::vector<Polyline> dashed(const Polyline& line, const std::vector<double>& dashes) {
  double period = 0;
  for (const double dash : dashes) period += dash;
  if (!(period > 1e-6)) return {line};
  std::vector<Polyline> out;
  Polyline now;
  std::size_t k = 0;
  double left = dashes[0];
  bool is_on = true;
  if (!line.empty()) now.push_back(line.front());
  for (std::size_t i = 1; i < line.size(); ++i) {
    PixelPoint a = line[i - 1];
    const PixelPoint b = line[i];
    double length = std::hypot(b.x - a.x, b.y - a.y);
    while (length > left) {
      const double share = left / length;
      a = {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
      length -= left;
      if (is_on) {
        now.push_back(a);
        out.push_back(std::move(now));
      }
      now = {a};
      is_on = !is_on;
      k = (k + 1) % dashes.size();
      left = std::max(dashes[k], 1e-3);
    }
    left -= length;
    now.push_back(b);
  }
  if (is_on && now.size() > 1) out.push_back(std::move(now));
  return out;
}

}  // namespace

Canvas::Canvas(int width, int height, const Color& background)
    : image_{width, height,
             std::vector<std::uint8_t>(std::size_t(3 * width) * std::size_t(height))},
      area_(std::size_t(width + 2) * std::size_t(height)),
      coverage_(std::size_t(width) * std::size_t(height)),
      pieces_(nothing()),
      shape_(nothing()) {
  for (std::size_t k = 0; k < image_.rgb.size(); ++k) image_.rgb[k] = background.rgb[k % 3];
}

Canvas::Box Canvas::clipped(std::span<const PixelPoint> polygon) const {
  double left = image_.width, top = image_.height, right = 0, bottom = 0;
  for (const PixelPoint& p : polygon) {
    left = std::min(left, p.x), right = std::max(right, p.x);
    top = std::min(top, p.y), bottom = std::max(bottom, p.y);
  }
  const auto within = [](double x, int most) { return int(std::clamp(x, 0.0, double(most))); };
  return {within(std::floor(left), image_.width), within(std::floor(top), image_.height),
          within(std::ceil(right), image_.width), within(std::ceil(bottom), image_.height)};
}

// Adds the edge's change of the area to its right to area_, pixel by pixel: the running sum along a
// row is the coverage. Outside the image it is moved to the nearest column.
void Canvas::add_edge(PixelPoint from, PixelPoint to) {
  if (from.y == to.y) return;
  const float sign = from.y < to.y ? 1.0F : -1.0F;
  if (from.y > to.y) std::swap(from, to);
  const double slope = (to.x - from.x) / (to.y - from.y);
  const int first = std::max(0, int(std::floor(std::max(from.y, 0.0))));
  const double low = std::min(to.y, double(image_.height));
  for (int row = first; row < low; ++row) {
    const double top = std::max(from.y, double(row)), bottom = std::min(low, double(row) + 1);
    if (bottom <= top) continue;
    const auto at = [&](double y) {
      return std::clamp(from.x + slope * (y - from.y), 0.0, double(image_.width));
    };
    const double xa = at(top), xb = at(bottom), x0 = std::min(xa, xb), x1 = std::max(xa, xb);
    const float high = sign * float(bottom - top);
    float* const area = &area_[std::size_t(row) * std::size_t(image_.width + 2)];
    const int i0 = int(x0), i1 = int(std::ceil(x1));
    if (i1 <= i0 + 1) {  // within one column
      const float right = float(0.5 * (x0 + x1) - i0);
      area[i0] += high * (1 - right);
      area[i0 + 1] += high * right;
      continue;
    }
    // a trapezoid over several columns: the part of each is the change of the area to its right
    double before = 0;
    for (int i = i0; i < i1; ++i) {
      const double a = std::max(x0, double(i)), b = std::min(x1, double(i) + 1);
      // x changes linearly from x0 to x1: the fraction within the column, and its mean coverage
      const double part = (b - a) / (x1 - x0), covered = i + 1 - 0.5 * (a + b);
      const double now = part * covered;
      area[i] += high * float(now + before);
      before = part - now;
    }
    area[i1] += high * float(before);
  }
}

// Pieces are summed with one orientation: where they share an edge they leave no seam.
void Canvas::add_piece(Polyline polygon) {
  double area = 0;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const PixelPoint a = polygon[k], b = polygon[(k + 1) % polygon.size()];
    area += a.x * b.y - b.x * a.y;
  }
  if (area < 0) std::ranges::reverse(polygon);
  const Box box = clipped(polygon);
  if (box.is_empty()) return;
  for (std::size_t k = 0; k < polygon.size(); ++k)
    add_edge(polygon[k], polygon[(k + 1) % polygon.size()]);
  enclose(pieces_, box);
}

void Canvas::close_shape() {
  for (int row = pieces_.top; row < pieces_.bottom; ++row) {
    float* const area = &area_[std::size_t(row) * std::size_t(image_.width + 2)];
    float* const out = &coverage_[std::size_t(row) * std::size_t(image_.width)];
    float sum = 0;
    for (int x = pieces_.left; x < pieces_.right; ++x) {
      sum += area[x];
      out[x] = std::max(out[x], std::min(std::abs(sum), 1.0F));
    }
    std::fill(area + pieces_.left, area + std::min(pieces_.right + 2, image_.width + 2), 0.0F);
  }
  if (!pieces_.is_empty()) enclose(shape_, pieces_);
  pieces_ = nothing();
}

void Canvas::enclose(Box& box, const Box& other) {
  box = {std::min(box.left, other.left), std::min(box.top, other.top),
         std::max(box.right, other.right), std::max(box.bottom, other.bottom)};
}

void Canvas::add_sector(PixelPoint center, PixelPoint from, double angle) {
  // chords that deviate at most 0.02 px from the arc
  const double radius = std::hypot(from.x, from.y);
  const double most = 2 * std::acos(std::max(1 - 0.02 / radius, 0.0));
  const int n = std::clamp(int(std::ceil(std::abs(angle) / most)), 1, 256);
  Polyline sector{center};
  for (int k = 0; k <= n; ++k) {
    const double c = std::cos(angle * k / n), s = std::sin(angle * k / n);
    sector.push_back({center.x + c * from.x - s * from.y, center.y + s * from.x + c * from.y});
  }
  add_piece(std::move(sector));
}

// One quadrilateral per segment, which shares the miter corners with its neighbor if the turn is
// small; else the outer side of the joint is a sector, and the quadrilaterals overlap on the inner
// side.
void Canvas::add_line(const Polyline& line, bool is_closed, const StrokeStyle& style) {
  const double half = style.width / 2;
  struct Segment {
    PixelPoint from, to, along;  // along: unit vector
    double length;
    double miter_from = 0, miter_to = 0;  // shortens the left side, lengthens the right
  };
  std::vector<Segment> segments;
  const auto add = [&](PixelPoint a, PixelPoint b) {
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (length >= 1e-9)
      segments.push_back({a, b, {(b.x - a.x) / length, (b.y - a.y) / length}, length});
  };
  for (std::size_t k = 1; k < line.size(); ++k)
    add(segments.empty() ? line.front() : segments.back().to, line[k]);
  if (is_closed && !segments.empty()) add(segments.back().to, line.front());
  const auto left = [&](const Segment& segment) {
    return PixelPoint{-half * segment.along.y, half * segment.along.x};
  };
  const auto right = [&](const Segment& segment) {
    return PixelPoint{half * segment.along.y, -half * segment.along.x};
  };
  if (segments.empty()) {
    if (is_closed || style.has_round_caps)
      add_sector(line.front(), {half, 0}, 2 * std::numbers::pi);
    return close_shape();
  }
  const std::size_t n = segments.size();
  for (std::size_t k = is_closed ? 0 : 1; k < n; ++k) {
    Segment &before = segments[(k + n - 1) % n], &after = segments[k];
    const PixelPoint u = before.along, w = after.along;
    const double sine = u.x * w.y - u.y * w.x, cosine = u.x * w.x + u.y * w.y;
    const double miter = half * sine / (1 + cosine);
    if (cosine > 0.9 && std::abs(miter) <= 0.5 * std::min(before.length, after.length))
      before.miter_to = after.miter_from = miter;
    else
      add_sector(after.from, std::signbit(sine) ? left(before) : right(before),
                 std::atan2(sine, cosine));
  }
  for (const Segment& segment : segments) {
    const auto corner = [&](PixelPoint end, PixelPoint side, double shift) {
      return PixelPoint{end.x + side.x + shift * segment.along.x,
                        end.y + side.y + shift * segment.along.y};
    };
    add_piece({corner(segment.from, left(segment), segment.miter_from),
               corner(segment.to, left(segment), -segment.miter_to),
               corner(segment.to, right(segment), segment.miter_to),
               corner(segment.from, right(segment), -segment.miter_from)});
  }
  if (style.has_round_caps && !is_closed) {
    add_sector(segments.front().from, left(segments.front()), std::numbers::pi);
    add_sector(segments.back().to, right(segments.back()), std::numbers::pi);
  }
  close_shape();
}

void Canvas::paint(const Color& color) {
  for (int row = shape_.top; row < shape_.bottom; ++row)
    for (int x = shape_.left; x < shape_.right; ++x) {
      const std::size_t k = std::size_t(row) * std::size_t(image_.width) + std::size_t(x);
      const double share = coverage_[k] * color.opacity;
      coverage_[k] = 0;
      if (!(share > 0)) continue;
      for (std::size_t c = 0; c < 3; ++c) {
        std::uint8_t& value = image_.rgb[3 * k + c];
        value = std::uint8_t(std::lround(value + share * (double(color.rgb[c]) - value)));
      }
    }
  shape_ = nothing();
}

void Canvas::fill(const Polyline& polygon, const Color& color) {
  if (polygon.size() < 3) return;
  add_piece(polygon);
  close_shape();
  paint(color);
}

void Canvas::stroke(const Polyline& line, bool is_closed, const StrokeStyle& style,
                    const Color& color) {
  if (line.empty() || !(style.width > 0)) return;
  if (style.dashes.empty()) {
    add_line(line, is_closed, style);
    return paint(color);
  }
  Polyline whole = line;
  if (is_closed) whole.push_back(line.front());
  stroke(dashed(whole, style.dashes), {style.width, {}, style.has_round_caps}, color);
}

void Canvas::stroke(std::span<const Polyline> lines, const StrokeStyle& style, const Color& color) {
  for (const Polyline& line : lines)
    if (!line.empty()) add_line(line, false, style);
  paint(color);
}

}  // namespace trammel
