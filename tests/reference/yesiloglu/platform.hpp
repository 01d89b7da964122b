// Reference case E-01 [Yesiloglu 2007]: two arms on a free-flying platform, revolute z, revolute y
// on one side, revolute x, prismatic -x on the other.
#pragma once

#include "tests/support/operator_matrices.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel {

struct Platform {
  Platform() : model(build_model(described())), workspace(model), state(neutral_state(model)) {
    // the rotation of the base is the identity, so rates in its axes and in world axes are equal
    state.q = {1, 0, 0, 0, 0, 0, 0, 0.3, -0.5, 0.7, 0.2};
    state.v = {0.1, -0.2, 0.3, 0.5, -0.4, 0.2, 0.4, -0.6, 0.8, 0.1};
    tau = {0, 0, 0, 0, 0, 0, 1, 2, 3, 4};
  }

  static void add_arm_1(Description& description, const std::string& parent) {
    description.body("upper",
                     {.mass = 2.0, .com = {0.25, 0.0, 0.0}, .inertia = diagonal(.01, .05, .05)});
    description.joint("shoulder", JointKind::revolute, parent, "upper",
                      {.at = {.xyz = {0.5, 0.0, 0.0}}, .axis = {0.0, 0.0, 1.0}});
    description.body("lower",
                     {.mass = 1.5, .com = {0.2, 0.0, 0.0}, .inertia = diagonal(.01, .03, .03)});
    description.joint("elbow", JointKind::revolute, "upper", "lower",
                      {.at = {.xyz = {0.5, 0.0, 0.0}}, .axis = {0.0, 1.0, 0.0}});
    description.frame("tip 1", "lower", {.xyz = {0.4, 0.0, 0.0}});
  }
  static void add_arm_2(Description& description, const std::string& parent) {
    description.body("sleeve",
                     {.mass = 2.0, .com = {-0.25, 0.0, 0.0}, .inertia = diagonal(.01, .05, .05)});
    description.joint("roll", JointKind::revolute, parent, "sleeve",
                      {.at = {.xyz = {-0.5, 0.0, 0.0}}, .axis = {1.0, 0.0, 0.0}});
    description.body("rod",
                     {.mass = 1.0, .com = {-0.1, 0.0, 0.0}, .inertia = diagonal(.005, .01, .01)});
    description.joint("slide", JointKind::prismatic, "sleeve", "rod",
                      {.at = {.xyz = {-0.5, 0.0, 0.0}}, .axis = {-1.0, 0.0, 0.0}});
    description.frame("tip 2", "rod", {.xyz = {-0.2, 0.0, 0.0}});
  }
  static Description described() {
    Description description("two arms on a platform");
    description.gravity = {0.0, 0.0, -9.81};
    description.body("base", {.mass = 10.0, .com = {}, .inertia = diagonal(1.0, 2.0, 3.0)});
    description.joint("float", JointKind::free, "ground", "base");
    add_arm_1(description, "base");
    add_arm_2(description, "base");
    return description;
  }
  static SymMat3<Expr> diagonal(double x, double y, double z) { return {x, 0.0, 0.0, y, 0.0, z}; }

  // [Yesiloglu 2007] differentiates the velocity of the base in world axes, Trammel in body axes:
  // for the same motion our linear part is smaller by omega x v.
  Eigen::VectorXd turning_share() const {
    const Eigen::Vector3d w(state.v[0], state.v[1], state.v[2]),
        v(state.v[3], state.v[4], state.v[5]);
    Eigen::VectorXd out = Eigen::VectorXd::Zero(model.nv());
    out.segment<3>(3) = w.cross(v);
    return out;
  }

  Model model;
  Workspace workspace;
  State state;
  std::vector<double> tau;
};

}  // namespace trammel
