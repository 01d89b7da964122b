#include <algorithm>
#include <array>

#include "trammel/model/description/solid_of_shapes.hpp"
#include "trammel/read/toml/items.hpp"

namespace trammel::toml {

namespace {

class ShapeReader {
 public:
  ShapeReader(TableReader& body, const Value& table)
      : table_(table),
        reader_(body.owner(), table, keys::shape, body.scope(), body.report(), "shape.", "shape.") {
  }

  Shape read() {
    Shape shape;
    read_size(shape);
    if (const Entry* scale = reader_.entry("scale")) shape.scale = scale_of(scale->value);
    if (reader_.has("scale") && shape.kind != Shape::Kind::mesh)
      reader_.error(table_.find("scale")->value.position,
                    "shape.scale belongs to a mesh, and this shape is none",
                    "give the size itself");
    shape.at = reader_.placement("at");
    if (const Entry* color = reader_.entry("color")) shape.color = color_of(color->value);
    shape.is_collision = reader_.truth("collision");
    shape.name = reader_.name("name");
    shape.place = reader_.report().place(table_.position);
    return shape;
  }

 private:
  void read_size(Shape& shape) {
    struct Named {
      std::string_view key;
      Shape::Kind kind;
      int numbers;
    };
    static constexpr std::array<Named, 5> kinds = {{{"box", Shape::Kind::box, 3},
                                                    {"sphere", Shape::Kind::sphere, 1},
                                                    {"cylinder", Shape::Kind::cylinder, 2},
                                                    {"capsule", Shape::Kind::capsule, 2},
                                                    {"mesh", Shape::Kind::mesh, 0}}};
    std::vector<std::string_view> description;
    for (const Named& known : kinds)
      if (reader_.has(known.key)) description.push_back(known.key);
    if (description.size() != 1)
      reader_.error(table_.position,
                    description.empty()
                        ? "the shape is no box, sphere, cylinder, capsule or mesh"
                        : fmt::format("one shape is {} at once", fmt::join(description, " and ")),
                    "as in { box = [0.3, 0.02, 0.02] }; several shapes are a list of such tables");
    for (const Named& known : kinds) {
      const Entry* found = reader_.entry(known.key);
      if (!found) continue;
      shape.kind = known.kind;
      if (known.numbers == 1) shape.size.x = reader_.number(known.key, dimension::length, 0.0);
      if (known.numbers == 2) read_radius_and_length(found->value, known.key, shape);
      if (known.numbers == 3) shape.size = reader_.vector(known.key, dimension::length, {});
      if (known.kind == Shape::Kind::mesh) shape.mesh = reader_.text("mesh");
    }
  }
  void read_radius_and_length(const Value& value, std::string_view key, Shape& shape) {
    if (!reader_.expect_list(value, key, "a radius and a length")) return;
    if (value.list.size() != 2)
      return reader_.error(value.position, fmt::format("shape.{} has {} entr{}, it takes a radius "
                                                       "and a length",
                                                       key, value.list.size(),
                                                       value.list.size() == 1 ? "y" : "ies"));
    shape.size.x = reader_.number_of(value.list[0], key, dimension::length);
    shape.size.y = reader_.number_of(value.list[1], key, dimension::length);
  }
  Vec3<Expr> scale_of(const Value& value) {
    if (value.is_list())
      return reader_.vector_of(value, "scale", dimension::none).value_or(Vec3<Expr>{});
    const Expr scale = reader_.number_of(value, "scale", dimension::none);
    return {scale, scale, scale};
  }
  std::optional<std::array<double, 4>> color_of(const Value& value) {
    std::array<double, 4> color = {0, 0, 0, 1};
    bool is_color = value.is_list() && (value.list.size() == 3 || value.list.size() == 4);
    for (std::size_t k = 0; is_color && k < value.list.size(); ++k) {
      color[k] = value.list[k].number;
      is_color = value.list[k].is_number() && color[k] >= 0 && color[k] <= 1;
    }
    if (is_color) return color;
    reader_.error(value.position,
                  "shape.color must be 3 or 4 numbers from 0 to 1: red, green, blue, opacity",
                  "as in [0.8, 0.2, 0.2]");
    return std::nullopt;
  }

