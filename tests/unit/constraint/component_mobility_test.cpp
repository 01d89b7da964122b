// Mobility, actuation and blocking constraints of mechanisms whose loops share no joint: what one
// loop has, n loops have n times, and loops do not change the verdict of others.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include <fmt/format.h>

#include "trammel/constraint/mobility/actuation.hpp"
#include "trammel/constraint/mobility/arms.hpp"
#include "trammel/constraint/mobility/blocking_constraints.hpp"
#include "trammel/constraint/mobility/constraint_nature.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::component_mobility_test {
namespace {

using Names = std::vector<std::string>;
const Vec3<Expr> y{0.0, 1.0, 0.0};

// Linkages in the x-z plane with all joints about y, closed at the neutral q.
class Linkages {
 public:
  // A four-bar on a body: joints motor, knee, foot, wrist, the last of them cut. Mobility 1.
  Linkages& four_bar(int k, const std::string& base = "ground") {
    turn(k, "motor", base, body(k, "crank"), 0, 0);
    turn(k, "knee", name("crank", k), body(k, "coupler"), 0.05, 0.2);
    turn(k, "foot", base, body(k, "rocker"), 0.5, 0);
    close(k, "wrist", name("coupler", k), name("rocker", k), {0.5, 0.0, 0.2}, {0.05, 0.0, 0.4});
    return *this;
  }
  // Two bars between pins: a triangle. Mobility 0.
  Linkages& triangle(int k, const std::string& base = "ground") {
    turn(k, "first", base, body(k, "left"), 0, 0);
    turn(k, "middle", name("left", k), body(k, "right"), 0.3, 0.4);
    close(k, "last", base, name("right", k), {0.6, 0.0, 0.0}, {0.3, 0.0, -0.4});
    return *this;
  }
  // Two bars in line between pins: an instantaneous mobility of 1, no finite one.
  Linkages& stretched(int k) {
    turn(k, "first", "ground", body(k, "left"), 0, 0);
    turn(k, "middle", name("left", k), body(k, "right"), 0.5, 0);
    close(k, "last", "ground", name("right", k), {1.0, 0.0, 0.0}, {0.5, 0.0, 0.0});
    return *this;
  }
  // A parallelogram folded flat, where two branches of mobility 1 meet.
  Linkages& flat_parallelogram(int k) {
    turn(k, "motor", "ground", body(k, "crank"), 0, 0);
    turn(k, "knee", name("crank", k), body(k, "coupler"), 0.2, 0);
    turn(k, "foot", "ground", body(k, "rocker"), 0.5, 0);
    close(k, "wrist", name("coupler", k), name("rocker", k), {0.5, 0.0, 0.0}, {0.2, 0.0, 0.0});
    return *this;
  }
  // Four-bars in a row, each on the rocker of the one before it.
  Linkages& four_bars(int n) {
    for (int k = 1; k <= n; ++k) four_bar(k, k == 1 ? "ground" : name("rocker", k - 1));
    return *this;
  }
  Linkages& drive(const std::string& joint) {
    for (JointDescription& known : description.joints)
      if (known.name == joint) known.options.drive = Drive::torque;
    return *this;
  }

  static std::string name(const char* what, int k) { return fmt::format("{}{}", what, k); }

  Description description{"linkages"};

 private:
  std::string body(int k, const char* what) {
    description.body(
        name(what, k),
        {.mass = 1.0, .com = {0.1, 0.0, 0.1}, .inertia = {0.02, 0.0, 0.0, 0.02, 0.0, 0.02}});
    return name(what, k);
  }
  void turn(int k, const char* joint, const std::string& parent, const std::string& child, double x,
            double z) {
    description.joint(name(joint, k), JointKind::revolute, parent, child,
                      {.at = {.xyz = {x, 0.0, z}}, .axis = y});
  }
  void close(int k, const char* joint, const std::string& parent, const std::string& child,
             const Vec3<Expr>& at, const Vec3<Expr>& child_at) {
    description.joint(name(joint, k), JointKind::revolute, parent, child,
                      {.at = {.xyz = at}, .child_at = {.xyz = child_at}, .axis = y, .cut = true});
  }
};

// A model at its neutral state.
struct AtNeutral {
  explicit AtNeutral(const Description& description)
      : model(build_model(description)), workspace(model), state(neutral_state(model)) {}

  Mobility ways() {
    Mobility found;
    const Status status = mobility(model, state, workspace, found);
    EXPECT_TRUE(status.ok()) << status.message();
    return found;
  }
  Actuation drives() {
    Actuation found;
    const Status status = actuation(model, state, workspace, found);
    EXPECT_TRUE(status.ok()) << status.message();
    return found;
  }
  Names blockers() {
    Names found;
    const Status status = blocking_constraints(model, state, workspace, found);
    EXPECT_TRUE(status.ok()) << status.message();
    return found;
  }

