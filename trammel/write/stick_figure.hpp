// A picture of a mechanism at one position: bodies as sticks between their joints (the last ones as
// far as their centre of mass), joints as signs of what they let happen, seen from above and aside.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trammel/dynamics/kinematics.hpp"

namespace trammel {

// A line through the world, drawn over the mechanism.
struct Outline {
  std::vector<Vec3<double>> points;
  std::string colour = "#d1495b";
};

struct StickFigureOptions {
  int width = 640, height = 520;  // of the picture [px]
  double azimuth = -0.9;          // where the eye stands, about the vertical from x [rad]
  double elevation = 0.35;        // how far above the horizon [rad]
  bool names = true;              // of joints, beside them
  bool faces_flat = false;        // a flat mechanism is seen across its plane, whatever they say
  bool colors = false;            // a color for each body, as pages have them
  std::vector<Outline> outlines = {};
};

// One SVG document, in light and dark pages alike. Up is against gravity, along z without any; x
// stays where it is level. Named frames are drawn as little axes, wheels as disks of their radius.
std::string stick_figure(const Model& model, const Kinematics& kinematics,
                         const StickFigureOptions& options = {});

// A moment of a motion, for a series of pictures.
struct Snapshot {
  Kinematics kinematics;
  std::string caption = {};  // "t = 0.5 s"
};

// The moments side by side, `columns` in a row, each as wide and high as the options say; all seen
// by one camera, so that they can be compared.
std::string stick_figures(const Model& model, std::span<const Snapshot> snapshots, int columns = 4,
                          const StickFigureOptions& options = {});

// Each moment as a picture of its own, for an animation: one camera for all, and the paths of named
// frames.
std::vector<std::string> stick_figure_frames(const Model& model,
                                             std::span<const Snapshot> snapshots,
                                             const StickFigureOptions& options = {});

}  // namespace trammel
