// A joint description of every kind of the joint table, for tests that must not forget one.
#pragma once

#include <vector>

#include "trammel/model/description/joint_table.hpp"

namespace trammel {

struct JointSample {
  JointDescription joint;
  std::vector<double> constants;  // of its struct
};

inline JointSample joint_sample(JointKind kind, const std::string& name = "joint",
                                const std::string& parent = "ground",
                                const std::string& child = "body") {
  JointSample sample{{name, kind, parent, child, {}, {}}, {}};
  JointOptions& how = sample.joint.options;
  const JointTraits of = traits(kind);
  if (of.has_pitch) {
    how.pitch = 0.37;
    sample.constants = {0.37};
  }
  if (of.axes == JointAxes::per_motion) {
    how.motions = {turn({0.6, 0.0, 0.8}), slide({0.0, 1.0, 0.0}), turn({1.0, 0.0, 0.0})};
    sample.constants = {0.6, 0.0, 0.8};
  }
  return sample;
}

}  // namespace trammel
