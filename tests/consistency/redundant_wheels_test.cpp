// Degenerate wheel layouts: the recursive solver on the remaining rows and the dense solver with
// rank by QR give the same result and refuse the same inputs.
#include "tests/support/redundant_wheels.hpp"

#include "tests/support/how_many.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::redundant_wheels_test {
namespace {

struct Case {
  const char* gallery;
  bool is_arm_free;
};
constexpr Case cases[] = {{"e_09", false}, {"e_12a", false}, {"e_12a", true}};

Eigen::VectorXd by_matrices(RedundantWheels& vehicle, std::span<const double> tau,
                            RowBasis& basis) {
  ConstrainedAnswer answer;
  const Status status = constrained_dynamics(vehicle.model, vehicle.state, {.tau = tau},
                                             vehicle.workspace, answer, ConstraintSolver::kkt);
  EXPECT_TRUE(status.ok()) << status.message();
  basis = answer.basis;
  return answer.a;
}

Eigen::VectorXd vector_of(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), Eigen::Index(x.size()));
}

TEST(RedundantWheels, the_recursive_solver_equals_dense_matrices) {
  for (const auto& [gallery, is_arm_free] : cases) {
    RedundantWheels vehicle(gallery, is_arm_free);
    for (int seed = 1; seed <= how_many(200); ++seed) {
      SCOPED_TRACE(testing::Message() << gallery << ", seed " << seed);
      Random random(seed);
      vehicle.stand_somehow(random);
      const std::vector<double> tau = random.numbers(vehicle.model.nv());
      std::vector<double> quick;
      const Status status = vehicle.ask(tau, quick);
      ASSERT_TRUE(status.ok()) << status.message();
      RowBasis basis;
      const Eigen::VectorXd a = by_matrices(vehicle, tau, basis);
      // 3 rows of heights, 4 along, 2 across; in neighboring poses the rank is higher by at least
      // one
      EXPECT_EQ(basis.rank() - (basis.count - 12), 9);
      // rounding times the ratio of the largest to the smallest inertia of all motions
      EXPECT_LT((vector_of(quick) - a).lpNorm<Eigen::Infinity>(),
                1e-10 * (1 + a.lpNorm<Eigen::Infinity>()));
    }
  }
}

// Constraint forces do no work: v . (M a + h) is the power of the efforts.
TEST(RedundantWheels, the_floor_gives_no_power) {
  for (const auto& [gallery, is_arm_free] : cases) {
    RedundantWheels vehicle(gallery, is_arm_free);
    const int n = vehicle.model.nv();
    for (int seed = 1; seed <= how_many(50); ++seed) {
      SCOPED_TRACE(testing::Message() << gallery << ", seed " << seed);
      Random random(seed);
      vehicle.stand_somehow(random);
      const std::vector<double> tau = random.numbers(n);
      std::vector<double> a, h(static_cast<std::size_t>(n));
      ASSERT_TRUE(vehicle.ask(tau, a).ok());
      Eigen::MatrixXd M(n, n);
      ASSERT_TRUE(mass_matrix(vehicle.model, vehicle.state, vehicle.workspace, M).ok());
      ASSERT_TRUE(bias(vehicle.model, vehicle.state, {}, vehicle.workspace, h).ok());
      const Eigen::VectorXd needed = M * vector_of(a) + vector_of(h);
      const Eigen::VectorXd v = vector_of(vehicle.state.v);
      EXPECT_NEAR(v.dot(needed), v.dot(vector_of(tau)), 1e-10 * (1 + v.norm() * needed.norm()));
    }
  }
}

// One wheel out of line by a small angle: at rounding level it is in line, by more the vehicle is
// locked. The threshold and the result agree with QR.
TEST(RedundantWheels, a_wheel_out_of_line_locks_as_matrices_say) {
  RedundantWheels platform("e_09", false);
  std::vector<double> tau(14), a;
  for (const int f : platform.drive) tau[std::size_t(f)] = -2;
  Random random(3);
  int free = 0, locked = 0;
  // angles in between are left out: with multipliers larger by millions the dense solver may fail
  for (const double by : {0.0, 1e-16, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 3e-10, 1e-5, 3e-5, 1e-4,
                          3e-4, 1e-3, 1e-2, 0.1, 1.0}) {
    SCOPED_TRACE(by);
    platform.place(random);
    platform.stand_alike(0.3, 0, 0);
    platform.angle(platform.steer[2]) += by;
    const Status status = platform.ask(tau, a);
    ASSERT_TRUE(status.ok()) << status.message();
    RowBasis basis;
    const Eigen::VectorXd right = by_matrices(platform, tau, basis);
    // a nearly dependent row loses digits by its distance from dependency
    EXPECT_LT((vector_of(a) - right).lpNorm<Eigen::Infinity>(), 1e-4);
    const double forward = -0.15 * a[std::size_t(platform.drive[0])];
    (basis.rank() == 9 ? free : locked) += 1;
    EXPECT_NEAR(forward, basis.rank() == 9 ? 0.555555556 : 0, 1e-4);
  }
  EXPECT_EQ(free, 8);
  EXPECT_EQ(locked, 8);
  // there it may be refused, but it is not free
  for (const double by : {3e-9, 1e-8, 1e-7, 1e-6}) {
    SCOPED_TRACE(by);
    platform.stand_alike(0.3, 0, 0);
    platform.angle(platform.steer[2]) += by;
    if (platform.ask(tau, a)) { EXPECT_NEAR(-0.15 * a[std::size_t(platform.drive[0])], 0, 1e-4); }
  }
}

// Rolling while one leg turns out of line: the rows agree at this instant, and ask for
// accelerations that do not.
TEST(RedundantWheels, a_contradiction_is_reported) {
  for (const auto& [gallery, is_arm_free] : cases) {
    RedundantWheels vehicle(gallery, is_arm_free);
    Random random(5);
    vehicle.place(random);
    vehicle.stand_alike(0.4, 0.2, 1.0);
    std::vector<double> tau(std::size_t(vehicle.model.nv())), a;
    ASSERT_TRUE(vehicle.ask(tau, a).ok());
    vehicle.rate(vehicle.steer[1]) += 0.1;
    const Status status = vehicle.ask(tau, a);
    EXPECT_FALSE(status.ok());
    EXPECT_NE(status.message().find("contradicts"), std::string::npos) << status.message();
  }
}

TEST(RedundantWheels, earlier_calls_change_no_bit) {
  RedundantWheels vehicle("e_12a", true);
  std::vector<double> fresh, again;
  for (int seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    vehicle.stand_somehow(random);
    const std::vector<double> tau = random.numbers(vehicle.model.nv());
    ASSERT_TRUE(vehicle.ask(tau, again).ok());
    RedundantWheels other("e_12a", true);
    other.state = vehicle.state;
    ASSERT_TRUE(other.ask(tau, fresh).ok());
    EXPECT_EQ(again, fresh) << seed;
  }
}

}  // namespace
}  // namespace trammel::redundant_wheels_test
