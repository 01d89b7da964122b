// Scene of the report page: shapes of the bodies, attachment points and axes of the joints.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/model/model.hpp"

namespace trammel {

struct Scene3d {
  struct Part {
    std::string kind;   // box, sphere, cylinder, capsule, wheel, spokes, mesh
    Vec3<double> size;  // for a mesh: its scale along each axis
    Pose<double> at;
    std::optional<std::array<double, 4>> color;
    int mesh = -1;  // index of the mesh
  };
  struct Ellipsoid {
    Pose<double> at;
    Vec3<double> half;  // half axes
  };
  struct Figure {
    std::string name;
    std::vector<std::pair<std::string, std::string>> statistics;
    std::vector<Part> parts;           // empty: sticks between the places
    std::vector<Vec3<double>> places;  // attachment points; of the inboard joint first
    std::optional<Vec3<double>> com;   // none: it is massless
    std::optional<Ellipsoid> ellipsoid;
  };
  struct Axis {
    std::string joint;
    BodyId body{};  // to which the axis is fixed
    Vec3<double> at, along;
    bool slides = false;
  };
  struct End {
    BodyId body{};
    Vec3<double> at;
  };
  struct Link {              // drawn between two bodies
    std::string name, kind;  // rod, or the kind of a force element
    End ends[2];
  };
  std::vector<Figure> figures;  // as Model::named_bodies()
  std::vector<Axis> axes;
  std::vector<Link> links;
  std::optional<double> floor;  // height of the floor of the wheels, if it is level ground
};

// `meshes`: names of the available ones; others are not drawn, which the body's facts state.
Scene3d make_scene(const Model& model, const std::vector<std::string>& meshes = {});

}  // namespace trammel
