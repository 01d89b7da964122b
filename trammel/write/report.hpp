// A motion as one HTML page: the mechanism moves in three dimensions, beside plots of whatever was
// recorded, and an audit of how exact it was. The page needs no network and no other file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/model/model.hpp"
#include "trammel/model/triangle_mesh.hpp"

namespace trammel {

// What the page shows. One entry a sample, in the order of `times`, wherever it says so.
struct MotionReport {
  struct Series {
    std::string name, unit, group;  // "q.elbow", "rad", "positions"
    std::vector<double> values;     // one a sample; what is not finite is a gap
  };
  struct Arrow {  // a force on a body
    std::string name;
    BodyId body{};
    std::vector<Vec3<double>> at, force;  // one a sample, world axes [m], [N]
  };
  struct AuditLine {
    std::string name, value;  // "energy drift", "3e-12 J"
    bool good = true;
  };
  struct Moment {
    double time = 0;
    std::string text;  // what happened: "elbow reaches its limit"
  };

  std::string title;
  std::vector<double> times;                     // [s], none before the one before it
  std::vector<std::vector<Pose<double>>> poses;  // a sample: of each of Model::named_bodies()
  std::vector<Series> series;
  std::vector<Arrow> arrows;
  std::vector<AuditLine> audit;
  std::vector<Moment> moments;
  std::vector<std::pair<std::string, std::string>> facts;  // "stepper", "Dormand-Prince 5(4)"
  std::vector<NamedMesh> meshes;  // load_meshes of trammel/read/mesh.hpp reads them
};

// The page. Bodies have the shapes that the model's description gave them, meshes if the report has
// them; those without are sticks between their joints, with the ellipsoid of their inertia. In a
// build without npm it is the plain page, which says so.
//
// Throws std::invalid_argument, and says which, if a list has not one entry a sample, or if times,
// poses or forces are not finite. 10,000 samples of 20 bodies are about 8 MB.
[[nodiscard]] std::string report_page(const Model& model, const MotionReport& report);

// Plots, audit and facts on a page without scripts: to print, and for builds without npm. Checks as
// above.
[[nodiscard]] std::string plain_report_page(const Model& model, const MotionReport& report);

// Why report_page gives the plain page in this build; empty where it gives the full one.
[[nodiscard]] std::string report_page_lacks();

}  // namespace trammel
