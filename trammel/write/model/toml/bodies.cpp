// Bodies with their shapes, and frames.
#include "trammel/write/model/toml/items.hpp"
#include "trammel/write/model/toml/text.hpp"

namespace trammel::toml {

namespace {

Table shape_table(const Shape& shape, ValueWriter& values) {
  Table table;
  switch (shape.kind) {
    case Shape::Kind::box: table.add("box", values.text(shape.size)); break;
    case Shape::Kind::sphere: table.add("sphere", values.text(shape.size.x)); break;
    case Shape::Kind::cylinder:
      table.add("cylinder", values.text({shape.size.x, shape.size.y}));
      break;
    case Shape::Kind::capsule:
      table.add("capsule", values.text({shape.size.x, shape.size.y}));
      break;
    case Shape::Kind::mesh:
      table.add("mesh", string_text(shape.mesh));
      if (!is_equal(shape.scale, 1, 1, 1)) table.add("scale", values.text(shape.scale));
      break;
  }
  if (!is_zero(shape.at)) table.add("at", values.text(shape.at));
  if (shape.color) {
    const auto& [red, green, blue, opacity] = *shape.color;
    table.add("color", opacity == 1 ? values.text({red, green, blue})
                                    : values.text({red, green, blue, opacity}));
  }
  if (shape.is_collision) table.add("collision", "true");
  if (!shape.name.empty()) table.add("name", string_text(shape.name));
  return table;
}

}  // namespace

Table table_of(const BodyDescription& body, ValueWriter& values) {
  const auto& [mass, com, inertia] = body.solid;
  Table table;
  const NamedLists own = {{"mass", unless(mass, 0)}};
  const ItemScope scope(values, own);
  if (!is_zero(mass)) table.add("mass", values.text(mass, "mass"));
  if (!is_zero(com)) table.add("com", values.text(com));
  const bool has_products = !is_zero({inertia.xy, inertia.xz, inertia.yz});
  if (has_products)
    table.add("inertia", values.text({inertia.xx, inertia.yy, inertia.zz, inertia.xy, inertia.xz,
                                      inertia.yz}));
  else if (!is_zero({inertia.xx, inertia.yy, inertia.zz}))
    table.add("inertia", values.text({inertia.xx, inertia.yy, inertia.zz}));
  if (body.shapes.size() == 1) table.add("shape", shape_table(body.shapes[0], values).in_line());
  if (body.shapes.size() > 1) {
    std::string list = "[\n";
    for (const Shape& shape : body.shapes)
      list += "  " + shape_table(shape, values).in_line() + ",\n";
    table.add("shape", list + "]");
  }
  return table;
}

Table table_of(const FrameDescription& frame, ValueWriter& values) {
  Table table;
  table.add("body", string_text(frame.body));
  if (!is_zero(frame.at)) table.add("at", values.text(frame.at));
  return table;
}

}  // namespace trammel::toml
