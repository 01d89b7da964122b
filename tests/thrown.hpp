#pragma once

#include "trammel/model/builder.hpp"

namespace trammel {

// A floating body with two others on ball joints, thrown so that all of them rotate.
inline Model thrown_model() {
  Description said("thrown");
  const Vec3<Expr> com{0.1, -0.05, 0.2};
  for (const char* name : {"trunk", "arm", "leg"})
    said.body(name, {.mass = 1.5, .com = com, .inertia = {0.05, 0.01, 0.0, 0.08, 0.005, 0.06}});
  said.joint("float", JointKind::free, "ground", "trunk");
  said.joint("shoulder", JointKind::spherical, "trunk", "arm", {.at = {{0.3, 0.1, 0.0}, {}}});
  said.joint("hip", JointKind::spherical, "trunk", "leg", {.at = {{-0.3, 0.1, 0.1}, {}}});
  return build_model(said);
}

}  // namespace trammel
