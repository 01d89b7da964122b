#include "trammel/model/description/solid_of_shapes.hpp"

#include <numbers>
#include <vector>

#include "trammel/base/expects.hpp"
#include "trammel/model/description/frames.hpp"
#include "trammel/model/description/solids.hpp"
#include "trammel/spatial/inertia.hpp"

namespace trammel {

namespace {

Expr volume(const Shape& shape) {
  const auto& [a, b, c] = shape.size;
  constexpr double pi = std::numbers::pi;
  switch (shape.kind) {
    case Shape::Kind::box: return a * b * c;
    case Shape::Kind::sphere: return 4.0 / 3.0 * pi * a * a * a;
    case Shape::Kind::cylinder: return pi * a * a * b;
    case Shape::Kind::capsule: return pi * a * a * (b + 4.0 / 3.0 * a);
    case Shape::Kind::mesh: break;
  }
  TRAMMEL_EXPECTS(false);
  return 0.0;
}

Solid centerd(const Expr& mass, const Shape& shape) {
  const auto& [a, b, c] = shape.size;
  switch (shape.kind) {
    case Shape::Kind::box: return box(mass, shape.size);
    case Shape::Kind::sphere: return sphere(mass, a);
    case Shape::Kind::cylinder: return solid_cylinder(mass, a, b);
    case Shape::Kind::capsule: return capsule(mass, a, b);
    case Shape::Kind::mesh: break;
  }
  return {};
}

SinCos<Expr> turn(const Expr& angle) {
  if (!angle.is_constant()) return sin_cos(angle);
  const auto [s, c] = clean_sin_cos(angle.constant());
  return {Expr(s), Expr(c)};
}

}  // namespace

Solid solid_of_shapes(const Expr& mass, std::span<const Shape> shapes) {
  TRAMMEL_EXPECTS(!shapes.empty());
  Expr whole = 0.0;
  for (const Shape& shape : shapes) whole += volume(shape);

  std::vector<Solid> parts;
  Vec3<Expr> com;
  for (const Shape& shape : shapes) {
    const Expr share = shapes.size() == 1 ? Expr(1.0) : volume(shape) / whole;
    const Placement& at = shape.at;
    Solid part = centerd(share * mass, shape);
    part.com = at.xyz;
    part.inertia =
        rotate(rotation_rpy(turn(at.rpy.x), turn(at.rpy.y), turn(at.rpy.z)), part.inertia);
    com = com + share * at.xyz;
    parts.push_back(part);
  }

  // parallel-axis theorem, with the distance d to the common center of mass: I + m (d.d - d d^T)
  SymMat3<Expr> inertia;
  for (const Solid& part : parts) {
    const Vec3<Expr> d = part.com - com;
    inertia = inertia + inertia_about_com(part.mass, d, part.inertia).rotational;
  }
  return {mass, com, inertia};
}

}  // namespace trammel
