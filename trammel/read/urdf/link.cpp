// <link>: mass properties and shapes of a body.
#include <algorithm>

#include <fmt/format.h>

#include "trammel/model/description/frames.hpp"
#include "trammel/read/urdf/parts.hpp"

namespace trammel::urdf {

namespace {

Mat3<double> rotation_of(const Vec3<double>& rpy) {
  return rotation_rpy(clean_sin_cos(rpy.x), clean_sin_cos(rpy.y), clean_sin_cos(rpy.z));
}

// URDF gives the inertia in axes of its own at the center of mass; the description has body axes.
Solid read_inertial(const Element& inertial, ItemPlace& place) {
  Vec3<double> xyz, rpy;
  place.key("inertial", inertial.place());
  place.key("com", inertial.place());
  if (const auto origin = inertial.child("origin")) {
    xyz = origin->three("xyz", {}), rpy = origin->three("rpy", {});
    place.keys.back().second = origin->place("xyz");
  }
  Solid solid;
  solid.com = xyz;
  if (const auto mass = inertial.child("mass")) {
    solid.mass = mass->number("value", 0);
    place.key("mass", mass->place("value"));
  }
  if (const auto inertia = inertial.child("inertia")) {
    const auto moment = [&](std::string_view name) { return inertia->number(name, 0); };
    const SymMat3<double> description{moment("ixx"), moment("ixy"), moment("ixz"),
                                      moment("iyy"), moment("iyz"), moment("izz")};
    const bool is_turned = rpy.x != 0 || rpy.y != 0 || rpy.z != 0;
    solid.inertia = is_turned ? rotate(rotation_of(rpy), description) : description;
    place.key("inertia", inertia->place());
  }
  return solid;
}

// A length of a shape: zero or more.
double read_length(const Element& shape, std::string_view attribute, double description) {
  if (description < 0)
    shape.report().error(shape.place(attribute),
                         fmt::format("{} has {} {}", shape.title(), attribute, description),
                         "a size is zero or more");
  return description;
}
double read_length(const Element& shape, std::string_view attribute) {
  return read_length(shape, attribute, shape.number(attribute, 0));
}

void read_form(const Element& form, Shape& shape, Meshes& meshes) {
  const std::string_view tag = form.tag();
  if (tag == "box") {
    shape.kind = Shape::Kind::box;
    const Vec3<double> size = form.three("size", {});
    read_length(form, "size", std::min({size.x, size.y, size.z}));
    shape.size = size;
  } else if (tag == "sphere") {
    shape.kind = Shape::Kind::sphere;
    shape.size = Vec3<double>{read_length(form, "radius"), 0, 0};
  } else if (tag == "mesh") {
    shape.kind = Shape::Kind::mesh;
    shape.mesh = meshes.find(form);
    shape.scale = form.three("scale", {1, 1, 1});
  } else {
    shape.kind = tag == "capsule" ? Shape::Kind::capsule : Shape::Kind::cylinder;
    shape.size = Vec3<double>{read_length(form, "radius"), read_length(form, "length"), 0};
  }
}

void read_geometry(const Element& geometry, Shape& shape, Meshes& meshes) {
  int count = 0;
  for (const std::string_view form : {"box", "sphere", "cylinder", "capsule", "mesh"})
    if (const auto found = geometry.child(form)) {
      ++count;
      read_form(*found, shape, meshes);
    }
  if (count != 1)
    geometry.report().error(geometry.place(),
                            fmt::format("{} has {} shapes, it takes 1", geometry.title(), count),
                            "give it a <box>, <sphere>, <cylinder>, <capsule> or <mesh>");
}

Shape read_shape(const Element& description, const Materials& materials, Meshes& meshes) {
  Shape shape;
  shape.place = description.place();
  shape.name = description.text("name");
  shape.is_collision = description.tag() == "collision";
  shape.at = read_origin(description, shape.place, "at");
  if (const auto geometry = description.child("geometry")) read_geometry(*geometry, shape, meshes);
  if (shape.is_collision) return shape;
  if (const auto material = description.child("material"))
    shape.color = materials.color_of(*material);
  return shape;
}

}  // namespace

Placement read_origin(const Element& owner, ItemPlace& place, const std::string& key) {
  const auto origin = owner.child("origin");
  if (!origin) return {};
  place.key(key, origin->place());
  place.key(key + ".xyz", origin->place("xyz"));
  place.key(key + ".rpy", origin->place("rpy"));
  return {origin->three("xyz", {}), origin->three("rpy", {})};
}

BodyDescription read_link(const Element& link, const Materials& materials, Meshes& meshes) {
  const std::size_t errors = link.report().errors();
  BodyDescription body{link.text("name")};
  body.place = link.place();
  if (const auto inertial = link.child("inertial"))
    body.solid = read_inertial(*inertial, body.place);
  for (const std::string_view kind : {"visual", "collision"})
    link.each_child(kind, [&](const Element& shape) {
      body.shapes.push_back(read_shape(shape, materials, meshes));
    });
  body.place.has_mistakes = link.report().errors() > errors;
  return body;
}

}  // namespace trammel::urdf
