#include "trammel/write/plot/raster/svg_image.hpp"

#include <tinyxml2.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <string>

#include "trammel/write/plot/raster/stroke_font.hpp"

namespace trammel {

namespace {

using tinyxml2::XMLElement;

[[noreturn]] void refuse(const std::string& fact) {
  throw std::invalid_argument("rasterize_svg: " + fact);
}

// x' = a x + c y + e, y' = b x + d y + f
struct Affine {
  double a = 1, b = 0, c = 0, d = 1, e = 0, f = 0;
  PixelPoint operator()(double x, double y) const { return {a * x + c * y + e, b * x + d * y + f}; }
  Affine operator*(const Affine& o) const {
    return {a * o.a + c * o.b, b * o.a + d * o.b,     a * o.c + c * o.d,
            b * o.c + d * o.d, a * o.e + c * o.f + e, b * o.e + d * o.f + f};
  }
  double size() const { return std::sqrt(std::abs(a * d - b * c)); }
};

std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> out;
  const std::string copy(text);
  for (const char* at = copy.c_str(); *at != '\0';) {
    char* end = nullptr;
    const double value = std::strtod(at, &end);
    if (end == at) {
      ++at;
      continue;
    }
    out.push_back(value);
    at = end;
  }
  return out;
}

Affine transform_of(const char* text) {
  Affine out;
  if (text == nullptr) return out;
  std::string_view left = text;
  while (true) {
    const std::size_t open = left.find('('), close = left.find(')');
    if (open == std::string_view::npos || close == std::string_view::npos) return out;
    std::string_view name = left.substr(0, open);
    name.remove_prefix(std::min(name.find_first_not_of(" ,"), name.size()));
    const std::vector<double> x = numbers_in(left.substr(open + 1, close - open - 1));
    if (name == "translate" && !x.empty()) {
      out = out * Affine{1, 0, 0, 1, x[0], x.size() > 1 ? x[1] : 0};
    } else if (name == "rotate" && x.size() == 1) {
      const double angle = x[0] * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
      out = out * Affine{c, s, -s, c, 0, 0};
    } else {
      refuse(fmt::format("the transform '{}' is not known", text));
    }
    left.remove_prefix(close + 1);
  }
}

std::optional<Color> color_of(std::string_view text) {
  if (text == "none") return std::nullopt;
  static const std::map<std::string_view, std::string_view> names{{"white", "#ffffff"},
                                                                  {"black", "#000000"}};
  if (const auto named = names.find(text); named != names.end()) text = named->second;
  if (text.size() == 7 && text[0] == '#') {
    const long value = std::strtol(std::string(text.substr(1)).c_str(), nullptr, 16);
    return Color{{std::uint8_t(value >> 16), std::uint8_t(value >> 8), std::uint8_t(value)}};
  }
  refuse(fmt::format("the color '{}' is not known", text));
}

struct Look {
  std::optional<Color> fill = Color{}, stroke;
  double stroke_width = 1, font_size = 16, opacity = 1, fill_opacity = 1, stroke_opacity = 1;
  std::vector<double> dashes;
  bool has_round_caps = false, is_bold = false, is_stroked_first = false;
  std::string anchor = "start";
  std::optional<Color> background;

