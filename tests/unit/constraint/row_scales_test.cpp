// Error bounds of constraint rows: what a violation and the depth of a body add to them. Equation
// numbers: docs/theory/rank.md.
#include <gtest/gtest.h>

#include <string>

#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::row_scales_test {
namespace {

// Slides along x in a row, all at the origin; a rod of length 1 from ground to the last body.
Model slides(int count) {
  Description description("slides");
  std::string parent = "ground";
  for (int k = 0; k < count; ++k) {
    const std::string name = "body" + std::to_string(k);
    description.body(name, point_mass(1.0));
    description.joint("x" + std::to_string(k), JointKind::prismatic, parent, name,
                      {.axis = {1.0, 0.0, 0.0}});
    parent = name;
  }
  description.constraints.push_back({.name = "rod",
                                     .kind = ConstraintDescription::Kind::distance,
                                     .frame = "ground",
                                     .other_frame = parent,
                                     .distance = 1.0});
  return build_model(description);
}
// Bounds of the row where the last body is at x.
RowScales scales_at(const Model& model, double x) {
  Workspace workspace(model);
  std::vector<double> q(std::size_t(model.nq()), 0.0);
  q[0] = x;
  Kinematics kinematics(model);
  kernel::kernels().kinematics({model, model.numbers()}, q, workspace->zero, workspace->zero,
                               *workspace, kinematics);
  ConstraintRows rows(model);
  rows.evaluate(model, kinematics, q, workspace->zero, workspace->zero, {});
  return rows.scales();
}

TEST(RowScales, violation_is_the_uncertainty_of_a_row) {
  const Model model = slides(2);
  for (const double open : {1e-9, 1e-5, 0.1}) {
    const RowScales scales = scales_at(model, 1 + open);
    ASSERT_EQ(scales.natural.size(), 1);
    // the rounding bound has the part of the violation up to 1e-13 of the row's scale
    EXPECT_NEAR(scales.uncertainty[0] - scales.rounding[0], open, 1e-12) << open;
  }
  const RowScales closed = scales_at(model, 1);
  EXPECT_EQ(closed.uncertainty[0], closed.rounding[0]);
}

// An entry of the row of a body at depth d carries d roundings. With four times as many bodies the
// row has four times as many entries, each with four times the error: in the norm the bound is 8
// times larger; without the depth it would be 2 times.
TEST(RowScales, rounding_grows_with_depth) {
  const double few = scales_at(slides(16), 1).rounding[0],
               many = scales_at(slides(64), 1).rounding[0];
  EXPECT_GT(few, 0);
  EXPECT_GT(many / few, 5);
}

}  // namespace
}  // namespace trammel::row_scales_test
