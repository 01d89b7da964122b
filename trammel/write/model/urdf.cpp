#include "trammel/write/model/urdf.hpp"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/model/description/frames.hpp"
#include "trammel/write/model/urdf/robot.hpp"

namespace trammel::urdf {

namespace {

// The shortest text that reads back as the same number; zero has no sign.
std::string text_of(double x) {
  char buffer[32];
  char* const end = std::to_chars(buffer, buffer + sizeof buffer, x == 0 ? 0.0 : x).ptr;
  return {buffer, end};
}
std::string text_of(const Vec3<double>& a) {
  return text_of(a.x) + " " + text_of(a.y) + " " + text_of(a.z);
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;
      case '\r': out += "&#13;"; break;
      case '\t': out += "&#9;"; break;
      default: out += c;
    }
  return out;
}

class XmlWriter {
 public:
  using Attributes = std::initializer_list<std::pair<std::string_view, std::string>>;

  void line(std::string_view tag, const Attributes& attributes = {}) { put(tag, attributes, "/>"); }
  // an element with the content that `inside` writes; self-closing if that is empty
  template <class Inside>
  void block(std::string_view tag, const Attributes& attributes, const Inside& inside) {
    put(tag, attributes, ">");
    const std::size_t before = text_.size();
    depth_ += 2;
    inside();
    depth_ -= 2;
    if (text_.size() == before) {
      text_.replace(before - 2, 2, "/>\n");
    } else {
      text_ += fmt::format("{:{}}</{}>\n", "", depth_, tag);
    }
  }
  std::string take() { return std::move(text_); }

 private:
  void put(std::string_view tag, const Attributes& attributes, std::string_view end) {
    text_ += fmt::format("{:{}}<{}", "", depth_, tag);
    for (const auto& [name, value] : attributes)
      text_ += fmt::format(" {}=\"{}\"", name, escaped(value));
    text_ += fmt::format("{}\n", end);
  }
  std::string text_ = "<?xml version=\"1.0\"?>\n";
  int depth_ = 0;
};

class Writer {
 public:
  explicit Writer(const Values<double>& value) : value_(value) {}

  std::string write(const std::string& name, const Robot& robot) {
    xml_.block("robot", {{"name", name}}, [&] {
      for (const Link& link : robot.links)
        xml_.block("link", {{"name", link.name}}, [&] {
          if (link.body) write(*link.body);
        });
      for (const Joint& joint : robot.joints) write(joint);
      for (const Loop& loop : robot.loops) write(loop);
      for (const Coupling& coupling : robot.couplings)
        xml_.block("coupling", {{"name", coupling.name}}, [&] {
          xml_.line("predecessor", {{"link", coupling.predecessor}});
          xml_.line("successor", {{"link", coupling.successor}});
          xml_.line("ratio", {{"value", text_of(coupling.ratio)}});
        });
    });
    return xml_.take();
  }

 private:
  void write_origin(const Vec3<double>& xyz, const Vec3<double>& rpy) {
    const auto is_zero = [](const Vec3<double>& a) { return a.x == 0 && a.y == 0 && a.z == 0; };
    if (is_zero(xyz) && is_zero(rpy)) return;
    xml_.line("origin", {{"xyz", text_of(xyz)}, {"rpy", text_of(rpy)}});
  }

  void write(const BodyDescription& body) {
    const Solid& solid = body.solid;
    const SymMat3<Expr>& I = solid.inertia;
    const auto text = [&](const Expr& number) { return text_of(value_(number)); };
    const bool is_massless =
        value_(solid.mass) == 0 && value_(I.xx) == 0 && value_(I.yy) == 0 && value_(I.zz) == 0;
    if (!is_massless)
      xml_.block("inertial", {}, [&] {
        write_origin(value_of(solid.com, value_), {});
        xml_.line("mass", {{"value", text(solid.mass)}});
        xml_.line("inertia", {{"ixx", text(I.xx)},
                              {"ixy", text(I.xy)},
                              {"ixz", text(I.xz)},
                              {"iyy", text(I.yy)},
                              {"iyz", text(I.yz)},
                              {"izz", text(I.zz)}});
      });
    for (const Shape& shape : body.shapes) write(shape);
  }

