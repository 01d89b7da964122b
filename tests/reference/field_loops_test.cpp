// Public benchmark mechanisms with loops, at one state: the N-four-bar (IFToMM A02) and Andrews'
// squeezer (IFToMM A03; numbers and formulas of [Hairer, Wanner 1996, VII.7]).
#include "tests/reference/posed.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/operator_matrices.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::field_loops_test {
namespace {

// Cranks of length 1 upright on the x axis, joined by couplers of length 1; z is out of the plane.
Description four_bars(int N) {
  Description description("N-four-bar");
  description.gravity = {0.0, -9.81, 0.0};
  const auto rod = [](const Vec3<Expr>& middle) { return thin_rod(1.0, 1.0, middle); };
  for (int k = 0; k <= N; ++k) {
    const std::string crank = "crank " + std::to_string(k);
    description.body(crank, rod({0.0, 0.5, 0.0}));
    description.joint("foot " + std::to_string(k), JointKind::revolute, "ground", crank,
                      {.at = {.xyz = {double(k), 0.0, 0.0}}});
  }
  for (int k = 0; k < N; ++k) {
    const std::string coupler = "coupler " + std::to_string(k);
    description.body(coupler, rod({0.5, 0.0, 0.0}));
    description.joint("left " + std::to_string(k), JointKind::revolute,
                      "crank " + std::to_string(k), coupler, {.at = {.xyz = {0.0, 1.0, 0.0}}});
    description.joint(
        "right " + std::to_string(k), JointKind::revolute, coupler,
        "crank " + std::to_string(k + 1),
        {.at = {.xyz = {1.0, 0.0, 0.0}}, .child_at = {.xyz = {0.0, 1.0, 0.0}}, .cut = true});
  }
  return description;
}

TEST(field_loops, four_bars_accelerate_as_one_pendulum) {
  const int N = 2;
  const double g = 9.81, c = g * ((N + 1) / 2.0 + N) / ((N + 1) / 3.0 + N);
  EXPECT_NEAR(c, 11.445, 1e-12);
  // theta from the upright; positive angles turn to the left
  for (const double theta : {0.0, 0.5, -1.2, 2.4}) {
    std::vector<double> q(5, -theta), v(5, -1.0);
    for (int k = N + 1; k < 5; ++k) q[std::size_t(k)] = theta, v[std::size_t(k)] = 1;
    Posed posed(four_bars(N), q, v);
    const Eigen::VectorXd a = posed.a();
    const double bend = c * std::sin(theta);
    expect_near(a, {-bend, -bend, -bend, bend, bend}, 1e-11, "accelerations");
    Mobility found;
    ASSERT_TRUE(mobility(posed.model, posed.state, posed.workspace, found).ok());
    EXPECT_EQ(found.finite, 1);
    EXPECT_EQ(found.gruebler, 5 - 10);
  }
}

TEST(field_loops, four_bars_that_lie_flat_have_more_ways_to_begin_than_to_go) {
  // all links along the ground: N + 1 instantaneous degrees of freedom
  const double pi = std::numbers::pi;
  Posed posed(four_bars(2), {-pi / 2, -pi / 2, -pi / 2, pi / 2, pi / 2});
  Mobility found;
  ASSERT_TRUE(mobility(posed.model, posed.state, posed.workspace, found).ok());
  EXPECT_EQ(found.instantaneous, 3);
  EXPECT_EQ(found.finite, 1);
  EXPECT_EQ(found.verdict, Mobility::Verdict::bifurcation);
}

struct Squeezer {
  static constexpr double xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014,
                          yc = .072, c0 = 4530, l0 = .07785, torque = .033, d = .028, da = .0115,
                          e = .02, ea = .01421, rr = .007, ra = .00092, ss = .035, sa = .01874,
                          sb = .01043, sc = .018, sd = .02, ta = .02308, tb = .00916, u = .04,
                          ua = .01228, ub = .00449, zf = .02, zt = .04, fa = .01421;