  void set(std::string_view name, std::string_view value) {
    const auto number = [&] { return std::strtod(std::string(value).c_str(), nullptr); };
    if (name == "fill") {
      fill = color_of(value);
    } else if (name == "stroke") {
      stroke = color_of(value);
    } else if (name == "stroke-width") {
      stroke_width = number();
    } else if (name == "stroke-dasharray") {
      dashes = value == "none" ? std::vector<double>() : numbers_in(value);
    } else if (name == "stroke-linecap") {
      has_round_caps = value == "round";
    } else if (name == "opacity") {
      opacity = number();
    } else if (name == "fill-opacity") {
      fill_opacity = number();
    } else if (name == "stroke-opacity") {
      stroke_opacity = number();
    } else if (name == "font-size") {
      font_size = number();
    } else if (name == "font-weight") {
      is_bold = value == "bold" || number() >= 600;
    } else if (name == "font") {  // [weight] size family
      is_bold = value.starts_with("bold") || value.starts_with("600");
      const std::size_t px = value.find("px");
      const std::size_t begin = px == std::string_view::npos ? px : value.rfind(' ', px);
      font_size = std::strtod(
          std::string(value.substr(begin == std::string_view::npos ? 0 : begin + 1)).c_str(),
          nullptr);
    } else if (name == "text-anchor") {
      anchor = value;
    } else if (name == "paint-order") {
      is_stroked_first = value.starts_with("stroke");
    } else if (name == "background") {
      background = color_of(value);
    }
    // joins are always round, and there is one font
  }
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \n\t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \n\t\r") - first + 1);
}

template <class Use> void for_each_part(std::string_view text, char separator, const Use& use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (const std::string_view part = trimmed(text.substr(0, end)); !part.empty()) use(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}
template <class Use> void for_each_declaration(std::string_view text, const Use& use) {
  for_each_part(text, ';', [&](std::string_view part) {
    const std::size_t colon = part.find(':');
    if (colon != std::string_view::npos)
      use(trimmed(part.substr(0, colon)), trimmed(part.substr(colon + 1)));
  });
}

// "rect", ".joint", "text.t-name"; either part may be empty.
struct Selector {
  std::string element, name;
  explicit Selector(std::string_view text)
      : element(text.substr(0, text.find('.'))),
        name(text.find('.') == std::string_view::npos ? "" : text.substr(text.find('.') + 1)) {
    if (text.find_first_of(" >:[#*") != std::string_view::npos)
      refuse(fmt::format("the selector '{}' is not known", text));
  }
  bool matches(const XMLElement& on) const {
    if (!element.empty() && element != on.Name()) return false;
    if (name.empty()) return true;
    const char* const classes = on.Attribute("class");
    bool is_found = false;
    if (classes != nullptr)
      for_each_part(classes, ' ', [&](std::string_view one) { is_found |= one == name; });
    return is_found;
  }
  int weight() const { return (name.empty() ? 0 : 10) + (element.empty() ? 0 : 1); }
};
struct Rule {
  std::optional<Selector> before;  // ".t-ground + text": the element just before this one
  Selector on;
  std::string declarations;
  int weight() const { return on.weight() + (before ? before->weight() : 0); }
  bool matches(const XMLElement& element) const {
    if (!on.matches(element)) return false;
    if (!before) return true;
    const XMLElement* const previous = element.PreviousSiblingElement();
    return previous != nullptr && before->matches(*previous);
  }
};

class Drawing {
 public:
  Drawing(const XMLElement& root, double scale) : root_(root) {
    collect_rules(root);
    std::ranges::stable_sort(rules_, {}, [](const Rule& rule) { return rule.weight(); });
    const double width = root.DoubleAttribute("width"), height = root.DoubleAttribute("height");
    if (!(width * scale >= 1 && height * scale >= 1 && width * height * scale * scale < 2e8))
      refuse(fmt::format("a picture of {} by {} px cannot be drawn", width, height));
    const Look look = look_of(root, {});
    canvas_.emplace(int(std::lround(width * scale)), int(std::lround(height * scale)),
                    look.background.value_or(Color{{255, 255, 255}}));
    children(root, look, {scale, 0, 0, scale, 0, 0});
  }
  const Image& image() const { return canvas_->image(); }

 private:
  void collect_rules(const XMLElement& element) {
    if (std::string_view(element.Name()) == "style" && element.GetText() != nullptr)
      for_each_part(element.GetText(), '}', [&](std::string_view rule) {
        const std::size_t open = rule.find('{');
        if (open == std::string_view::npos) refuse("a style rule has no '{'");
        for_each_part(rule.substr(0, open), ',', [&](std::string_view selector) {
          const std::size_t plus = selector.find('+');
          const bool has_before = plus != std::string_view::npos;
          rules_.push_back({has_before ? std::optional(Selector(trimmed(selector.substr(0, plus))))
                                       : std::nullopt,
                            Selector(trimmed(has_before ? selector.substr(plus + 1) : selector)),
                            std::string(rule.substr(open + 1))});
        });
      });
    for (const XMLElement* child = element.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement())
      collect_rules(*child);
  }

  Look look_of(const XMLElement& element, Look look) const {
    look.opacity = 1;  // multiplied below by that of the parents
    for (const tinyxml2::XMLAttribute* one = element.FirstAttribute(); one != nullptr;
         one = one->Next())
      look.set(one->Name(), one->Value());
    for (const Rule& rule : rules_)
      if (rule.matches(element))
        for_each_declaration(rule.declarations,
                             [&](auto name, auto value) { look.set(name, value); });
    if (const char* const style = element.Attribute("style"))
      for_each_declaration(style, [&](auto name, auto value) { look.set(name, value); });
    return look;
  }

  void children(const XMLElement& element, const Look& look, const Affine& to_pixels) {
    for (const XMLElement* child = element.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement())
      draw(*child, look, to_pixels);
  }

  void draw(const XMLElement& element, const Look& around, const Affine& outside) {
    const std::string_view name = element.Name();
    if (name == "style" || name == "title") return;
    Look look = look_of(element, around);
    look.opacity *= around.opacity;
    const Affine to_pixels = outside * transform_of(element.Attribute("transform"));
    const auto at = [&](const char* attribute) { return length(element, attribute); };
    Polyline points;
    const auto add = [&](double x, double y) { points.push_back(to_pixels(x, y)); };
    if (name == "g") return children(element, look, to_pixels);
    if (name == "svg")
      return children(element, look, to_pixels * Affine{1, 0, 0, 1, at("x"), at("y")});
    if (name == "text") return text(element, look, to_pixels);
    if (name == "path") return path(element.Attribute("d"), look, to_pixels);
    if (name == "line") {
      add(at("x1"), at("y1"));
      add(at("x2"), at("y2"));
      look.fill.reset();
      return shape(points, false, look, to_pixels);
    }
    if (name == "polyline" || name == "polygon") {
      const char* const text = element.Attribute("points");
      const std::vector<double> x = numbers_in(text == nullptr ? "" : text);
      for (std::size_t k = 0; k + 1 < x.size(); k += 2) add(x[k], x[k + 1]);
      return shape(points, name == "polygon", look, to_pixels);
    }
    if (name == "circle" || name == "ellipse") {
      const double rx = at(name == "circle" ? "r" : "rx"), ry = at(name == "circle" ? "r" : "ry");
      arc(at("cx"), at("cy"), rx, ry, 0, 2 * std::numbers::pi, add, to_pixels);
      return shape(points, true, look, to_pixels);
    }
    if (name == "rect") {
      const double x = at("x"), y = at("y"), w = at("width"), h = at("height");
      const double r = std::min({at("rx"), w / 2, h / 2}), quarter = std::numbers::pi / 2;
      if (r > 0) {
        arc(x + w - r, y + h - r, r, r, 0, quarter, add, to_pixels);
        arc(x + r, y + h - r, r, r, quarter, 2 * quarter, add, to_pixels);
        arc(x + r, y + r, r, r, 2 * quarter, 3 * quarter, add, to_pixels);
        arc(x + w - r, y + r, r, r, 3 * quarter, 4 * quarter, add, to_pixels);
      } else {
        add(x, y), add(x + w, y), add(x + w, y + h), add(x, y + h);
      }
      return shape(points, true, look, to_pixels);
    }
    refuse(fmt::format("the element <{}> is not known", name));
  }

  // "100%" refers to the whole picture.
  double length(const XMLElement& element, const char* attribute) const {
    const char* const text = element.Attribute(attribute);
    if (text == nullptr) return 0;
    const double value = std::strtod(text, nullptr);
    if (std::string_view(text).find('%') == std::string_view::npos) return value;
    return value / 100 *
           root_.DoubleAttribute(std::string_view(attribute) == "height" ? "height" : "width");
  }

  template <class Add>
  static void arc(double cx, double cy, double rx, double ry, double from, double to,
                  const Add& add, const Affine& to_pixels) {
    const int n = std::clamp(int(4 * std::sqrt(std::max(rx, ry) * to_pixels.size())) + 8, 8, 160);
    for (int k = 0; k <= n; ++k) {
      const double angle = from + (to - from) * k / n;
      add(cx + rx * std::cos(angle), cy + ry * std::sin(angle));
    }
  }

  static Color faded(Color color, double opacity) {
    color.opacity *= opacity;
    return color;
  }
  static StrokeStyle stroke_of(const Look& look, double size) {
    StrokeStyle style{look.stroke_width * size, look.dashes, look.has_round_caps};
    for (double& dash : style.dashes) dash *= size;
    return style;
  }

  void shape(const Polyline& points, bool is_closed, const Look& look, const Affine& to_pixels) {
    if (look.fill) canvas_->fill(points, faded(*look.fill, look.opacity * look.fill_opacity));
    if (look.stroke)
      canvas_->stroke(points, is_closed, stroke_of(look, to_pixels.size()),
                      faded(*look.stroke, look.opacity * look.stroke_opacity));
  }

  void path(const char* text, const Look& look, const Affine& to_pixels) {
    if (text == nullptr) return;
    double x = 0, y = 0, begin_x = 0, begin_y = 0;
    Polyline points;
    const auto finish = [&](bool is_closed) {
      if (points.size() > 1) shape(points, is_closed, look, to_pixels);
      points.clear();
    };
    const auto go = [&](double to_x, double to_y) {
      if (points.empty()) points.push_back(to_pixels(x, y));
      x = to_x, y = to_y;
      points.push_back(to_pixels(x, y));
    };
    std::string_view left = text;
    while (!left.empty()) {
      const char command = left[0];
      left.remove_prefix(1);
      if (command == ' ' || command == '\n' || command == ',') continue;
      const std::size_t end = std::min(left.find_first_of("MmLlHhVvCcZzAaQqSsTt"), left.size());
      const std::vector<double> n = numbers_in(left.substr(0, end));
      left.remove_prefix(end);
      const bool is_relative = command >= 'a';
      const auto px = [&](std::size_t k) { return n[k] + (is_relative ? x : 0); };
      const auto py = [&](std::size_t k) { return n[k] + (is_relative ? y : 0); };
      switch (command) {
        case 'M':
        case 'm':
        case 'L':
        case 'l':
          for (std::size_t k = 0; k + 1 < n.size(); k += 2) {
            const double to_x = px(k), to_y = py(k + 1);
            if (k == 0 && (command == 'M' || command == 'm')) {
              finish(false);
              begin_x = x = to_x, begin_y = y = to_y;
            } else {
              go(to_x, to_y);
            }
          }
          break;
        case 'H':
        case 'h':
          for (std::size_t k = 0; k < n.size(); ++k) go(px(k), y);
          break;
        case 'V':
        case 'v':
          for (std::size_t k = 0; k < n.size(); ++k) go(x, py(k));
          break;
        case 'C':
        case 'c':
          for (std::size_t k = 0; k + 5 < n.size(); k += 6) {
            const double x0 = x, y0 = y, x1 = px(k), y1 = py(k + 1), x2 = px(k + 2), y2 = py(k + 3),
                         x3 = px(k + 4), y3 = py(k + 5);
            constexpr int parts = 32;
            for (int i = 1; i <= parts; ++i) {
              const double t = double(i) / parts, s = 1 - t;
              const double a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
              go(a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3);
            }
          }
          break;
        case 'Z':
        case 'z':
          finish(true);
          x = begin_x, y = begin_y;
          break;
        default: refuse(fmt::format("the path command '{}' is not known", command));
      }
    }
    finish(false);
  }

  void text(const XMLElement& element, const Look& look, const Affine& to_pixels) {
    const char* const words = element.GetText();
    if (words == nullptr) return;
    TextStrokes strokes = text_strokes(words, look.font_size);
    const double back = look.anchor == "middle" ? strokes.width / 2
                        : look.anchor == "end"  ? strokes.width
                                                : 0;
    const double x = length(element, "x") - back, y = length(element, "y");
    for (Polyline& line : strokes.lines)
      for (PixelPoint& p : line) p = to_pixels(x + p.x, y + p.y);
    const double size = to_pixels.size(), width = (look.is_bold ? 0.125 : 0.085) * look.font_size;
    if (look.stroke && look.is_stroked_first)
      canvas_->stroke(strokes.lines, {(width + look.stroke_width) * size, {}, true}, *look.stroke);
    if (look.fill)
      canvas_->stroke(strokes.lines, {width * size, {}, true},
                      faded(*look.fill, look.opacity * look.fill_opacity));
  }

  const XMLElement& root_;
  std::vector<Rule> rules_;
  std::optional<Canvas> canvas_;
};

}  // namespace

Image rasterize_svg(std::string_view svg, double scale) {
  tinyxml2::XMLDocument document;
  if (document.Parse(svg.data(), svg.size()) != tinyxml2::XML_SUCCESS)
    refuse(fmt::format("the text is no XML: {}", document.ErrorStr()));
  const XMLElement* const root = document.RootElement();
  if (root == nullptr || std::string_view(root->Name()) != "svg") refuse("the text is no SVG");
  return Drawing(*root, scale).image();
}

}  // namespace trammel