  const Value& table_;
  TableReader reader_;
};

std::vector<Shape> read_shapes(TableReader& body) {
  std::vector<Shape> shapes;
  const Entry* found = body.entry("shape");
  if (!found) return shapes;
  const auto read_one = [&](const Value& value) {
    if (body.expect_table(value, "shape")) shapes.push_back(ShapeReader(body, value).read());
  };
  if (!found->value.is_list()) {
    read_one(found->value);
  } else {
    for (const Value& value : found->value.list) read_one(value);
  }
  return shapes;
}

// xx yy zz [xy xz yz]
SymMat3<Expr> inertia_of(const Value& value, TableReader& body) {
  if (!body.expect_list(value, "inertia", "numbers, or \"from shape\"")) return {};
  const std::size_t count = value.list.size();
  if (count != 3 && count != 6) {
    body.error(value.position,
               fmt::format("inertia has {} entr{}, it takes 3 or 6 numbers", count,
                           count == 1 ? "y" : "ies"),
               "they are xx, yy, zz, and perhaps xy, xz, yz, about the center of mass");
    return {};
  }
  std::array<Expr, 6> I;
  for (std::size_t k = 0; k < count; ++k)
    I[k] = body.number_of(value.list[k], "inertia", dimension::inertia);
  const auto& [xx, yy, zz, xy, xz, yz] = I;
  return {xx, xy, xz, yy, yz, zz};
}

// The visual shapes, or the collision shapes if there are none.
std::vector<Shape> weighed(const std::vector<Shape>& shapes) {
  std::vector<Shape> seen;
  for (const Shape& shape : shapes)
    if (!shape.is_collision) seen.push_back(shape);
  return seen.empty() ? shapes : seen;
}

void weigh_by_shapes(TableReader& body, const Value& description, const std::vector<Shape>& shapes,
                     Solid& solid) {
  const auto refuse = [&](const std::string& fact, std::string hint) {
    body.error(description.position, "inertia is from shape, but " + fact, std::move(hint));
  };
  if (body.owner().place.has_mistakes) return;  // perhaps in its shapes
  if (!body.has("mass")) return refuse("there is no mass", "give the mass");
  if (body.has("com"))
    return refuse("there is a com, and shapes have one of their own",
                  "leave com out, or give the inertia in numbers");
  const std::vector<Shape> parts = weighed(shapes);
  if (parts.empty()) return refuse("there is no shape", "give a shape, as in { sphere = 0.1 }");
  for (const Shape& part : parts)
    if (part.kind == Shape::Kind::mesh)
      return refuse("a mesh has no volume that is known here",
                    "give the inertia in numbers, or say which shapes collision = true");
  solid = solid_of_shapes(solid.mass, parts);
}

}  // namespace

void read_body(const Entry& entry, Context& context) {
  Owner owner = owner_of("body", entry, context.report);
  TableReader reader(owner, entry.value, keys::body, context.scope, context.report);
  Solid solid;
  solid.mass = reader.number("mass", dimension::mass, 0.0);
  solid.com = reader.vector("com", dimension::length, {});
  std::vector<Shape> shapes = read_shapes(reader);
  if (const Entry* inertia = reader.entry("inertia")) {
    if (inertia->value.is_text() && inertia->value.text == "from shape")
      weigh_by_shapes(reader, inertia->value, shapes, solid);
    else
      solid.inertia = inertia_of(inertia->value, reader);
  }
  context.description.bodies.push_back(
      {item_name(entry), solid, std::move(owner.place), std::move(shapes)});
}

void read_frame(const Entry& entry, Context& context) {
  Owner owner = owner_of("frame", entry, context.report);
  TableReader reader(owner, entry.value, keys::frame, context.scope, context.report);
  reader.require("body", "name the body it is on; \"ground\" is one");
  const std::string body = reader.name("body");
  const Placement at = reader.placement("at");
  context.description.frame(item_name(entry), body, at, owner.place);
}

}  // namespace trammel::toml
