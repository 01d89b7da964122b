// Laws of one bushing, without a model: its wrench is minus the gradient of its energy, by finite
// differences and by dual numbers; power balance; tables and their integrals; refused numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "trammel/force/bushing.hpp"

namespace trammel::bushing_test {
namespace {

class Numbers {
 public:
  explicit Numbers(unsigned seed) : engine_(seed) {}
  double operator()(double most = 1) { return most * spread_(engine_); }
  Vec3<double> vector(double most = 1) { return {(*this)(most), (*this)(most), (*this)(most)}; }
  // angle of the rotation: at most `angle`
  Pose<double> pose(double angle = 3) {
    const Vec3<double> r = vector();
    return {exponential_rotation((std::abs((*this)(angle)) / norm(r)) * r), vector()};
  }
  Motion<double> motion() { return {vector(), vector()}; }

 private:
  std::mt19937 engine_;
  std::uniform_real_distribution<double> spread_{-1, 1};
};

// A^T A of a random A: positive, with all couplings.
std::vector<Expr> positive_matrix(Numbers& random, double scale) {
  double A[6][6];
  for (auto& row : A)
    for (double& x : row) x = random();
  std::vector<Expr> out;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      double sum = 0;
      for (int k = 0; k < 6; ++k) sum += A[k][i] * A[k][j];
      out.push_back(scale * sum);
    }
  return out;
}
Values<double> no_values() { return Values<double>(Graph{}, std::span<const double>{}, {}); }

BushingDescription described(Numbers& random, bool has_tables, double damping) {
  BushingDescription out{.name = "mount", .frame = "a", .other_frame = "b"};
  out.stiffness = positive_matrix(random, 10);
  if (damping > 0) out.damping = positive_matrix(random, damping);
  for (int k = 0; k < 6; ++k) out.preload.push_back(random(5));
  if (has_tables)
    for (std::size_t axis = 0; axis < 6; axis += 2)
      out.tables[axis] = {{-0.6, -0.2, 0.1, 0.5, 0.9}, {-9.0, -4.0, -3.5, 2.0, 2.0}};
  return out;
}

// The pair of bodies at poses and velocities of its own.
struct Pair {
  explicit Pair(Numbers& random, double angle = 2.9)
      : X_WP(random.pose()),
        X_WC(X_WP * random.pose(angle)),
        V_P(random.motion()),
        V_C(random.motion()) {}
  BodyPair<double> motion() const { return {X_WP, X_WC, V_P, V_C}; }
  // both poses after a small time along their velocities
  Pair after(double t) const {
    Pair out = *this;
    const auto step = [&](const Pose<double>& X, const Motion<double>& V) {
      return X * exponential(Motion<double>{t * V.angular, t * V.linear});
    };
    out.X_WP = step(X_WP, V_P);
    out.X_WC = step(X_WC, V_C);
    return out;
  }
  Pose<double> X_WP, X_WC;
  Motion<double> V_P, V_C;
};

double power_of(const ElementWrench<double>& wrench, const Pair& pair) {
  const auto along = [&](const Pose<double>& X, const Motion<double>& V) {
    const Vec3<double> w = X.R * V.angular, v = X.R * V.linear + cross(w, wrench.p - X.p);
    return dot(wrench.F.moment, w) + dot(wrench.F.force, v);
  };
  return along(pair.X_WC, pair.V_C) - along(pair.X_WP, pair.V_P);
}

class EveryBushing : public testing::TestWithParam<int> {
 protected:
  EveryBushing()
      : random(unsigned(GetParam())),
        description(described(random, GetParam() % 2 == 0, GetParam() % 3)),
        element(BushingNumbers<double>::of(description, random.pose(0.1), random.pose(0.1),
                                           no_values())),
        pair(random) {}
  // the frames' own angle is at most that of the bodies and 0.2
  bool is_in_range() const { return element.displaced(pair.motion()).half < 0.99; }