  Model model;
  Workspace workspace;
  State state;
};

Description chain(int n) {
  Description description("chain");
  for (int k = 1; k <= n; ++k) {
    description.body(fmt::format("b{}", k),
                     {.mass = 1.0, .inertia = {0.01, 0.0, 0.0, 0.01, 0.0, 0.01}});
    description.joint(fmt::format("j{}", k), JointKind::revolute,
                      k == 1 ? "ground" : fmt::format("b{}", k - 1), fmt::format("b{}", k),
                      {.at = {.xyz = {0.1, 0.0, 0.0}},
                       .axis = k % 2 == 0 ? y : Vec3<Expr>{0.0, 0.0, 1.0},
                       .drive = k % 3 == 0 ? Drive::torque : Drive::none});
  }
  return description;
}

TEST(ComponentMobility, EveryDofOfATreeIsAMotionOfItsOwn) {
  const int n = 3000;
  AtNeutral posed(chain(n));
  const Mobility ways = posed.ways();
  EXPECT_EQ(ways.finite, n);
  EXPECT_EQ(ways.rank, 0);
  EXPECT_EQ(ways.verdict, Mobility::Verdict::regular);

  const Actuation drives = posed.drives();
  EXPECT_EQ(drives.mobility, n);
  EXPECT_EQ(drives.rank, n / 3);
  EXPECT_EQ(drives.under, n - n / 3);
  EXPECT_EQ(drives.over, 0);
  EXPECT_EQ(drives.least, 1);
  std::vector<Names> passive;
  for (int k = 1; k <= n; ++k)
    if (k % 3 != 0) passive.push_back({fmt::format("j{}", k)});
  EXPECT_EQ(drives.uncontrollable_modes, passive);

  ConstraintNature nature;
  ASSERT_TRUE(constraint_nature(posed.model, posed.state, posed.workspace, nature).ok());
  EXPECT_TRUE(nature.is_holonomic);
  std::vector<Arm> found;
  ASSERT_TRUE(arms(posed.model, posed.state, posed.workspace, found).ok());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].dofs, n);
  EXPECT_EQ(found[0].rank, 4);  // stretched along x: rotations about y and z, slides along both
  EXPECT_EQ(found[0].generic_rank, 6);
}

TEST(ComponentMobility, FourBarsInARowHaveTheMobilityOfOneEach) {
  const int n = 32;
  const Mobility one = AtNeutral(Linkages().four_bars(1).description).ways();
  const Mobility all = AtNeutral(Linkages().four_bars(n).description).ways();
  EXPECT_EQ(one.finite, 1);
  EXPECT_EQ(one.rows - one.rank, 3);
  EXPECT_EQ(all.dofs, 3 * n);
  EXPECT_EQ(all.rows, n * one.rows);
  EXPECT_EQ(all.rank, n * one.rank);
  EXPECT_EQ(all.instantaneous, n);
  EXPECT_EQ(all.finite, n);
  EXPECT_EQ(all.verdict, Mobility::Verdict::regular);
  EXPECT_EQ(all.undecided.size(), 0u);

  // dependent rows are those of one four-bar, with other names
  Names expected;
  for (int k = 1; k <= n; ++k)
    for (std::string set : one.dependent) {
      for (std::size_t at = 0; (at = set.find("'wrist1'", at)) != set.npos; ++at)
        set.replace(at, 8, fmt::format("'wrist{}'", k));
      expected.push_back(set);
    }
  EXPECT_EQ(all.dependent, expected);
}

TEST(ComponentMobility, DrivesControlTheirOwnLoops) {
  const int n = 32;
  Linkages linkages;
  linkages.four_bars(n);
  for (int k = 2; k <= n; k += 2) linkages.drive(Linkages::name("motor", k));
  const Actuation half = AtNeutral(linkages.description).drives();
  EXPECT_EQ(half.mobility, n);
  EXPECT_EQ(half.rank, n / 2);
  EXPECT_EQ(half.under, n / 2);
  EXPECT_EQ(half.over, 0);
  ASSERT_EQ(half.uncontrollable_modes.size(), std::size_t(n / 2));
  for (int k = 1; k <= n; k += 2) {
    const Names& moving = half.uncontrollable_modes[std::size_t(k / 2)];
    EXPECT_EQ(std::set(moving.begin(), moving.end()),
              (std::set{Linkages::name("motor", k), Linkages::name("knee", k),
                        Linkages::name("foot", k)}));
  }

  // loop joints are drives like tree joints: of the third loop the only one, of the fourth the
  // second
  linkages.drive("wrist3").drive("wrist4");
  const Actuation more = AtNeutral(linkages.description).drives();
  EXPECT_EQ(more.driven.size(), std::size_t(n / 2 + 2));
  EXPECT_EQ(more.rank, n / 2 + 1);
  EXPECT_EQ(more.under, n / 2 - 1);
  EXPECT_EQ(more.over, 1);

  // the largest and the smallest singular value may be those of different loops
  AtNeutral by_crank(Linkages().four_bar(1).drive("motor1").description);
  AtNeutral by_rocker(Linkages().four_bar(2).drive("wrist2").description);
  AtNeutral by_both(Linkages().four_bar(1).four_bar(2).drive("motor1").drive("wrist2").description);
  EXPECT_EQ(by_crank.drives().least, 1);
  EXPECT_EQ(by_rocker.drives().least, 1);
  EXPECT_LT(by_both.drives().least, 1);
}

