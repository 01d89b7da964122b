#pragma once

#include "trammel/model/build/builder.hpp"

namespace trammel {

// A floating body with two others on ball joints, thrown so that all of them rotate.
inline Model thrown_model() {
  Description description("thrown");
  const Vec3<Expr> com{0.1, -0.05, 0.2};
  for (const char* name : {"trunk", "arm", "leg"})
    description.body(name,
                     {.mass = 1.5, .com = com, .inertia = {0.05, 0.01, 0.0, 0.08, 0.005, 0.06}});
  description.joint("float", JointKind::free, "ground", "trunk");
  description.joint("shoulder", JointKind::spherical, "trunk", "arm",
                    {.at = {{0.3, 0.1, 0.0}, {}}});
  description.joint("hip", JointKind::spherical, "trunk", "leg", {.at = {{-0.3, 0.1, 0.1}, {}}});
  return build_model(description);
}

}  // namespace trammel
