// Conditioning and isotropy of wheel layouts: [Saha 1991, chapter 5 and section 3.11], and S-T10.
#include "trammel/design/isotropy.hpp"

#include <Eigen/Dense>
#include <numbers>
#include <random>

#include "tests/reference/saha/platforms.hpp"
#include "tests/support/capability.hpp"

namespace trammel::isotropy_test {
namespace {

using Eigen::MatrixXd, Eigen::Vector3d;
constexpr double sqrt2 = std::numbers::sqrt2;

Conditioning of(const WheelLayout& layout, double length) {
  return conditioning(scaled(hub_jacobian(layout), 1, length));
}
// table 5.1
WheelLayout four_isotropic(double d, double r) {
  WheelLayout out;
  const double alpha[] = {45, 45, -135, -135};
  for (int k = 0; k < 4; ++k)
    out.push_back({alpha[k] * degree, 90 * k * degree, (90 * k - 45) * degree, d, r});
  return out;
}

TEST(conditioning, published_numbers_and_their_dependence_on_the_length) {
  shows({"S-54", "conditioning", "best_length"});
  // three wheels: L = 0.42426 m, sigma = 12.25 / m printed; four of table 5.1, six like three
  const Conditioning three = of(SeedPlatform::three_wheels().layout, sqrt2 * 0.3);
  const Conditioning four = of(four_isotropic(0.3, 0.1), sqrt2 * 0.3);
  const Conditioning six = of(SeedPlatform::six_wheels().layout, sqrt2 * 0.3);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(three.singular[k], 12.247449, 5.1e-7);
    EXPECT_NEAR(four.singular[k], 20, 1e-12);
    EXPECT_NEAR(six.singular[k], 17.320508, 5.1e-7);
  }
  EXPECT_TRUE(three.is_isotropic() && four.is_isotropic() && six.is_isotropic());
  EXPECT_NEAR(three.condition, 1, 1e-14);

  // the four-wheeler of table 4.2: its index depends on the chosen length
  const WheelLayout mecanum = SeedPlatform::four_wheels(true).layout;
  const Conditioning natural = of(mecanum, sqrt2 * 0.36), flattering = of(mecanum, 0.1);
  const double at_natural[] = {20, 20, 3.918923}, at_tenth[] = {20, 20, 19.9519};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(natural.singular[k], at_natural[k], 5.1e-7);
    EXPECT_NEAR(flattering.singular[k], at_tenth[k], 5.1e-5);
  }
  EXPECT_NEAR(natural.condition, 20 / 3.918923, 1e-5);
  EXPECT_NEAR(best_length(hub_jacobian(mecanum), 1, 0.01, 10), 0.0998, 5.1e-5);
  EXPECT_FALSE(natural.is_isotropic());
  // mirrored rollers: five times the lever
  WheelLayout mirrored = mecanum;
  for (std::size_t k = 0; k < 4; ++k) mirrored[k].roller_angle = (k % 2 == 0 ? 135 : 45) * degree;
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(std::abs(hub_jacobian(mirrored)(k, 0)), 4.992475, 5.1e-7);
  // K^T / sigma^2 is the pseudo-inverse of an isotropic K
  const MatrixXd K = scaled(hub_jacobian(four_isotropic(0.3, 0.1)), 1, sqrt2 * 0.3);
  EXPECT_LT(largest_of(K.transpose() / 400 * K - MatrixXd::Identity(3, 3)), 1e-14);
}

TEST(conditioning, of_any_matrix_is_that_of_its_singular_values) {
  std::mt19937 random(2);
  std::normal_distribution<double> any;
  const MatrixXd K = MatrixXd::NullaryExpr(5, 3, [&] { return any(random); });
  const Conditioning found = conditioning(K);
  // independently: square roots of the eigenvalues of K^T K
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(K.transpose() * K);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(found.singular[k], std::sqrt(eigen.eigenvalues()[2 - k]), 1e-13);
  EXPECT_NEAR((K * found.weakest).norm(), found.singular[2], 1e-13);
  EXPECT_EQ(conditioning(MatrixXd::Zero(3, 2)).rank, 0);
  EXPECT_TRUE(std::isinf(conditioning(MatrixXd::Zero(3, 2)).condition));
}

