// Stick figure of a mechanism at one position: bodies as sticks between their joints (terminal
// bodies up to their center of mass) or, if the model file gives some, as their shapes; joints as
// symbols of their type; in a parallel projection from above and aside.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trammel/dynamics/kinematics.hpp"

namespace trammel {

// A polyline in the world, drawn over the mechanism.
struct Outline {
  std::vector<Vec3<double>> points;
  std::string color = "#d1495b";
};

// Options of a stick figure: size, viewpoint, labels and colors.
struct StickFigureOptions {
  int width = 640, height = 520;  // of the picture [px]
  double azimuth = -0.9;          // direction of the viewpoint, about the vertical from x [rad]
  double elevation = 0.35;        // angle of the viewpoint above the horizon [rad]
  bool names = true;              // of joints, next to them
  bool faces_flat = false;        // view a planar mechanism across its plane, whatever the angles
  bool colors = false;            // one color per body, as in report pages
  bool shapes = true;             // those of the model file; else every body is sticks
  std::vector<Outline> outlines = {};
};

// One SVG document, for light and dark pages. Up is against gravity, or along z without gravity; x
// stays in place if it is horizontal. Named frames are drawn as small axes, wheels as disks of
// their radius.
std::string stick_figure(const Model& model, const Kinematics& kinematics,
                         const StickFigureOptions& options = {});

// One sample of a motion, for a series of pictures.
struct Snapshot {
  Kinematics kinematics;
  std::string caption = {};  // "t = 0.5 s"
};

// The samples side by side, `columns` per row, each with the width and height of the options; all
// with one camera, so that they can be compared.
std::string stick_figures(const Model& model, std::span<const Snapshot> snapshots, int columns = 4,
                          const StickFigureOptions& options = {});

// Each sample as a separate picture, for an animation: one camera for all, and the paths of named
// frames.
std::vector<std::string> stick_figure_frames(const Model& model,
                                             std::span<const Snapshot> snapshots,
                                             const StickFigureOptions& options = {});

}  // namespace trammel
