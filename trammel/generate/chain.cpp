#include "trammel/generate/chain.hpp"

#include <cstddef>
#include <numbers>
#include <utility>

#include <fmt/format.h>

namespace trammel {

namespace {

constexpr double quarter_turn = std::numbers::pi / 2;

// 0, 1, 2 for x, y, z in either direction; -1 for any other vector
int axis_of(const Vec3<Expr>& along) {
  const Expr parts[] = {along.x, along.y, along.z};
  int found = -1;
  for (int k = 0; k < 3; ++k) {
    const bool is_one = is_same(parts[k], 1.0) || is_same(parts[k], -1.0);
    if (!is_one && !is_same(parts[k], 0.0)) return -1;
    if (is_one && found >= 0) return -1;
    if (is_one) found = k;
  }
  return found;
}

void check(const ChainTable& table) {
  Diagnostics diagnostics;
  if (table.links.empty()) diagnostics.error({}, "the chain has no links", "give at least one");
  for (std::size_t i = 0; i < table.links.size(); ++i)
    if (axis_of(table.links[i].along) < 0)
      diagnostics.error({}, fmt::format("link {} of the chain leads along no axis", i + 1),
                        "it leads along x, y or z, or against one of them");
  if (diagnostics.has_errors()) throw ModelError(std::move(diagnostics));
}

Vec3<Expr> middle_of(const ChainLink& link) { return (link.length / 2.0) * link.along; }

Solid solid_of(const ChainLink& link) {
  const Expr about = link.mass * link.radius * link.radius / 2.0;
  const Expr across = about / 2.0 + link.mass * link.length * link.length / 12.0;
  const int k = axis_of(link.along);
  const auto moment = [&](int axis) { return axis == k ? about : across; };
  return {link.mass, middle_of(link), {moment(0), 0.0, 0.0, moment(1), 0.0, moment(2)}};
}

// a thin rod is drawn with a radius of 1/50 of its length
Shape shape_of(const ChainLink& link) {
  const Expr radius = is_same(link.radius, 0.0) ? link.length / 50.0 : link.radius;
  const int k = axis_of(link.along);
  return {.kind = Shape::Kind::cylinder,
          .size = {radius, link.length, 0.0},
          .at = {middle_of(link), {k == 1 ? quarter_turn : 0.0, k == 0 ? quarter_turn : 0.0, 0.0}}};
}

}  // namespace

void add_chain(Description& description, const ChainTable& table) {
  check(table);
  std::string parent = table.base;
  Placement at = table.base_at;
  for (std::size_t i = 0; i < table.links.size(); ++i) {
    const ChainLink& link = table.links[i];
    const std::string body = fmt::format("{}link{}", table.prefix, i + 1);
    description.body(body, solid_of(link));
    description.bodies.back().shapes.push_back(shape_of(link));
    JointOptions how = link.joint;
    how.at = at;
    description.joint(fmt::format("{}joint{}", table.prefix, i + 1), link.kind, parent, body, how);
    parent = body;
    at = {link.length * link.along, {}};
  }
  description.frame(table.prefix + "tip", parent, at);
}

}  // namespace trammel
