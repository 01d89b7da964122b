// Cartesian tensors of [van der Merwe 1995, chapter 3] (section 3.4, with corrections), on random
// data.
#include <gtest/gtest.h>

#include "tests/support/capability.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/spatial/inertia.hpp"
#include "trammel/spatial/rotation.hpp"
#include "trammel/spatial/tensor.hpp"

namespace trammel::tensors_test {
namespace {

using Matrix = Mat3<double>;
using Vector = Vec3<double>;

double size(const Vector& a) { return std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)}); }
double size(const Matrix& A) { return std::max({size(A.x), size(A.y), size(A.z)}); }
// A sum of a few products of numbers of size one to ten.
constexpr double rounding = 1e-14;

// A rotating body: R(t) = exp(first t) exp(second t), its rates by differences in time.
struct Turning {
  explicit Turning(int seed) : random(seed) {}
  Random random;
  Vector first = random.vector(2), second = random.vector(2);
  double t0 = random(0.2, 1);

  Matrix R(double t) const {
    return exponential_rotation((t0 + t) * first) * exponential_rotation((t0 + t) * second);
  }
  // exact: omega = first + exp(first t) second
  Vector omega(double t = 0) const {
    return first + exponential_rotation((t0 + t) * first) * second;
  }
  Vector omega_dot() const { return cross(first, omega() - first); }
};
// Differences with step h: errors h^2 times derivatives of a thousand, and rounding over h or h^2.
constexpr double h1 = 1e-5, h2 = 1e-3;
template <class F> auto rate_of(const F& f) { return (0.5 / h1) * (f(h1) - f(-h1)); }
template <class F> auto second_rate_of(const F& f) {
  // fourth order
  return (1 / (12 * h2 * h2)) *
         (16.0 * (f(h2) + f(-h2)) - (f(2 * h2) + f(-2 * h2)) - 30.0 * f(0.0));
}
constexpr double first_error = 1e-7, second_error = 1e-7;

// Point masses: inertia by definition.
struct Cloud {
  explicit Cloud(Random& random) {
    for (int i = 0; i < 8; ++i) points.push_back({random(0.1, 1), random.vector()});
  }
  struct Point {
    double mass;
    Vector r;
  };
  std::vector<Point> points;

  double mass() const {
    double sum = 0;
    for (const Point& p : points) sum += p.mass;
    return sum;
  }
  Vector center() const {
    Vector sum;
    for (const Point& p : points) sum = sum + (p.mass / mass()) * p.r;
    return sum;
  }
  // integral of r.r 1 - r r^T and of r r^T, about a point
  SymMat3<double> inertia(const Vector& about = {}) const {
    SymMat3<double> sum;
    for (const Point& p : points) {
      const Vector r = p.r - about;
      const SymMat3<double> rr = symmetric_outer(p.mass * r, r);
      const double square = p.mass * dot(r, r);
      sum = sum + SymMat3<double>{square, 0, 0, square, 0, square} - rr;
    }
    return sum;
  }
  SymMat3<double> euler(const Vector& about = {}) const {
    SymMat3<double> sum;
    for (const Point& p : points) sum = sum + symmetric_outer(p.mass * (p.r - about), p.r - about);
    return sum;
  }
};

class CartesianTensors : public testing::TestWithParam<int> {
 protected:
  Turning body{GetParam()};
  Random random{GetParam() + 500};
  Cloud cloud{random};
  Vector w = random.vector(2), w_dot = random.vector(2);
};
INSTANTIATE_TEST_SUITE_P(seeds, CartesianTensors, testing::Range(1, 21));

TEST_P(CartesianTensors, the_skew_matrix_is_the_vector_product) {
  shows({"M-08", "skew", "unskew"});
  const Vector u = random.vector(), v = random.vector();
  EXPECT_LT(size(skew(u) * v - cross(u, v)), rounding);
  EXPECT_LT(size(skew(u) * v + skew(v) * u), rounding);
  EXPECT_LT(size(skew(u) + transpose(skew(u))), rounding);
  EXPECT_LT(size(unskew(skew(u)) - u), rounding);
  EXPECT_LT(size(outer(v, u) - (skew(u) * skew(v) + dot(v, u) * Matrix::identity())), rounding);
  EXPECT_NEAR(dot(u, v), -0.5 * trace(skew(u) * skew(v)), rounding);
  // of a rotated vector, and of a symmetric matrix times a vector
  const Matrix R = body.R(0);
  EXPECT_LT(size(skew(R * u) - R * skew(u) * transpose(R)), rounding);
  const SymMat3<double> S = cloud.inertia();
  EXPECT_LT(size(skew(S * v) - (trace(S) * skew(v) - (full(S) * skew(v) + skew(v) * full(S)))),
            rounding);
}

TEST_P(CartesianTensors, angular_velocity_is_the_rate_of_the_rotation) {
  shows({"M-19", "angular_velocity_tensor"});
  const Matrix R_dot = rate_of([&](double t) { return body.R(t); });
  EXPECT_LT(size(angular_velocity_tensor(body.omega()) - R_dot * transpose(body.R(0))),
            first_error);
}

TEST_P(CartesianTensors, angular_acceleration_is_the_second_rate_of_the_rotation) {
  shows({"M-20", "angular_acceleration_tensor"});
  const Matrix R_ddot = second_rate_of([&](double t) { return body.R(t); });
  EXPECT_LT(size(angular_acceleration_tensor(body.omega(), body.omega_dot()) -
                 R_ddot * transpose(body.R(0))),
            second_error);
}