TEST(ComponentMobility, OneMobileAndOneLockedLoop) {
  AtNeutral posed(Linkages().four_bar(1).triangle(2, "rocker1").description);
  const Mobility ways = posed.ways();
  EXPECT_EQ(ways.instantaneous, 1);
  EXPECT_EQ(ways.finite, 1);
  EXPECT_EQ(ways.rank, 4);
  EXPECT_EQ(ways.dependent.size(), 6u);
  EXPECT_EQ(ways.verdict, Mobility::Verdict::regular);
  EXPECT_EQ(posed.blockers(), Names{});
  const Actuation drives = posed.drives();
  EXPECT_EQ(drives.mobility, 1);
  ASSERT_EQ(drives.uncontrollable_modes.size(), 1u);
  EXPECT_EQ(drives.uncontrollable_modes[0].size(), 3u);
}

TEST(ComponentMobility, EveryLockedLoopIsNamed) {
  AtNeutral posed(Linkages().triangle(1).triangle(2, "right1").description);
  EXPECT_EQ(posed.ways().instantaneous, 0);
  EXPECT_EQ(posed.blockers(), (Names{"loop joint 'last1'", "loop joint 'last2'"}));
}

TEST(ComponentMobility, AVerdictIsThatOfTheWorstLoop) {
  const auto expect = [](Linkages& linkages, int instantaneous, int finite,
                         Mobility::Verdict verdict) {
    const Mobility found = AtNeutral(linkages.description).ways();
    EXPECT_EQ(found.instantaneous, instantaneous);
    EXPECT_EQ(found.finite, finite);
    EXPECT_EQ(found.verdict, verdict) << to_string(found.verdict);
  };
  using enum Mobility::Verdict;
  expect(Linkages().four_bar(1).stretched(2), 2, 1, shaky);
  expect(Linkages().stretched(1).triangle(2).stretched(3).four_bar(4), 3, 1, shaky);
  expect(Linkages().four_bar(1).flat_parallelogram(2), 3, 2, bifurcation);
  expect(Linkages().flat_parallelogram(1).flat_parallelogram(2), 4, 2, bifurcation);
  expect(Linkages().stretched(1).flat_parallelogram(2), 3, 1, bifurcation);
}

// Plates on a plane with knife edges: one is immobile, and its rows follow from positions; those of
// the other do not.
TEST(ComponentMobility, NonholonomicIfOneVehicleIs) {
  Description description("plates");
  for (const char* name : {"locked", "skate"}) {
    description.body(name, {.mass = 1.0, .inertia = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
    description.joint(std::string(name) + " base", JointKind::planar, "ground", name, {});
  }
  const auto edge = [&](const char* name, const char* body, double px, double py, double turned) {
    description.wheels.push_back({.name = name,
                                  .body = body,
                                  .axis = {std::cos(turned), std::sin(turned), 0.0},
                                  .kind = WheelDescription::Kind::knife_edge,
                                  .at = {.xyz = {px, py, 0.0}},
                                  .touches = false});
  };
  const auto nature_of = [](const Description& of) {
    AtNeutral posed(of);
    ConstraintNature nature;
    const Status status = constraint_nature(posed.model, posed.state, posed.workspace, nature);
    EXPECT_TRUE(status.ok()) << status.message();
    return nature;
  };
  edge("a", "locked", 0, 1, 0);
  edge("b", "locked", 1, 0, 1);
  edge("c", "locked", -1, 0, 0.5);
  EXPECT_TRUE(nature_of(description).is_holonomic);
  edge("d", "skate", 0, 0, 0);
  EXPECT_FALSE(nature_of(description).is_holonomic);
}

}  // namespace
}  // namespace trammel::component_mobility_test
