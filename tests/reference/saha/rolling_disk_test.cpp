// Rolling disk [Saha 1991, section 3.12]: precession about z, tilt, spin about its own axis;
// examples S-T11 and S-T12. Its rotation: Rz(phi) Rx(pi/2 - theta) Rz(psi).
#include <numbers>

#include "tests/reference/rolling_disk.hpp"
#include "tests/support/capability.hpp"

namespace trammel::rolling_disk_test {
namespace {

constexpr double m = 0.02, r = 0.05, g = 9.81;

RollingDisk thin_disk() {
  return RollingDisk(m, r, m * r * r / 2, m * r * r / 4,
                     {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}});
}
struct DiskState {
  double theta, phi, psi, theta_rate, phi_rate, psi_rate;
};
void put(RollingDisk& disk, const DiskState& x) {
  disk.put({x.phi, std::numbers::pi / 2 - x.theta, x.psi}, {x.phi_rate, -x.theta_rate, x.psi_rate});
}

TEST(saha_rolling_disk, rolls_by_the_orthogonal_complement_and_every_other_solver) {
  shows({"S-59", "constrained_dynamics"}, {"S-29", "constrained_dynamics"});
  RollingDisk disk = thin_disk();
  for (const ConstraintSolver solver : {ConstraintSolver::null_space, ConstraintSolver::schur,
                                        ConstraintSolver::kkt, ConstraintSolver::sparse}) {
    // S-T12: any motion; eight printed digits
    put(disk, {0.3, 0.2, 0.4, 0.5, 3, -8});
    const ConstrainedAnswer answer = disk.solve(solver);
    EXPECT_NEAR(-answer.a[4], 21.4120519, 1e-7);
    EXPECT_NEAR(answer.a[3], 8.3740128, 1e-7);
    EXPECT_NEAR(answer.a[5], -4.8630312, 1e-7);
    EXPECT_NEAR(disk.posed.state.v[0], 0.3438373, 1e-7);
    EXPECT_NEAR(disk.posed.state.v[1], 0.0940685, 1e-7);
    EXPECT_NEAR(answer.a[0], -0.4378529, 1e-7);
    EXPECT_NEAR(answer.a[1], 2.0397795, 1e-7);
    // force of the floor: the normal, and the components across and along
    EXPECT_NEAR(answer.lambda[0], 0.18963347, 1e-8);
    EXPECT_NEAR(std::hypot(answer.lambda[1], answer.lambda[2]), std::hypot(0.00875706, 0.04079559),
                1e-8);

    // S-T11: steady circles, tilts to fifteen digits
    const double steady[][3] = {{0.003798411887897, 1, -0.5},
                                {0.017526349572357, 1.8, -1.3},
                                {0.106461208839990, 4.2, -3.7},
                                {0.409544272016795, 9.6, -9.1}};
    const double energies[] = {0.009825412242, 0.009889073737, 0.010260462281, 0.010527804053};
    const double radii[] = {0.024810079862, 0.035234838495, 0.038734608160, 0.027486266884};
    for (int k = 0; k < 4; ++k) {
      const auto& [theta, phi_rate, psi_rate] = steady[k];
      put(disk, {theta, 0, 0, 0, phi_rate, psi_rate});
      const ConstrainedAnswer circle = disk.solve(solver);
      for (int f = 3; f < 6; ++f) EXPECT_NEAR(circle.a[f], 0, 1e-11 * g / r) << k;
      EXPECT_NEAR(disk.posed.energies().total(), energies[k], 1e-12);
      EXPECT_NEAR(std::hypot(disk.posed.state.v[0], disk.posed.state.v[1]) / phi_rate, radii[k],
                  1e-12);
    }
  }
}

TEST(saha_rolling_disk, is_after_a_second_where_published) {
  RollingDisk disk = thin_disk();
  put(disk, {0.3, 0.2, 0.4, 0.5, 3, -8});
  const double energy = disk.posed.energies().total();
  disk.posed.run(1e-3, 1000);
  // eight printed digits; the error of the classical Runge-Kutta method at this step is below 1e-8
  const std::vector<double>&q = disk.posed.state.q, &v = disk.posed.state.v;
  EXPECT_NEAR(std::numbers::pi / 2 - q[4], 0.29441682, 1e-7);
  EXPECT_NEAR(q[3], 8.44621912, 1e-7);
  EXPECT_NEAR(q[5], -12.12951722, 1e-7);
  EXPECT_NEAR(-v[4], -0.10558662, 1e-7);
  EXPECT_NEAR(v[3], 2.90688698, 1e-7);
  EXPECT_NEAR(v[5], -7.9464543, 1e-7);
  EXPECT_NEAR(q[0], 0.02107493, 1e-7);
  EXPECT_NEAR(q[1], 0.06074958, 1e-7);
  EXPECT_NEAR(disk.posed.energies().total(), energy, 1e-11);
}

// The contact point of the rim is at rest: found here from the kinematics of the body alone.
TEST(saha_rolling_disk, touches_with_a_point_at_rest) {
  RollingDisk disk = thin_disk();
  put(disk, {0.3, 0.2, 0.4, 0.5, 3, -8});
  Eigen::MatrixXd J;
  ASSERT_TRUE(
      constraint_jacobian(disk.posed.model, disk.posed.state, disk.posed.workspace, J).ok());
  EXPECT_LT((J * vector_of(disk.posed.state.v)).cwiseAbs().maxCoeff(), 1e-14);
  const Pose<double> X = disk.posed.X("disk");
  // the lowest of many points of the rim
  Vec3<double> lowest{0, 0, 1};
  for (int k = 0; k < 100000; ++k) {
    const double angle = 2 * std::numbers::pi * k / 100000;
    const Vec3<double> rim{r * std::cos(angle), r * std::sin(angle), 0};
    if ((X * rim).z < (X * lowest).z) lowest = rim;
  }
  EXPECT_NEAR((X * lowest).z, 0, 1e-10);
  FrameRef place = frame_ref(disk.posed.model, "disk");
  place.X_UA.p = lowest;
  const Motion<double> V = velocity(disk.posed.model, disk.posed.moving(), place);
  EXPECT_LT(norm(V.linear), 8 * 2 * r * std::numbers::pi / 100000);  // spin times half a step
}

}  // namespace
}  // namespace trammel::rolling_disk_test
