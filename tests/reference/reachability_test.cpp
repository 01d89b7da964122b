// Growth vectors and integrability: [Saha 1991, section 3.1] and example S-T13, and vehicles whose
// growth vectors are in textbooks of control.
#include "trammel/constraint/mobility/reachability.hpp"

#include <numbers>

#include "tests/reference/from_gallery.hpp"
#include "tests/reference/rolling_disk.hpp"
#include "tests/support/capability.hpp"

namespace trammel::reachability_test {
namespace {

using Growth = std::vector<int>;

Reachability reached(Posed& posed) {
  Reachability found;
  const Status status = reachability(posed.model, posed.state, posed.workspace, found);
  EXPECT_TRUE(status.ok()) << status.message();
  return found;
}
std::vector<RowNature> natures(Posed& posed) {
  std::vector<RowNature> found;
  const Status status = row_natures(posed.model, posed.state, posed.workspace, found);
  EXPECT_TRUE(status.ok()) << status.message();
  return found;
}
RollingDisk leaning_disk() {
  RollingDisk disk(0.02, 0.05, 2.5e-5, 1.25e-5,
                   {{0.0, 0.0, 1.0}, {0.0, -1.0, 0.0}, {1.0, 0.0, 0.0}});
  disk.put({0.2, 0.3, 0.4}, {0, 0, 0});
  return disk;
}

TEST(reachability, published_vehicles_grow_as_computed) {
  shows({"S-04", "reachability"});
  // tilt, precession, spin, and two coordinates of the center; the height is constrained
  RollingDisk disk = leaning_disk();
  EXPECT_EQ(reached(disk.posed).growth, (Growth{3, 4, 5}));
  // one holonomic relation: psi - eta (theta1 - theta2)
  FromGallery axle("s_t01");
  const Reachability of_axle = reached(axle.posed);
  EXPECT_EQ(of_axle.growth, (Growth{2, 3, 4}));
  EXPECT_EQ(of_axle.hidden, 1);
  FromGallery caster("s_t03");
  const Reachability of_caster = reached(caster.posed);
  EXPECT_EQ(of_caster.growth, (Growth{2, 3, 5, 6}));
  EXPECT_EQ(of_caster.configuration, 7);
  EXPECT_EQ(of_caster.hidden, 1);
  EXPECT_TRUE(of_caster.is_complete);
}

// Demonstration of [Saha 1991]: roll along a curve of the length that the spin requires, turn about
// the vertical, tilt. Every step satisfies the rows, and the disk reaches any configuration.
TEST(reachability, disk_of_three_dofs_comes_to_any_of_five_dimensions) {
  shows({"S-05", "reachability", "constraint_jacobian"});
  RollingDisk disk = leaning_disk();
  const Reachability found = reached(disk.posed);
  EXPECT_EQ(found.dofs, 3);
  EXPECT_EQ(found.configuration, 5);
  EXPECT_EQ(found.reachable, 5);
  EXPECT_EQ(found.hidden, 0);

  // from the origin, upright, to a contact at (0.3, 0.2), yaw 1, lean 0.4, spin 0.7
  const double r = 0.05, pi = std::numbers::pi, yaw = 1, lean = 0.4, spin = 0.7;
  const double chord = std::hypot(0.3, 0.2), toward = std::atan2(0.2, 0.3);
  const double length = r * (2 * pi * std::ceil(chord / (2 * pi * r) + 1) - spin);
  double bend = 2;  // of an arc with that length and chord: sin(bend) / bend = chord / length
  for (int k = 0; k < 50; ++k)
    bend -= (std::sin(bend) - chord / length * bend) / (std::cos(bend) - chord / length);
  const double radius = length / (2 * bend);
  // it rolls along the y of its yaw, forward with a negative spin
  const auto place = [&](double time) -> Eigen::VectorXd {
    const double part = time - std::floor(time);
    const double away = toward + bend - pi / 2, arrived = toward - bend - pi / 2;
    const auto put = [&](double x, double y, double yaws, double leans, double spins) {
      return numbers({x + r * std::sin(leans) * std::cos(yaws),
                      y + r * std::sin(leans) * std::sin(yaws), r * std::cos(leans), yaws, leans,
                      spins});
    };
    const double way = toward + bend - 2 * bend * part;
    switch (int(time)) {
      case 0: return put(0, 0, away * part, 0, 0);
      case 1:
        return put(radius * (std::sin(toward + bend) - std::sin(way)),
                   radius * (std::cos(way) - std::cos(toward + bend)), way - pi / 2, 0,
                   -length / r * part);
      case 2: return put(0.3, 0.2, arrived + (yaw - arrived) * part, 0, -length / r);
      default: return put(0.3, 0.2, yaw, lean * (time - 3), -length / r);
    }
  };
  const double seam = 1e-9;
  for (int stage = 1; stage < 4; ++stage)  // smooth: 20 rad of spin in each unit of time
    EXPECT_LT((place(stage - seam) - place(stage + seam)).norm(), 200 * seam) << stage;
  const Eigen::VectorXd end = place(4);
  EXPECT_NEAR(end[0] - r * std::sin(lean) * std::cos(yaw), 0.3, 1e-15);
  EXPECT_NEAR(end[3], yaw, 1e-15);
  EXPECT_NEAR(end[4], lean, 1e-15);
  EXPECT_NEAR(std::remainder(end[5] - spin, 2 * pi), 0, 1e-12);
  // and the rows are satisfied along the whole path
  RollingDisk rolling(0.02, r, 2.5e-5, 1.25e-5,
                      {{0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}});
  const double h = 1e-5;  // errors of h^2 times third derivatives of 100
  for (double time = 0.05; time < 4; time += 0.1) {
    rolling.posed.state.q = list_of(place(time));
    Eigen::MatrixXd J;
    ASSERT_TRUE(
        constraint_jacobian(rolling.posed.model, rolling.posed.state, rolling.posed.workspace, J)
            .ok());
    const Eigen::VectorXd v = (place(time + h) - place(time - h)) / (2 * h);
    EXPECT_LT(largest_of(J * v), 1e-7) << time;
    EXPECT_GT(v.norm(), 0.1);
  }
}

// The same disk on a joint with a quaternion, whose velocities do not commute.
TEST(reachability, growth_does_not_depend_on_coordinates) {
  Description description("disk");
  description.body("disk", {.mass = 1.0, .inertia = {0.02, 0.0, 0.0, 0.01, 0.0, 0.01}});
  description.joint("flight", JointKind::free, "ground", "disk");
  description.wheels.push_back(
      {.name = "rim", .body = "disk", .axis = {1.0, 0.0, 0.0}, .radius = 0.2});
  const double lean = 0.3, c = std::cos(lean / 2), s = std::sin(lean / 2);
  Posed posed(description, {c, 0, -s, 0, 0.4, 0.1, 0.2 * std::cos(lean)});
  const Reachability found = reached(posed);
  EXPECT_EQ(found.growth, (Growth{3, 4, 5}));
  EXPECT_EQ(found.configuration, 5);
}

// Knife edges: a sleigh (2, 3), and a car with a front and a rear edge, steered between them (2, 3,
// 4), as in the books of Murray and Sastry and of Laumond.
TEST(reachability, sleigh_and_car_grow_as_books_say) {
  Description sleigh("sleigh");
  sleigh.body("sleigh", {.mass = 1.0, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
  sleigh.joint("floor", JointKind::planar, "ground", "sleigh");
  sleigh.wheels.push_back({.name = "back",
                           .body = "sleigh",
                           .kind = WheelDescription::Kind::knife_edge,
                           .touches = false});
  Posed slides(sleigh, {0.3, -0.4, 0.8});
  EXPECT_EQ(reached(slides).growth, (Growth{2, 3}));

  Description car = sleigh;
  car.body("front", {.mass = 0.1, .inertia = {0.01, 0.0, 0.0, 0.01, 0.0, 0.01}});
  car.joint("steer", JointKind::revolute, "sleigh", "front", {.at = {.xyz = {0.5, 0.0, 0.0}}});
  car.wheels.push_back({.name = "front",
                        .body = "front",
                        .kind = WheelDescription::Kind::knife_edge,
                        .touches = false});
  Posed steered(car, {0.3, -0.4, 0.8, 0.35});
  EXPECT_EQ(reached(steered).growth, (Growth{2, 3, 4}));

  // with a trailer: one level more for the new angle (2, 3, 4, 5)
  Description train = car;
  train.body("trailer", {.mass = 1.0, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
  train.joint("hitch", JointKind::revolute, "sleigh", "trailer");
  train.wheels.push_back({.name = "trailer",
                          .body = "trailer",
                          .kind = WheelDescription::Kind::knife_edge,
                          .at = {.xyz = {-0.6, 0.0, 0.0}},
                          .touches = false});
  Posed pulled(train, {0.3, -0.4, 0.8, 0.35, 0.2});
  EXPECT_EQ(reached(pulled).growth, (Growth{2, 3, 4, 5}));
}

TEST(reachability, loops_alone_grow_by_nothing) {
  FromGallery four_bar("four_bar");
  const Reachability found = reached(four_bar.posed);
  EXPECT_EQ(found.growth, (Growth{1}));
  EXPECT_EQ(found.configuration, 1);
  EXPECT_EQ(found.hidden, 0);
}

TEST(row_natures, rows_of_a_disk_are_no_rates_and_rows_of_a_loop_are) {
  shows({"S-03", "row_natures"});
  // (1.4) of [Saha 1991]: not symmetric, and no factor makes them so
  RollingDisk disk = leaning_disk();
  for (const RowNature& row : natures(disk.posed)) {
    const bool holds_height = row.name == "wheel 'rim': force up";
    EXPECT_EQ(row.is_exact, holds_height) << row.name;
    EXPECT_EQ(row.is_integrable, holds_height) << row.name;
    EXPECT_FALSE(row.is_rheonomic) << row.name;
    EXPECT_TRUE(row.is_catastatic) << row.name;
  }
  FromGallery four_bar("four_bar");
  const std::vector<RowNature> of_loop = natures(four_bar.posed);
  EXPECT_EQ(of_loop.size(), 5u);
  for (const RowNature& row : of_loop) {
    EXPECT_TRUE(row.is_exact) << row.name;
    EXPECT_LT(row.asymmetry, 1e-8) << row.name;
  }
}

// The symmetry test of [Saha 1991] alone, on rows in fixed axes: those of a four-bar cut open, as
// Jacobians of its two ends, and those of the disk as printed.
TEST(row_natures, gradients_are_symmetric_for_a_loop_in_fixed_axes_and_not_for_the_disk) {
  const auto asymmetry = [](const auto& row, const Eigen::VectorXd& q) {
    const Eigen::Index n = q.size();
    Eigen::MatrixXd slope(n, n);
    const double h = 1e-4;  // errors of h^2 and of 1e-16 / h: below 1e-7
    for (Eigen::Index f = 0; f < n; ++f) {
      const Eigen::VectorXd ahead = h * Eigen::VectorXd::Unit(n, f);
      slope.col(f) = (row(q + ahead) - row(q - ahead)) / (2 * h);
    }
    return (slope - slope.transpose()).cwiseAbs().maxCoeff();
  };
  const double r = 0.05;
  const Eigen::VectorXd disk = numbers({0.3, 0.2, 0.4, 0.1, -0.2});
  const auto along = [&](const Eigen::VectorXd& q) {
    const double c = std::cos(q[0]), s = std::sin(q[0]), cf = std::cos(q[1]), sf = std::sin(q[1]);
    return numbers({r * c * sf, r * s * cf, r * cf, 1, 0});
  };
  EXPECT_GT(asymmetry(along, disk), 0.1 * r);

  FromGallery closed("four_bar");
  Description description = closed.posed.model.description();
  std::erase_if(description.joints,
                [](const JointDescription& joint) { return joint.name == "wrist"; });
  Posed open(description, closed.posed.state.q);
  ASSERT_FALSE(open.model.has_constraints());
  const Model& whole = closed.posed.model;
  const NamedJoint& wrist = whole[*whole.find_joint("wrist")];
  const FrameRef one{*open.model.find_body(whole[wrist.parent].name), wrist.X_PF},
      other{*open.model.find_body(whole[wrist.child].name), wrist.X_CM};
  for (int k = 3; k < 6; ++k) {
    const auto row = [&](const Eigen::VectorXd& q) -> Eigen::VectorXd {
      open.state.q = list_of(q);
      return (open.J(one, Axes::world) - open.J(other, Axes::world)).row(k).transpose();
    };
    EXPECT_LT(asymmetry(row, vector_of(closed.posed.state.q)), 1e-7) << k;
  }
}

TEST(row_natures, prescribed_joints_are_rheonomic) {
  Description description("bead");
  description.body("wire", {.mass = 1.0, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
  description.joint("turn", JointKind::revolute, "ground", "wire", {.drive = Drive::motion});
  Posed posed(description, {0.4});
  const std::vector<RowNature> found = natures(posed);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].is_rheonomic);
  EXPECT_FALSE(found[0].is_catastatic);
  EXPECT_TRUE(found[0].is_exact);
}

}  // namespace
}  // namespace trammel::reachability_test