TEST(wheel_layout, singular_ones_are_found_and_explained) {
  shows({"S-55", "singular_because"});
  // a square wheelbase with the arrangement of table 4.2: its wheels cannot turn it
  WheelLayout square = SeedPlatform::four_wheels().layout;
  for (std::size_t k = 0; k < 4; ++k) square[k].bearing = (45 + 90 * double(k)) * degree;
  const Conditioning found = of(square, sqrt2 * 0.36);
  EXPECT_NEAR(found.singular[0], 20, 1e-12);
  EXPECT_NEAR(found.singular[1], 20, 1e-12);
  EXPECT_NEAR(found.singular[2], 0, 1e-12);
  EXPECT_TRUE(found.is_singular());
  EXPECT_NE(singular_because(square).find("no wheel turns the platform"), std::string::npos);

  // all roller axes along x: cos gamma = +-1, sin gamma = 0
  WheelLayout aside = SeedPlatform::three_wheels().layout;
  for (WheelPlacing& wheel : aside) wheel.axle = -wheel.roller_angle;
  EXPECT_NE(singular_because(aside).find("along 90 deg"), std::string::npos)
      << singular_because(aside);
  // all of them through one point off the center
  WheelLayout about = SeedPlatform::three_wheels().layout;
  const Eigen::Vector2d point(0.1, -0.05);
  for (WheelPlacing& wheel : about) {
    const Eigen::Vector2d at =
        wheel.distance * Eigen::Vector2d(std::cos(wheel.bearing), std::sin(wheel.bearing));
    wheel.axle = std::atan2(point.y() - at.y(), point.x() - at.x()) - wheel.roller_angle;
  }
  EXPECT_NE(singular_because(about).find("about the point 0.1, -0.05 m"), std::string::npos)
      << singular_because(about);
  EXPECT_TRUE(singular_because(SeedPlatform::three_wheels().layout).empty());
  EXPECT_FALSE(singular_because({square[0], square[1]}).empty());
}

// Theta^T Theta = r^2 [1, rho cos alpha; rho cos alpha, rho^2]: only alpha = 90 deg and rho = 1.
TEST(wheel_layout, no_real_wheel_is_isotropic_by_itself) {
  shows({"S-56", "wheel_matrix", "conditioning"});
  std::mt19937 random(4);
  std::uniform_real_distribution<double> angle(0.1, 3), ratio(0.02, 1.5);
  for (int trial = 0; trial < 200; ++trial) {
    WheelPlacing wheel{angle(random), angle(random), angle(random), 0.3, 0.2};
    const double rho = ratio(random), r = wheel.radius;
    const Eigen::Matrix2d Theta = wheel_matrix(wheel, rho * r), square = Theta.transpose() * Theta;
    Eigen::Matrix2d expected;
    const double mixed = rho * std::cos(wheel.roller_angle);
    expected << 1, mixed, mixed, rho * rho;
    EXPECT_LT(largest_of(square - r * r * expected), 1e-15);
    // distance from isotropy: exactly the residual of these two conditions
    const double mean = (1 + rho * rho) / 2;
    const double missed = std::hypot(sqrt2 * (1 - mean), sqrt2 * mixed) / mean;
    EXPECT_NEAR(conditioning(Theta).anisotropy, missed, 1e-13);
    EXPECT_GT(conditioning(Theta).anisotropy, 1e-6);
  }
  const WheelPlacing ideal{90 * degree, 0.4, 0.1, 0.3, 0.2};
  EXPECT_LT(conditioning(wheel_matrix(ideal, 0.2)).anisotropy, 1e-14);
}