TEST_P(CartesianTensors, give_the_velocity_and_acceleration_of_a_point) {
  shows({"M-21", "angular_velocity_tensor", "angular_acceleration_tensor"});
  const Vector in_body = random.vector(), s1 = random.vector(), s2 = random.vector();
  const auto place = [&](double t) { return t * s1 + (t * t / 2) * s2 + body.R(t) * in_body; };
  const Vector r = body.R(0) * in_body;
  EXPECT_LT(size(s1 + angular_velocity_tensor(body.omega()) * r - rate_of(place)), first_error);
  EXPECT_LT(size(s2 + angular_acceleration_tensor(body.omega(), body.omega_dot()) * r -
                 second_rate_of(place)),
            second_error);
}

TEST_P(CartesianTensors, inertia_and_euler_tensor_are_two_words_for_one_cloud) {
  shows({"M-22", "euler_tensor", "inertia_from_euler_tensor"});
  EXPECT_LT(size(full(euler_tensor(cloud.inertia()) - cloud.euler())), rounding);
  EXPECT_LT(size(full(inertia_from_euler_tensor(cloud.euler()) - cloud.inertia())), rounding);
  Matrix squares{};
  for (const auto& [m, r] : cloud.points) squares = squares - m * (skew(r) * skew(r));
  EXPECT_LT(size(squares - full(cloud.inertia())), rounding);
}

TEST_P(CartesianTensors, moved_from_the_center_of_mass_they_grow_by_that_of_a_point) {
  shows({"M-23", "inertia_about_com"});
  const Vector rc = cloud.center();
  const Inertia<double> moved = inertia_about_com(cloud.mass(), rc, cloud.inertia(rc));
  EXPECT_LT(size(full(moved.rotational - cloud.inertia())), rounding);
  EXPECT_LT(size(full(cloud.euler(rc)) + cloud.mass() * outer(rc, rc) - full(cloud.euler())),
            rounding);
}

TEST_P(CartesianTensors, inertia_turns_with_its_body) {
  shows({"M-24", "inertia_rate"});
  const SymMat3<double> I = cloud.inertia();
  Cloud turned = cloud;
  for (auto& point : turned.points) point.r = body.R(0) * point.r;
  EXPECT_LT(size(full(rotate(body.R(0), I) - turned.inertia())), rounding);
  const auto at = [&](double t) { return full(rotate(body.R(t), I)); };
  const auto euler_at = [&](double t) { return full(rotate(body.R(t), cloud.euler())); };
  // moments of size ten on top of the differences' own error
  EXPECT_LT(size(inertia_rate(rotate(body.R(0), I), body.omega()) - rate_of(at)), 10 * first_error);
  EXPECT_LT(size(rate_of(at) + rate_of(euler_at)), 10 * first_error);
}

TEST_P(CartesianTensors, angular_momentum_is_that_of_the_points) {
  shows({"M-25", "angular_momentum_tensor"});
  const SymMat3<double> I = cloud.inertia(), J = cloud.euler();
  Vector sum, momentum;
  for (const auto& [m, r] : cloud.points) {
    sum = sum + m * cross(r, cross(w, r));
    momentum = momentum + m * cross(w, r);
  }
  const Vector L = I * w, rc = cloud.center();
  EXPECT_LT(size(L - sum), 3 * rounding);
  EXPECT_LT(size(L - (trace(J) * w - J * w)), 3 * rounding);
  EXPECT_LT(size(cloud.inertia(rc) * w + cross(rc, momentum) - L), 3 * rounding);
  EXPECT_LT(size(angular_momentum_tensor(J, w) - skew(L)), 3 * rounding);
  const Matrix wI = skew(w) * full(I);
  EXPECT_LT(size(transpose(wI) - wI + trace(I) * skew(w) - skew(L)), 3 * rounding);
}

TEST_P(CartesianTensors, the_torque_is_the_rate_of_the_angular_momentum) {
  shows({"M-26", "torque_tensor"});
  const SymMat3<double> I = cloud.inertia(), J = cloud.euler();
  const Matrix acceleration = angular_acceleration_tensor(w, w_dot);
  const Vector M = I * w_dot + cross(w, I * w);
  Vector sum;
  for (const auto& [m, r] : cloud.points) sum = sum + m * cross(r, acceleration * r);
  EXPECT_LT(size(M - sum), 10 * rounding);
  EXPECT_LT(size(M - (trace(J) * w_dot - (J * w_dot + cross(w, J * w)))), 10 * rounding);
  EXPECT_LT(size(unskew(torque_tensor(J, acceleration)) - M), 10 * rounding);
  const Matrix AI = acceleration * full(I);
  EXPECT_LT(size(unskew(transpose(AI) - AI + trace(I) * skew(w_dot)) - M), 10 * rounding);

  // and of a rotating body
  const auto L = [&](double t) { return rotate(body.R(t), I) * body.omega(t); };
  const SymMat3<double> J_now = rotate(body.R(0), J);
  const Matrix now = angular_acceleration_tensor(body.omega(), body.omega_dot());
  EXPECT_LT(size(unskew(torque_tensor(J_now, now)) - rate_of(L)), 100 * first_error);
}

}  // namespace
}  // namespace trammel::tensors_test