  // Seven planar bodies; rod, triangle and the two short rods meet in one point.
  static Description described() {
    Description description("squeezer");
    description.gravity = {0.0, 0.0, 0.0};
    const auto body = [&](const char* name, double mass, double inertia, double x, double y) {
      description.body(name, {.mass = mass,
                              .com = {x, y, 0.0},
                              .inertia = {inertia, 0.0, 0.0, inertia, 0.0, inertia}});
    };
    body("crank", .04325, 2.194e-6, ra, 0);
    body("rod", .00365, 4.410e-7, -da, 0);
    body("triangle 3", .02373, 5.255e-6, sb, -sa);
    body("rod 4", .00706, 5.667e-7, 0, -(e - ea));
    body("triangle 5", .07050, 1.169e-5, ta, tb);
    body("rod 6", .00706, 5.667e-7, zf - fa, 0);
    body("triangle 7", .05498, 1.912e-5, -ub, -ua);
    const auto joint = [&](const char* name, const char* parent, const char* child, double x,
                           double y) {
      description.joint(name, JointKind::revolute, parent, child, {.at = {.xyz = {x, y, 0.0}}});
    };
    joint("beta", "ground", "crank", 0, 0);
    joint("Theta", "crank", "rod", rr, 0);
    joint("gamma", "ground", "triangle 3", xb, yb);
    joint("delta", "ground", "triangle 5", xa, ya);
    joint("Phi", "triangle 5", "rod 4", zt, 0);
    joint("epsilon", "ground", "triangle 7", xa, ya);
    joint("Omega", "triangle 7", "rod 6", 0, -u);
    const auto meet = [&](const char* name, const char* child, double x, double y) {
      description.joint(
          name, JointKind::revolute, "rod", child,
          {.at = {.xyz = {-d, 0.0, 0.0}}, .child_at = {.xyz = {x, y, 0.0}}, .cut = true});
    };
    meet("pin 3", "triangle 3", 0, -ss);
    meet("pin 4", "rod 4", 0, -e);
    meet("pin 6", "rod 6", zf, 0);
    return description;
  }
  // in the order of the benchmark: beta, Theta, gamma, Phi, delta, Omega, epsilon
  static std::vector<double> in_order(const std::vector<double>& x) {
    return {x[0], x[1], x[2], x[4], x[3], x[6], x[5]};
  }
  // spring from the point (sd, sc) of the triangle to C
  static Wrench spring(Posed& posed) {
    const Pose<double> X = posed.X("triangle 3");
    const Vec3<double> D = X * Vec3<double>{sd, -sc, 0}, to_C = Vec3<double>{xc, yc, 0} - D;
    const double length = norm(to_C);
    const Vec3<double> f = (c0 * (length - l0) / length) * to_C;
    FrameRef where = frame_ref(posed.model, "triangle 3");
    where.X_UA.p = {sd, -sc, 0};
    return {where, {{}, f}, Axes::world};
  }
};

TEST(field_loops, squeezer_begins_as_published) {
  Posed posed(Squeezer::described(),
              Squeezer::in_order({-.0617138900142764, 0, .455279819163070, .222668390165886,
                                  .487364979543843, -.222668390165886, 1.23054744454982}));
  const std::vector<double> tau = {Squeezer::torque, 0, 0, 0, 0, 0, 0};
  const std::vector<Wrench> pull = {Squeezer::spring(posed)};
  const Eigen::VectorXd a = posed.a({.tau = tau, .wrenches = pull});
  // positions of 15 digits
  EXPECT_NEAR(a[0], 14222.4439199541, 1e-7);
  EXPECT_NEAR(a[1], -10666.8329399656, 1e-7);
  Mobility found;
  ASSERT_TRUE(mobility(posed.model, posed.state, posed.workspace, found).ok());
  EXPECT_EQ(found.finite, 1);
}

TEST(field_loops, squeezer_carries_what_is_published) {
  Posed posed(Squeezer::described(),
              Squeezer::in_order({15.810771195, -15.756371058, .04082224012, -.53473011634,
                                  .52440996588, .53473011634, 1.04808074104}),
              Squeezer::in_order({1139.920302, -1424.379295, 11.0329119, 19.2933741, .57356991,
                                  -19.2933741, .32317915}));
  // enough digits to assemble it again, with the crank fixed
  ASSERT_TRUE(assemble(posed.model, posed.state, posed.workspace,
                       {.keep = {*posed.model.find_joint("beta")}})
                  .ok());
  const std::vector<double> tau = {Squeezer::torque, 0, 0, 0, 0, 0, 0};
  const std::vector<Wrench> pull = {Squeezer::spring(posed)};
  UniqueReactions reactions;
  ASSERT_TRUE(constrained_reactions(posed.model, posed.state, {.tau = tau, .wrenches = pull},
                                    posed.workspace, reactions)
                  .ok());
  // multipliers in pairs: force of the rod on the triangle and on rods 4 and 6
  const double published[][2] = {
      {199.17534, -29.75531}, {23.06654, 31.45272}, {22.64249, 11.61740}};
  const char* pins[] = {"pin 3", "pin 4", "pin 6"};
  const char* bodies[] = {"triangle 3", "rod 4", "rod 6"};
  for (int k = 0; k < 3; ++k) {
    const auto joint = std::size_t(index(*posed.model.find_joint(pins[k])));
    const Vec3<double> f = posed.X(bodies[k]).R * reactions.force[joint].force;
    // not all published digits are significant: 1e-5 of the largest
    EXPECT_NEAR(f.x, published[k][0], 2e-3) << pins[k];
    EXPECT_NEAR(f.y, published[k][1], 2e-3) << pins[k];
    EXPECT_TRUE(reactions.is_unique[joint][3] && reactions.is_unique[joint][4]);
  }
}

}  // namespace
}  // namespace trammel::field_loops_test