TEST(isotropy, rings_of_any_number_of_wheels_are_isotropic) {
  shows({"S-57", "isotropic_layout"});
  for (const int n : {3, 4, 5, 6, 9})
    for (const double alpha : {90 * degree, 45 * degree, 60 * degree})
      for (const double lever : {1 / sqrt2, 0.9, 2.0}) {  // d / L
        const IsotropicRing ring{.wheels = n,
                                 .radius = 0.1,
                                 .distance = 0.3,
                                 .roller_angle = alpha,
                                 .length = 0.3 / lever,
                                 .first_bearing = 0.4};
        const Conditioning found = of(isotropic_layout(ring), ring.length);
        const double sigma = std::sqrt(n / 2.0) / (0.1 * std::sin(alpha));
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(found.singular[k], sigma, 1e-12 * sigma) << n;
      }
  // printed: 12.25 for three, 2 / r for four, sqrt(3) / r for six
  EXPECT_NEAR(of(isotropic_layout({.wheels = 3}), sqrt2 * 0.3).singular[0], 12.247449, 5.1e-7);
  const double forty_five = 45 * degree;
  EXPECT_NEAR(
      of(isotropic_layout({.wheels = 4, .roller_angle = forty_five}), sqrt2 * 0.3).singular[2], 20,
      1e-12);
  EXPECT_NEAR(of(isotropic_layout({.wheels = 6}), sqrt2 * 0.3).singular[1], std::sqrt(3) / 0.1,
              1e-12);
  EXPECT_THROW(isotropic_layout({.wheels = 2}), std::invalid_argument);
  EXPECT_THROW(isotropic_layout({.wheels = 3, .distance = 0.3, .length = 0.5}),
               std::invalid_argument);
}

TEST(isotropy, search_reaches_isotropy_where_there_is_some_and_the_best_where_there_is_none) {
  shows({"S-58", "best_layout"});
  const double length = sqrt2 * 0.3;
  // axle and bearing angles free: families of isotropic layouts
  for (const int n : {3, 4, 6}) {
    std::vector<WheelRange> free(
        std::size_t(n), WheelRange{{90 * degree, 90 * degree}, {-3, 3}, {-3, 3}, {0.3, 0.3}, 0.1});
    const LayoutSearch found = best_layout(free, length, 12);
    EXPECT_LT(found.found.anisotropy, 1e-9) << n;
    EXPECT_NEAR(found.found.condition, 1, 1e-9) << n;
    EXPECT_GT(found.agreeing, 1) << n;
  }
  // wheels within 0.1 m: the best lever is sin xi = 1, with singular values sigma (d/L sqrt2) for
  // rotation and sigma for translation; in closed form
  std::vector<WheelRange> close(
      3, WheelRange{{90 * degree, 90 * degree}, {-3, 3}, {-3, 3}, {0.02, 0.1}, 0.1});
  const LayoutSearch best = best_layout(close, length, 12);
  // its square relative to those of translation, 1 and 1
  const double turn = 2 * 0.01 / (length * length);
  const double mean = (turn + 2) / 3;
  const double expected =
      std::sqrt((turn - mean) * (turn - mean) + 2 * (1 - mean) * (1 - mean)) / mean;
  EXPECT_NEAR(best.found.anisotropy, expected, 1e-8);
  for (const WheelPlacing& wheel : best.layout) EXPECT_NEAR(wheel.distance, 0.1, 1e-9);
  // the same result for the same seed
  EXPECT_EQ(best_layout(close, length, 12).found.anisotropy, best.found.anisotropy);
  EXPECT_THROW(best_layout(close, 0), std::invalid_argument);
  close[1].axle = {1, -1};
  EXPECT_THROW(best_layout(close, length), std::invalid_argument);
}

}  // namespace
}  // namespace trammel::isotropy_test
