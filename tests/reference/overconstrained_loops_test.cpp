// Overconstrained loops, movable although their mobility count is zero or less: [Bennett 1903] and
// Sarrus (Comptes rendus 36, 1853).
#include "tests/reference/posed.hpp"
#include "tests/support/operator_matrices.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::overconstrained_loops_test {
namespace {

// Four revolute joints in space; opposite links have the same length and twist, and a sin(beta) = b
// sin(alpha).
struct Bennett {
  static constexpr double a = 0.5, alpha = 0.6, beta = 1.1;
  static double b() { return a * std::sin(beta) / std::sin(alpha); }
  static Description described() {
    Description description("Bennett");
    const auto link = [&](const char* name, double length) {
      description.body(name, {.mass = 1.0,
                              .com = {length / 2, 0.0, 0.0},
                              .inertia = {0.01, 0.0, 0.0, 0.02, 0.0, 0.03}});
    };
    link("2", b());
    link("3", a);
    link("4", b());
    // revolute joint k is at the end of link k, twisted about x
    const auto hinge = [&](const char* name, const char* parent, const char* child, double length,
                           double twist, bool cut) {
      description.joint(name, JointKind::revolute, parent, child,
                        {.at = {.xyz = {length, 0.0, 0.0}, .rpy = {twist, 0.0, 0.0}}, .cut = cut});
    };
    hinge("h2", "ground", "2", a, alpha, false);
    hinge("h3", "2", "3", b(), beta, false);
    hinge("h4", "3", "4", a, alpha, false);
    hinge("h1", "4", "ground", b(), beta, true);
    return description;
  }
};

TEST(overconstrained_loops, bennett_moves_in_one_way) {
  Posed posed(Bennett::described(), {2.0, -2.0, -2.0});
  const Status status = assemble(posed.model, posed.state, posed.workspace,
                                 {.keep = {*posed.model.find_joint("h2")}});
  ASSERT_TRUE(status.ok()) << status.message();
  Mobility found;
  ASSERT_TRUE(mobility(posed.model, posed.state, posed.workspace, found).ok());
  EXPECT_EQ(found.gruebler, -2);
  EXPECT_EQ(found.instantaneous, 1);
  EXPECT_EQ(found.finite, 1);
  EXPECT_EQ(found.verdict, Mobility::Verdict::regular);
  // opposite joints turn alike, adjacent ones by Bennett's relation
  const auto turn = [](double q) { return std::remainder(q, 2 * std::numbers::pi); };
  EXPECT_NEAR(turn(posed.state.q[0] + posed.state.q[2]), 0, 1e-10);
  const double product = std::tan(posed.state.q[0] / 2) * std::tan(posed.state.q[1] / 2);
  const double sum = (Bennett::alpha + Bennett::beta) / 2,
               gap = (Bennett::beta - Bennett::alpha) / 2;
  const double relation = std::sin(sum) / std::sin(gap);
  EXPECT_NEAR(std::abs(product), relation, 1e-8 * relation);
}

// A given RowBasis stays valid at a slightly open state, where a new rank decision would be wrong.
void expect_right_a_little_open(Posed& posed, const RowBasis& basis,
                                const Eigen::VectorXd& closed) {
  for (const double open : {1e-9, 1e-8, 1e-7}) {
    const std::vector<double> q = posed.state.q;
    posed.state.q[1] += open;
    ConstrainedAnswer answer;
    const Status status = constrained_dynamics(posed.model, posed.state, {}, posed.workspace,
                                               answer, ConstraintSolver::automatic, &basis);
    ASSERT_TRUE(status.ok()) << status.message();
    const double size = largest_of(closed);
    EXPECT_LT(largest_of(answer.a - closed), 100 * open * size);
    // so does the call without a basis, which closes the state before it decides the rank
    EXPECT_LT(largest_of(posed.a() - closed), 100 * open * size);
    posed.state.q = q;
  }
}

TEST(overconstrained_loops, bennett_accelerates_rightly_a_little_open) {
  Posed posed(Bennett::described(), {2.0, -2.0, -2.0});
  posed.state.v = {1.3, 0, 0};
  const JointId driven = *posed.model.find_joint("h2");
  ASSERT_TRUE(assemble(posed.model, posed.state, posed.workspace, {.keep = {driven}}).ok());
  RowBasis basis;
  ASSERT_TRUE(row_basis(posed.model, posed.state, posed.workspace, basis).ok());
  EXPECT_EQ(basis.rank(), 2);
  const Eigen::VectorXd closed = posed.a();
  expect_right_a_little_open(posed, basis, closed);
}

// Two pairs of plates on revolute joints, at right angles: the lid moves straight up.
struct Sarrus {
  // plates lean outward by the same angle: plate a turns about y, plate b the other way about x
  static constexpr double lean = 0.4, rate = 0.7;
  static Description described() {
    Description description("Sarrus");
    const Vec3<Expr> x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0};
    const Solid plate{
        .mass = 1.0, .com = {0.0, 0.0, 0.5}, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.02}};
    for (const char* name : {"a1", "a2", "b1", "b2"}) description.body(name, plate);
    description.body("lid", {.mass = 2.0, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.2}});
    const Vec3<Expr> top{0.0, 0.0, 1.0};
    description.joint("a foot", JointKind::revolute, "ground", "a1",
                      {.at = {.xyz = {0.5, 0.0, 0.0}}, .axis = y});
    description.joint("a knee", JointKind::revolute, "a1", "a2", {.at = {.xyz = top}, .axis = y});
    description.joint("a lid", JointKind::revolute, "a2", "lid",
                      {.at = {.xyz = top}, .child_at = {.xyz = {0.5, 0.0, 0.0}}, .axis = y});
    description.joint("b foot", JointKind::revolute, "ground", "b1",
                      {.at = {.xyz = {0.0, 0.5, 0.0}}, .axis = x});
    description.joint("b knee", JointKind::revolute, "b1", "b2", {.at = {.xyz = top}, .axis = x});
    description.joint(
        "b lid", JointKind::revolute, "b2", "lid",
        {.at = {.xyz = top}, .child_at = {.xyz = {0.0, 0.5, 0.0}}, .axis = x, .cut = true});
    return description;
  }
  static Posed moving() {
    return Posed(described(), {lean, -2 * lean, lean, -lean, 2 * lean},
                 {rate, -2 * rate, rate, -rate, 2 * rate});
  }
  // One degree of freedom, by hand: z = 2 cos(lean); L of four plates and the lid. The center of a
  // plate is at half its length; lower plates turn about a fixed end, upper ones also translate.
  static Eigen::VectorXd by_hand() {
    const double m = 1, I = 0.1, lid = 2, g = 9.81, s = std::sin(lean), c = std::cos(lean);
    // kinetic energy 1/2 J(lean) lean'^2; lower: I + m/4; upper: I + m ((c/2)^2 + (3 s/2)^2); lid:
    // 4 s^2
    const double J = 2 * (I + m / 4) + 2 * (I + m * (c * c / 4 + 9 * s * s / 4)) + lid * 4 * s * s;
    const double J_slope = 2 * m * (-c * s / 2 + 9 * s * c / 2) + lid * 8 * s * c;
    // potential: lower m g c/2, upper m g 3c/2, lid 2 c
    const double pull = (2 * m * 0.5 + 2 * m * 1.5 + lid * 2) * g * s;
    const double a = (pull - J_slope / 2 * rate * rate) / J;
    return numbers({a, -2 * a, a, -a, 2 * a});
  }
};

TEST(overconstrained_loops, sarrus_goes_straight) {
  Posed posed = Sarrus::moving();
  EXPECT_NEAR(posed.X("lid").p.z, 2 * std::cos(Sarrus::lean), 1e-14);
  Mobility found;
  ASSERT_TRUE(mobility(posed.model, posed.state, posed.workspace, found).ok());
  EXPECT_EQ(found.gruebler, 0);
  EXPECT_EQ(found.instantaneous, 1);
  EXPECT_EQ(found.finite, 1);
  EXPECT_LT(largest_of(posed.a() - Sarrus::by_hand()), 1e-11);
}

TEST(overconstrained_loops, sarrus_accelerates_rightly_a_little_open) {
  Posed posed = Sarrus::moving();
  RowBasis basis;
  ASSERT_TRUE(row_basis(posed.model, posed.state, posed.workspace, basis).ok());
  EXPECT_EQ(basis.rank(), 4);
  expect_right_a_little_open(posed, basis, Sarrus::by_hand());
}

}  // namespace
}  // namespace trammel::overconstrained_loops_test