  void write(const Shape& shape) {
    const auto inside = [&] {
      write_origin(value_of(shape.at.xyz, value_), value_of(shape.at.rpy, value_));
      xml_.block("geometry", {}, [&] { write_form(shape); });
      if (shape.color && !shape.is_collision) write_color(*shape.color);
    };
    const std::string_view tag = shape.is_collision ? "collision" : "visual";
    if (shape.name.empty())
      xml_.block(tag, {}, inside);
    else
      xml_.block(tag, {{"name", shape.name}}, inside);
  }
  void write_form(const Shape& shape) {
    const Vec3<double> size = value_of(shape.size, value_), scale = value_of(shape.scale, value_);
    const std::string radius = text_of(size.x), length = text_of(size.y);
    switch (shape.kind) {
      case Shape::Kind::box: return xml_.line("box", {{"size", text_of(size)}});
      case Shape::Kind::sphere: return xml_.line("sphere", {{"radius", radius}});
      case Shape::Kind::cylinder:
        return xml_.line("cylinder", {{"radius", radius}, {"length", length}});
      case Shape::Kind::capsule:
        return xml_.line("capsule", {{"radius", radius}, {"length", length}});
      case Shape::Kind::mesh: break;
    }
    if (scale.x == 1 && scale.y == 1 && scale.z == 1)
      xml_.line("mesh", {{"filename", shape.mesh}});
    else
      xml_.line("mesh", {{"filename", shape.mesh}, {"scale", text_of(scale)}});
  }
  // URDF has colors by name; equal colors share one name.
  void write_color(const std::array<double, 4>& color) {
    const auto found = std::ranges::find(colors_, color);
    const auto number = found - colors_.begin() + 1;
    if (found == colors_.end()) colors_.push_back(color);
    std::string rgba;
    for (const double x : color) rgba += (rgba.empty() ? "" : " ") + text_of(x);
    xml_.block("material", {{"name", fmt::format("color_{}", number)}}, [&] {
      xml_.line("color", {{"rgba", rgba}});
    });
  }

  void write(const Joint& joint) {
    xml_.block("joint", {{"name", joint.name}, {"type", joint.type}}, [&] {
      write_origin(joint.origin.xyz, joint.origin.rpy);
      xml_.line("parent", {{"link", joint.parent}});
      xml_.line("child", {{"link", joint.child}});
      if (joint.axis) xml_.line("axis", {{"xyz", text_of(*joint.axis)}});
      if (joint.limit) write(*joint.limit);
      if (joint.damping != 0) xml_.line("dynamics", {{"damping", text_of(joint.damping)}});
      if (joint.mimic)
        xml_.line("mimic", {{"joint", joint.mimic->joint},
                            {"multiplier", text_of(joint.mimic->multiplier)},
                            {"offset", text_of(joint.mimic->offset)}});
    });
  }
  void write(const Loop& loop) {
    xml_.block("loop", {{"name", loop.name}, {"type", loop.type}}, [&] {
      xml_.block("predecessor", {{"link", loop.predecessor}},
                 [&] { write_origin(loop.at.xyz, loop.at.rpy); });
      xml_.block("successor", {{"link", loop.successor}},
                 [&] { write_origin(loop.child_at.xyz, loop.child_at.rpy); });
      if (loop.axis) xml_.line("axis", {{"xyz", text_of(*loop.axis)}});
    });
  }
  void write(const Limit& limit) {
    const std::string effort = text_of(limit.effort), velocity = text_of(limit.velocity);
    if (limit.has_range)
      xml_.line("limit", {{"lower", text_of(limit.lower)},
                          {"upper", text_of(limit.upper)},
                          {"effort", effort},
                          {"velocity", velocity}});
    else
      xml_.line("limit", {{"effort", effort}, {"velocity", velocity}});
  }

  const Values<double>& value_;
  XmlWriter xml_;
  std::vector<std::array<double, 4>> colors_;
};

}  // namespace

}  // namespace trammel::urdf

std::string trammel::write_urdf(const Description& description, Diagnostics& report) {
  const Model model = rebuild_model(description);
  const Values<double> value = evaluate_at_nominal(description);
  Diagnostics found;
  const urdf::Robot robot = urdf::make_robot(model, value, found);
  urdf::report_losses(model, value, found);
  report.append(found);
  return found.has_errors() ? std::string() : urdf::Writer(value).write(description.name, robot);
}