  Numbers random;
  BushingDescription description;
  BushingNumbers<double> element;
  Pair pair;
};
INSTANTIATE_TEST_SUITE_P(seeds, EveryBushing, testing::Range(1, 41));

// Along any motion of both bodies: power of the wrenches = -dU/dt - dissipated power. With all
// motions of the pair this is the statement that the wrench is the gradient.
TEST_P(EveryBushing, does_the_work_of_its_energy) {
  if (!is_in_range()) GTEST_SKIP();
  const ElementWrench<double> wrench = element.wrench<double>(pair.motion(), {});
  ASSERT_EQ(wrench.failure, nullptr);
  const auto U = [&](double t) {
    const Pair there = pair.after(t);
    return element.potential_energy<double>(there.motion(), {});
  };
  const double h = 1e-4;
  const double rate = (8 * (U(h) - U(-h)) - (U(2 * h) - U(-2 * h))) / (12 * h);
  const double lost = element.dissipated_power(pair.motion(), {});
  EXPECT_GE(lost, 0);
  if (description.damping.empty()) { EXPECT_EQ(lost, 0); }
  // rounding of energies near 100 over the step; the fifth derivative times its fourth power; knots
  // of a table inside the step have a jump in the second derivative of the force
  EXPECT_NEAR(power_of(wrench, pair), -rate - lost, 1e-8 * (1 + std::abs(rate) + lost));
}

// The same with exact derivatives by dual numbers.
TEST_P(EveryBushing, is_the_gradient_of_its_energy_to_rounding) {
  if (!is_in_range()) GTEST_SKIP();
  using One = Dual<1>;
  const auto moving = [](const Pose<double>& X, const Motion<double>& V) {
    const Vec3<One> w{{0.0, V.angular.x}, {0.0, V.angular.y}, {0.0, V.angular.z}};
    const Vec3<One> v{{0.0, V.linear.x}, {0.0, V.linear.y}, {0.0, V.linear.z}};
    return Pose<One>{Mat3<One>(X.R) * (Mat3<One>::identity() + skew(w)),
                     Vec3<One>(X.p) + Mat3<One>(X.R) * v};
  };
  const Pose<One> X_WP = moving(pair.X_WP, pair.V_P), X_WC = moving(pair.X_WC, pair.V_C);
  const Motion<One> still{};
  const One U = element.potential_energy<One>({X_WP, X_WC, still, still}, {});
  const double rate = U.derivative[0];
  const double lost = element.dissipated_power(pair.motion(), {});
  const ElementWrench<double> wrench = element.wrench<double>(pair.motion(), {});
  EXPECT_NEAR(power_of(wrench, pair), -rate - lost, 1e-12 * (1 + std::abs(rate) + lost) * 100);
}

// A bushing seen from the world is the same wherever it stands.
TEST_P(EveryBushing, does_not_depend_on_where_the_pair_is) {
  if (!is_in_range()) GTEST_SKIP();
  const Pose<double> X = random.pose();
  const ElementWrench<double> here = element.wrench<double>(pair.motion(), {});
  Pair there = pair;
  there.X_WP = X * pair.X_WP;
  there.X_WC = X * pair.X_WC;
  const ElementWrench<double> moved = element.wrench<double>(there.motion(), {});
  EXPECT_LT(norm(moved.F.force - X.R * here.F.force), 1e-11 * (1 + norm(here.F.force)));
  EXPECT_LT(norm(moved.F.moment - X.R * here.F.moment), 1e-11 * (1 + norm(here.F.moment)));
  EXPECT_LT(norm(moved.p - X * here.p), 1e-13);
}

// Rotation about one axis of F: the moment is the table's value at the angle itself.
TEST(Bushing, reads_a_table_of_moments_over_the_angle) {
  BushingDescription description{.name = "mount", .frame = "a", .other_frame = "b"};
  description.tables[3] = {{-2.0, 2.0}, {-6.0, 6.0}};  // rx: straight
  const auto element = BushingNumbers<double>::of(description, Pose<double>::identity(),
                                                  Pose<double>::identity(), no_values());
  for (const double angle : {-2.9, -1.0, -1e-9, 0.0, 1e-3, 0.14, 0.15, 1.0, 2.5, 2.99}) {
    const Pose<double> X{exponential_rotation(Vec3<double>{angle, 0, 0}), {}};
    const Pose<double> ground = Pose<double>::identity();
    const Motion<double> still{};
    const auto wrench = element.wrench<double>({ground, X, still, still}, {});
    ASSERT_EQ(wrench.failure, nullptr);
    EXPECT_NEAR(wrench.F.moment.x, -3 * angle, 1e-13) << angle;  // straight outside as well
    EXPECT_NEAR(element.potential_energy<double>({ground, X, still, still}, {}),
                1.5 * angle * angle, 1e-13);
  }
}

TEST(Bushing, refuses_angles_at_which_its_rotation_vector_jumps) {
  BushingDescription description{.name = "mount", .frame = "a", .other_frame = "b"};
  description.stiffness = std::vector<Expr>(6, 1.0);
  const auto element = BushingNumbers<double>::of(description, Pose<double>::identity(),
                                                  Pose<double>::identity(), no_values());
  const Motion<double> still{};
  for (const double angle : {2.99, 3.01, 3.14}) {
    const Pose<double> X{exponential_rotation(Vec3<double>{0, 0, angle}), {}};
    const Pose<double> ground = Pose<double>::identity();
    const bool fails = element.wrench<double>({ground, X, still, still}, {}).failure != nullptr;
    EXPECT_EQ(fails, angle > 3) << angle;
  }
}

// The rotation vector undoes the exponential map, and its Jacobian is that of the map.
TEST(Bushing, measures_rotations_by_their_vector) {
  Numbers random(7);
  for (const double angle : {1e-9, 1e-5, 0.1, 0.1414, 0.1415, 0.2, 0.9999, 1.0001, 2.0, 3.0}) {
    const Vec3<double> some = random.vector(), r = (angle / norm(some)) * some;
    const Vec3<double> back = rotation_vector(exponential_rotation(r));
    EXPECT_LT(norm(back - r),
              1e-14 / std::sin(std::min(angle, 1.5)) * angle + 1e-14 / (std::numbers::pi - angle))
        << angle;
    // omega = J r' for a motion of the rotation vector: R' R^T = [omega]
    const Vec3<double> r_dot = random.vector();
    const double h = 1e-5;
    const Mat3<double> ahead = exponential_rotation(r + h * r_dot),
                       behind = exponential_rotation(r - h * r_dot);
    const Vec3<double> omega = (1 / (2 * h)) * rotation_vector(ahead * transpose(behind));
    // second order in the step
    EXPECT_LT(norm(inverse_left_jacobian(r, omega) - r_dot), 1e-8) << angle;
    const Vec3<double> b = random.vector();
    EXPECT_NEAR(dot(b, inverse_left_jacobian(r, omega)),
                dot(inverse_left_jacobian_transposed(r, b), omega), 1e-13);
  }
}

class BushingTables : public testing::TestWithParam<bool> {
 protected:
  const std::vector<double> at{-0.6, -0.2, 0.1, 0.5, 0.9}, force{-9.0, -4.0, -3.5, 2.0, 2.0};
  const BushingTable<double> table{at, force, GetParam()};
};
INSTANTIATE_TEST_SUITE_P(interpolations, BushingTables, testing::Bool());

TEST_P(BushingTables, pass_through_their_points_and_never_fall) {
  for (std::size_t k = 0; k < at.size(); ++k) EXPECT_NEAR(table.force(at[k]), force[k], 1e-14 * 10);
  for (double x = -1.5; x < 1.5; x += 1e-3)
    EXPECT_GE(table.force(x + 1e-3) - table.force(x), -1e-13) << x;
}
TEST_P(BushingTables, have_their_integral_as_energy) {
  EXPECT_EQ(table.energy(0.0), 0);
  // Simpson's rule is exact for cubic pieces
  for (double x = -1.51; x < 1.5; x += 0.02) {
    const double a = x, b = x + 0.01;
    bool has_knot = false;
    for (const double knot : at) has_knot |= a < knot && knot < b;
    if (has_knot) continue;
    const double mean = (table.force(a) + 4 * table.force((a + b) / 2) + table.force(b)) / 6;
    EXPECT_NEAR(table.energy(b) - table.energy(a), mean * (b - a), 1e-14 * 10) << x;
  }
}
TEST_P(BushingTables, go_on_straight_outside) {
  EXPECT_NEAR(table.force(-1.6), -9 - (5 / 0.4) * 1.0, 1e-12);
  EXPECT_NEAR(table.force(1.9), 2, 1e-12);
  EXPECT_NEAR(table.energy(1.9) - table.energy(0.9), 2, 1e-12);
}
// Cubic: the derivative is continuous at the points.
TEST(BushingTable, has_a_continuous_derivative_if_cubic) {
  const BushingTable<double> table({-0.6, -0.2, 0.1, 0.5, 0.9}, {-9.0, -4.0, -3.5, 2.0, 2.0}, true);
  for (const double knot : {-0.6, -0.2, 0.1, 0.5, 0.9}) {
    const double h = 1e-7, before = (table.force(knot) - table.force(knot - h)) / h,
                 after = (table.force(knot + h) - table.force(knot)) / h;
    EXPECT_NEAR(before, after, 1e-4) << knot;  // curvature times the step, and rounding over it
  }
  // by hand, between the points -0.2, 0.1 with secants 12.5, 5/3, 13.75 [Fritsch, Butland 1984]
  const double s0 = 12.5, s1 = 5.0 / 3, s2 = 13.75;
  const double from = (1.0 + 1.1) / (1.0 / s0 + 1.1 / s1), to = (1.1 + 1.0) / (1.1 / s1 + 1.0 / s2);
  const double middle = (-4.0 - 3.5) / 2 + 0.3 / 8 * (from - to);
  EXPECT_NEAR(table.force(-0.05), middle, 1e-13);
}
// Symbols and lanes take the same path without branches.
TEST(BushingTable, is_the_same_for_symbols) {
  const BushingTable<double> table({-0.6, -0.2, 0.1}, {-9.0, -4.0, -3.5}, true);
  Graph graph;
  const Expr x = graph.symbol("x");
  const Expr force = table.force(x), energy = table.energy(x);
  for (const double at : {-1.0, -0.6, -0.4, -0.2, 0.0, 0.05, 0.1, 2.0}) {
    const std::vector<double> symbols{at};
    const std::vector<Expr> wanted{force, energy};
    const Values<double> value(graph, std::span<const double>(symbols),
                               std::span<const Expr>(wanted));
    EXPECT_EQ(value(force), table.force(at));
    EXPECT_EQ(value(energy), table.energy(at));
  }
}

std::string first_error(const std::function<void(BushingDescription&)>& change) {
  BushingDescription bushing{.name = "mount", .frame = "a", .other_frame = "b"};
  change(bushing);
  Diagnostics diagnostics;
  check_numbers(bushing, no_values(), diagnostics);
  return diagnostics.list().empty() ? "" : to_string(diagnostics.list()[0]);
}
TEST(Bushing, refuses_wrong_numbers_by_name_fact_and_next_step) {
  const auto diagonal = [](double rz) { return std::vector<Expr>{1.0, 1.0, 1.0, 1.0, 1.0, rz}; };
  EXPECT_EQ(first_error([&](auto& b) { b.stiffness = diagonal(1); }), "");
  EXPECT_EQ(first_error([&](auto& b) { b.stiffness = diagonal(-2); }),
            "error: bushing 'mount' has stiffness -2 along rz\n  hint: it is zero or more");
  EXPECT_EQ(first_error([&](auto& b) {
              b.damping = {1.0, 2.0};
            }),
            "error: bushing 'mount' has a damping of 2 numbers\n  hint: give six, the diagonal, or "
            "six lists of six, a symmetric matrix");
  const auto matrix = [](double upper, double lower, double last) {
    std::vector<Expr> out(36, 0.0);
    for (std::size_t i = 0; i < 6; ++i) out[7 * i] = 4.0;
    out[2 * 6 + 5] = upper, out[5 * 6 + 2] = lower, out[35] = last;
    return out;
  };
  EXPECT_EQ(first_error([&](auto& b) { b.stiffness = matrix(1.5, 1.5, 1); }), "");
  EXPECT_EQ(first_error([&](auto& b) { b.stiffness = matrix(2, 2, 1); }), "");  // on the edge
  EXPECT_EQ(first_error([&](auto& b) { b.stiffness = matrix(1, 1.5, 1); }),
            "error: bushing 'mount' has a stiffness that is not symmetric: 1.5 in row 6 and column "
            "3, 1 in row 3 and column 6\n  hint: give both entries the same number");
  EXPECT_EQ(first_error([&](auto& b) { b.stiffness = matrix(3, 3, 1); }),
            "error: bushing 'mount' has a stiffness with a negative eigenvalue, -0.5 relative to "
            "its diagonal\n  hint: the energy of a displacement cannot be negative: reduce the "
            "entries off the diagonal");
  EXPECT_EQ(first_error([&](auto& b) { b.damping = matrix(1, 1, 0); }),
            "error: bushing 'mount' has a damping with a negative eigenvalue: row 3 and column 6 "
            "have 1, and one of the diagonal entries is 0\n  hint: give both diagonal entries a "
            "number above 0, or this one 0");
  EXPECT_EQ(first_error([&](auto& b) { b.preload = {1.0}; }),
            "error: bushing 'mount' has a preload of 1 numbers\n  hint: give six: along x, y, z, "
            "then about them");
  EXPECT_EQ(first_error([&](auto& b) {
              b.tables[3] = {{0.0, 1.0}, {0.0}};
            }),
            "error: bushing 'mount' has 2 displacements and 1 forces in table.rx\n  hint: give as "
            "many of each, at least two");
  EXPECT_EQ(first_error([&](auto& b) {
              b.tables[2] = {{0.0, 1.0, 1.0}, {0.0, 1.0, 2.0}};
            }),
            "error: bushing 'mount' has displacement 1 after 1 in table.z\n  hint: displacements "
            "increase from point to point");
  EXPECT_EQ(first_error([&](auto& b) {
              b.tables[0] = {{0.0, 1.0}, {0.0, -1.0}};
            }),
            "error: bushing 'mount' has force -1 after 0 in table.x\n  hint: the restoring force "
            "does not fall with the displacement");
  EXPECT_EQ(first_error([](auto&) {}),
            "error: bushing 'mount' has neither stiffness nor damping, table or preload\n  hint: "
            "give one of them, as in stiffness = [1e6, 1e6, 1e6, 1e3, 1e3, 1e3]");
}

}  // namespace
}  // namespace trammel::bushing_test
