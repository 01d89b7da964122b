// Mechanisms of the tests of constraint solvers; the number of their independent rows is found by
// counting degrees of freedom.
#pragma once

#include <string>

#include "trammel/model/build/builder.hpp"

namespace trammel::mechanisms {

inline Solid solid(double mass) {
  return {.mass = mass, .com = {0.1, 0.01, 0.02}, .inertia = {0.01, 0.001, 0.0, 0.02, 0.0, 0.015}};
}
inline JointOptions pin(double x, double y = 0) {
  return {.at = {{x, y, 0.0}, {}}, .axis = {0.0, 0.0, 1.0}};
}

// Each four-bar stands on the rocker of the preceding one, or all of them on ground;
// parallelograms, 0.4 apart and 0.3 high. Each has three coordinates and one degree of freedom: two
// of the five rows of its loop joint are independent, the three out of its plane are redundant.
inline Description four_bars(int n, bool stand_on_ground = false) {
  Description description("four-bars");
  description.gravity = {0.0, -9.81, 0.0};
  std::string base = "ground";
  for (int k = 0; k < n; ++k) {
    const std::string i = std::to_string(k);
    description.body("crank" + i, solid(1.0));
    description.body("coupler" + i, solid(1.5));
    description.body("rocker" + i, solid(0.8));
    description.joint("motor" + i, JointKind::revolute, base, "crank" + i, pin(0.1));
    description.joint("elbow" + i, JointKind::revolute, "crank" + i, "coupler" + i, pin(0.3));
    description.joint("foot" + i, JointKind::revolute, base, "rocker" + i, pin(0.5));
    JointOptions hinge = pin(0.4);
    hinge.child_at = {{0.3, 0.0, 0.0}, {}};
    hinge.cut = true;
    description.joint("wrist" + i, JointKind::revolute, "coupler" + i, "rocker" + i, hinge);
    description.start_positions.push_back({.joint = "motor" + i, .values = {1.1}});
    description.start_positions.push_back({.joint = "elbow" + i, .values = {-1.1}});
    description.start_positions.push_back({.joint = "foot" + i, .values = {1.1}});
    if (!stand_on_ground) base = "rocker" + i;
  }
  return description;
}

// Planar arms of three joints, welded to a floating object: none of them constrains it in all
// directions. In the plane the object keeps its three degrees of freedom and each arm follows:
// three independent rows per arm. Out of the plane the first weld stops the object, by three rows.
inline Description planar_arms(int n, bool object_first) {
  Description description("arms");
  description.gravity = {0.0, -9.81, 0.0};
  const auto add_object = [&] {
    description.body("object", {.mass = 3.0, .inertia = {0.05, 0.0, 0.0, 0.06, 0.0, 0.07}});
    description.joint("float", JointKind::free, "ground", "object", {});
    description.start_positions.push_back(
        {.joint = "float", .values = {1.0, 0.0, 0.0, 0.0, 0.3, 0.4, 0.0}});
  };
  if (object_first) add_object();
  for (int k = 0; k < n; ++k) {
    const std::string i = std::to_string(k);
    description.body("upper" + i, solid(1.0));
    description.body("lower" + i, solid(0.7));
    description.body("hand" + i, solid(0.3));
    description.joint("shoulder" + i, JointKind::revolute, "ground", "upper" + i, pin(0.3 * k));
    description.joint("elbow" + i, JointKind::revolute, "upper" + i, "lower" + i, pin(0.4));
    description.joint("wrist" + i, JointKind::revolute, "lower" + i, "hand" + i, pin(0.35));
  }
  if (!object_first) add_object();
  for (int k = 0; k < n; ++k)
    description.joint(
        "grip" + std::to_string(k), JointKind::fixed, "hand" + std::to_string(k), "object",
        {.at = {{0.1, 0.0, 0.0}, {}}, .child_at = {{0.05 * k, -0.05, 0.0}, {}}, .cut = true});
  return description;
}

// A door on two hinges of one axis: the first one, in the tree, implies all rows of the second.
inline Description door() {
  Description description("door");
  description.body("leaf", solid(20.0));
  description.joint("lower", JointKind::revolute, "ground", "leaf", pin(0.1));
  JointOptions upper = {.at = {{0.1, 0.0, 1.5}, {}}, .child_at = {{0.0, 0.0, 1.5}, {}}};
  upper.axis = {0.0, 0.0, 1.0};
  upper.cut = true;
  description.joint("upper", JointKind::revolute, "ground", "leaf", upper);
  return description;
}

// Linkage of Sarrus: two legs of three parallel hinges each, in planes at right angles, guide a
// platform along z. Five coordinates and one degree of freedom, in which every hinge turns: four of
// the five rows of the loop joint are independent.
inline Description sarrus() {
  Description description("sarrus");
  const Vec3<Expr> x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0};
  for (const char* name : {"left_shank", "left_thigh", "platform", "right_shank", "right_thigh"})
    description.body(name, solid(1.0));
  const auto hinge = [&](const char* name, const char* parent, const char* child,
                         const Vec3<Expr>& at, const Vec3<Expr>& axis) {
    description.joint(name, JointKind::revolute, parent, child, {.at = {at, {}}, .axis = axis});
  };
  hinge("left_foot", "ground", "left_shank", {0.5, 0.0, 0.0}, y);
  hinge("left_knee", "left_shank", "left_thigh", {0.2, 0.0, 0.3}, y);
  hinge("left_hip", "left_thigh", "platform", {-0.2, 0.0, 0.3}, y);
  hinge("right_foot", "ground", "right_shank", {0.0, 0.5, 0.0}, x);
  hinge("right_knee", "right_shank", "right_thigh", {0.0, 0.2, 0.3}, x);
  JointOptions hip = {.at = {{0.0, -0.2, 0.3}, {}}, .child_at = {{-0.5, 0.5, 0.0}, {}}, .axis = x};
  hip.cut = true;
  description.joint("right_hip", JointKind::revolute, "right_thigh", "platform", hip);
  return description;
}

}  // namespace trammel::mechanisms
