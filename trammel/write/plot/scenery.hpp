// Elements of a stick figure in space: sticks, solids, joint symbols, wheels, frames.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "trammel/dynamics/kinematics.hpp"

namespace trammel {

struct FigureStick {
  Vec3<double> from, to;
  const char* style;
  int body = 0;
  bool is_drawn = true;  // else its body's shapes are
};
struct JointSign {
  Vec3<double> at, axis;
  const NamedJoint* joint;
  bool is_drawn = true;  // else only labeled: a wheel's disk shows the axle
};
struct WheelDisk {
  Vec3<double> center, along[2];  // half axes in its plane, the first one marked by a spoke
};
struct FrameAxis {
  Vec3<double> at, to;
  const char* color;
};

// A shape of the model file: the convex hull of points. Its flat faces are drawn in shades.
struct ShapeOutline {
  struct Face {
    Vec3<double> normal;                // outward, of length 1
    std::vector<Vec3<double>> corners;  // in order
  };
  std::vector<Vec3<double>> points;
  std::vector<Face> faces;
  Vec3<double> center;
  int body = 0;
  std::optional<std::array<double, 4>> color;
};

// Elements of the figure, in axes whose z points against gravity.
struct Scenery {
  std::vector<ShapeOutline> shapes;
  std::vector<FigureStick> sticks;
  std::vector<JointSign> signs;
  std::vector<FrameAxis> axes;
  std::vector<WheelDisk> disks;       // wheels
  std::vector<Vec3<double>> anchors;  // connections of joints to ground
};

// The shapes of all bodies, each in the frame of its body; meshes are left out.
std::vector<ShapeOutline> shape_outlines(const Model& model);

// Elements at one position; bodies with shapes have no sticks. `axis_length`: of named frames [m].
Scenery look(const Model& model, const Kinematics& kinematics, double axis_length,
             std::span<const ShapeOutline> shapes);

}  // namespace trammel
