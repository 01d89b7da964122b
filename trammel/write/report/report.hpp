// Report of a motion as one HTML page: a 3D animation of the mechanism, plots of all recorded
// quantities, and an audit of the accuracy. The page needs no network and no other file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/model/description/triangle_mesh.hpp"
#include "trammel/model/model.hpp"

namespace trammel {

// Content of the page. Lists with one entry per sample are in the order of `times`.
struct MotionReport {
  struct Series {
    std::string name, unit, group;  // "q.elbow", "rad", "positions"
    std::vector<double> values;     // one per sample; values that are not finite interrupt the line
  };
  struct Arrow {  // a force on a body
    std::string name;
    BodyId body{};
    std::vector<Vec3<double>> at, force;  // one per sample, world axes [m], [N]
  };
  struct Path {                        // drawn dashed, with its name in a legend
    std::string name;                  // "desired path"
    std::vector<Vec3<double>> points;  // world axes [m]
  };
  struct AuditLine {
    std::string name, value;  // "energy drift", "3e-12 J"
    bool good = true;
  };
  struct TimedText {
    double time = 0;
    std::string text;  // the event: "elbow reaches its limit"
  };

  std::string title;
  std::vector<double> times;                     // [s], not decreasing
  std::vector<std::vector<Pose<double>>> poses;  // per sample: of each of Model::named_bodies()
  std::vector<Series> series;
  std::vector<Arrow> arrows;
  std::vector<Path> paths;
  std::vector<AuditLine> audit;
  std::vector<TimedText> moments;
  std::vector<std::pair<std::string, std::string>>
      statistics;                 // "integrator", "Dormand-Prince 5(4)"
  std::vector<NamedMesh> meshes;  // read by load_meshes of trammel/read/mesh/mesh.hpp
};

// Writes the page. Bodies have the shapes of the model's description, meshes if the report has
// them; bodies without shapes are sticks between their joints, with their equivalent inertia
// ellipsoid. In a build without npm it is the plain page, which states that.
//
// Throws std::invalid_argument, naming it, if a list does not have one entry per sample, or if
// times, poses or forces are not finite. 10,000 samples of 20 bodies are about 8 MB.
[[nodiscard]] std::string report_page(const Model& model, const MotionReport& report);

// Plots, audit and statistics on a page without scripts: for printing, and for builds without npm.
// Checks as above.
[[nodiscard]] std::string plain_report_page(const Model& model, const MotionReport& report);

// Reason why report_page writes the plain page in this build; empty if it writes the full one.
[[nodiscard]] std::string report_page_lacks();

}  // namespace trammel
