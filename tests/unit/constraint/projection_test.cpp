// Projection onto the position constraints: rolling does not constrain it, and a position that
// stays open is refused.
#include "trammel/constraint/assembly/projection.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/reference/posed.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::projection_test {
namespace {

// A wheel on a trailing arm of 0.5 m, pivoted 0.3 m above the floor: it touches at
// sin(arm) = (0.3 - 0.1) / 0.5. The kinetic energy of a displacement contains
// I (d_arm + d_wheel)^2 / 2 and no other term in d_wheel: the wheel does not turn in space. Rolling
// would turn it by 0.2 d_arm / 0.1.
TEST(ProjectPosition, a_wheel_is_put_down_without_turning) {
  Description description("trailing arm");
  description.body("arm", thin_rod(2.0, 0.5, {0.25, 0.0, 0.0}));
  description.body("wheel", {.mass = 1.0, .inertia = {0.01, 0.0, 0.0, 0.02, 0.0, 0.01}});
  description.joint("pivot", JointKind::revolute, "ground", "arm",
                    {.at = {.xyz = {0.0, 0.0, 0.3}}, .axis = {0.0, 1.0, 0.0}});
  description.joint("axle", JointKind::revolute, "arm", "wheel",
                    {.at = {.xyz = {0.5, 0.0, 0.0}}, .axis = {0.0, 1.0, 0.0}});
  description.wheels.push_back({.name = "tire", .body = "wheel", .radius = 0.1});
  const double touching = std::asin(0.4), raised = 0.01, spin = 0.2;
  Posed posed(description, {touching - raised, spin});
  const Status status = project_position(posed.model, posed.state, posed.workspace);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_NEAR(posed.state.q[0], touching, 1e-10);
  EXPECT_NEAR(posed.state.q[1], spin - raised, 1e-10);
}

// A point on two rods of 1 m whose other ends are 2 m apart: only the stretched position is closed,
// and the rows of the rods are dependent there. With that basis one rod alone is satisfied, and the
// other is violated by sqrt(5 - 4 cos(phi)) - 1 with tan(phi) = 0.05.
TEST(ProjectPosition, a_position_that_stays_open_is_refused) {
  Description description("point on two rods");
  description.body("x", {});
  description.body("point", point_mass(1.0));
  description.joint("along", JointKind::prismatic, "ground", "x", {.axis = {1.0, 0.0, 0.0}});
  description.joint("across", JointKind::prismatic, "x", "point", {.axis = {0.0, 1.0, 0.0}});
  description.frame("right", "ground", {.xyz = {2.0, 0.0, 0.0}});
  for (const char* end : {"ground", "right"})
    description.constraints.push_back({.name = std::string("rod to ") + end,
                                       .kind = ConstraintDescription::Kind::distance,
                                       .frame = end,
                                       .other_frame = "point",
                                       .distance = 1.0});
  Posed posed(description, {1.0, 0.0});
  RowBasis basis;
  ASSERT_TRUE(row_basis(posed.model, posed.state, posed.workspace, basis).ok());
  ASSERT_EQ(basis.rank(), 1);
  const std::vector<double> aside{1.0, 0.05};
  posed.state.q = aside;
  const Status status = project_position(posed.model, posed.state, posed.workspace, &basis);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("is violated by 0.00249 m"), std::string::npos)
      << status.message();
  EXPECT_EQ(posed.state.q, aside);
}

}  // namespace
}  // namespace trammel::projection_test
