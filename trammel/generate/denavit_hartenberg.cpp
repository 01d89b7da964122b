#include "trammel/generate/denavit_hartenberg.hpp"

#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "trammel/spatial/rotation.hpp"

namespace trammel {

namespace {

void check(const DhTable& table, bool must_be_modified) {
  Diagnostics diagnostics;
  if (table.rows.empty())
    diagnostics.error({}, "the Denavit-Hartenberg table has no rows", "give one for each link");
  if (must_be_modified && table.convention != DhConvention::modified)
    diagnostics.error({}, "the Denavit-Hartenberg table is a standard one",
                      "only modified tables have an SDOF form link by link");
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const JointKind kind = table.rows[i].kind;
    if (kind == JointKind::revolute || kind == JointKind::prismatic || kind == JointKind::fixed)
      continue;
    diagnostics.error(
        {}, fmt::format("row {} of the Denavit-Hartenberg table is {}", i + 1, to_string(kind)),
        "its joints are revolute, prismatic or fixed");
  }
  if (diagnostics.has_errors()) throw ModelError(std::move(diagnostics));
}

// a along x, then d along the z axis turned by alpha
Vec3<Expr> modified_offset(const Expr& a, const Expr& alpha, const Expr& d) {
  const SinCos<Expr> turned = sin_cos(alpha);
  return {a, -(d * turned.sin), d * turned.cos};
}

// The joint acts about or along z; the remaining parameters place it on the parent or on the child.
JointOptions options_of(DhConvention convention, const DhRow& row) {
  JointOptions how;
  if (convention == DhConvention::modified) {
    how.at = {modified_offset(row.a, row.alpha, row.d), {row.alpha, 0.0, 0.0}};
    how.child_at = {{}, {0.0, 0.0, -row.theta}};
  } else {
    how.at = {{0.0, 0.0, row.d}, {0.0, 0.0, row.theta}};
    how.child_at = {{-row.a, 0.0, 0.0}, {-row.alpha, 0.0, 0.0}};
  }
  return how;
}

}  // namespace

void add_dh_chain(Description& description, const DhTable& table) {
  check(table, false);
  // link0 is a body: a placement has one rpy, and both frame 0 and the first joint may be rotated
  std::string parent = table.prefix + "link0";
  description.body(parent, {});
  description.joint(table.prefix + "joint0", JointKind::fixed, table.base, parent,
                    {.at = table.base_at});
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const DhRow& row = table.rows[i];
    const std::string body = fmt::format("{}link{}", table.prefix, i + 1);
    description.body(body, row.solid);
    description.joint(fmt::format("{}joint{}", table.prefix, i + 1), row.kind, parent, body,
                      options_of(table.convention, row));
    parent = body;
  }
  description.frame(table.prefix + "tip", parent, table.tool);
}

SdofChain to_sdof(const DhTable& table) {
  check(table, true);
  const auto is_slide = [&](std::size_t i) { return table.rows[i].kind == JointKind::prismatic; };
  // the slide belongs to its own link, so the offset before it is without d
  const auto offset_before = [&](std::size_t i) {
    const DhRow& row = table.rows[i];
    return modified_offset(row.a, row.alpha, is_slide(i) ? Expr(0.0) : row.d);
  };
  const Placement& base = table.base_at;
  const Mat3<Expr> R_base =
      rotation_rpy(sin_cos(base.rpy.x), sin_cos(base.rpy.y), sin_cos(base.rpy.z));

  SdofChain chain;
  chain.prefix = table.prefix;
  chain.base = table.base;
  chain.offset = base.xyz + R_base * offset_before(0);
  chain.tip_turn = table.tool.rpy;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const DhRow& row = table.rows[i];
    const Vec3<Expr> shift{0.0, 0.0, is_slide(i) ? row.d : Expr(0.0)};
    const Vec3<Expr> D =
        (i + 1 < table.rows.size() ? offset_before(i + 1) : table.tool.xyz) + shift;

    SdofLink link;
    link.gamma = {row.alpha, 0.0, row.theta, D.x, D.y, D.z};
    if (row.kind != JointKind::fixed) link.free = {is_slide(i) ? Sdof::dz : Sdof::rz};
    link.solid = row.solid;
    link.solid.com = link.solid.com + shift;
    if (i == 0) link.mount = base.rpy;
    chain.links.push_back(std::move(link));
  }
  return chain;
}

}  // namespace trammel
