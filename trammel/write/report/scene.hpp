// What the page needs to know of the mechanism to draw it: what bodies look like, where joints hold
// them, along what they move.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/model/model.hpp"

namespace trammel {

struct Scene3d {
  struct Part {
    std::string kind;   // box, sphere, cylinder, capsule, wheel, mesh
    Vec3<double> size;  // of a mesh: its scale along each axis
    Pose<double> at;
    std::optional<std::array<double, 4>> color;
    int mesh = -1;  // which
  };
  struct Ellipsoid {
    Pose<double> at;
    Vec3<double> half;  // of its axes
  };
  struct Figure {
    std::string name;
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<Part> parts;           // none: sticks between the places
    std::vector<Vec3<double>> places;  // what holds it; the joint it hangs from first
    std::optional<Vec3<double>> com;   // none: it weighs nothing
    std::optional<Ellipsoid> ellipsoid;
  };
  struct Axis {
    std::string joint;
    BodyId body{};  // that the axis is fixed to
    Vec3<double> at, along;
    bool slides = false;
  };
  struct End {
    BodyId body{};
    Vec3<double> at;
  };
  struct Link {              // drawn between two bodies
    std::string name, kind;  // rod, spring
    End ends[2];
  };
  std::vector<Figure> figures;  // as Model::named_bodies()
  std::vector<Axis> axes;
  std::vector<Link> links;
  std::optional<double> floor;  // how high what wheels roll on is, if it is level ground
};

// `meshes`: the names of those there are; others are not drawn, which the body's facts tell.
Scene3d make_scene(const Model& model, const std::vector<std::string>& meshes = {});

}  // namespace trammel
