// Couplings as rows on twists [Saha 1991, section 3.2]: the constraint of a rolling contact, and
// what the number of independent rows says about a coupling (and what it does not).
#include "tests/reference/rolling_disk.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/operator_matrices.hpp"
#include "trammel/constraint/mobility/constraint_nature.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/mobility/natural_complement.hpp"
#include "trammel/constraint/mobility/orthogonal_complement.hpp"

namespace trammel::couplings_test {
namespace {

const Vec3<Expr> x_axis{1.0, 0.0, 0.0}, y_axis{0.0, 1.0, 0.0}, z_axis{0.0, 0.0, 1.0};
const Solid some_body{.mass = 1.3, .inertia = {0.02, 0.0, 0.0, 0.03, 0.0, 0.03}};

NaturalComplement natural(Posed& posed) {
  OrthogonalComplement basis;
  Status status = orthogonal_complement(posed.model, posed.state, {}, posed.workspace, basis);
  EXPECT_TRUE(status.ok()) << status.message();
  NaturalComplement out;
  status = natural_complement(posed.model, posed.state, {}, basis, posed.workspace, out);
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}
Eigen::MatrixXd rows_of(const NaturalComplement& all, const std::string& owner) {
  std::vector<int> rows;
  for (std::size_t k = 0; k < all.rows.size(); ++k)
    if (all.rows[k].starts_with(owner)) rows.push_back(int(k));
  return all.A(rows, Eigen::all);
}
Eigen::Index rank_of(const Eigen::MatrixXd& matrix) {
  return Eigen::FullPivLU<Eigen::MatrixXd>(matrix).setThreshold(1e-10).rank();
}
// Checks that both matrices have the same row space.
void expect_same_rows(const Eigen::MatrixXd& ours, const Eigen::MatrixXd& seeds) {
  Eigen::MatrixXd both(ours.rows() + seeds.rows(), ours.cols());
  both << ours, seeds;
  EXPECT_EQ(rank_of(ours), rank_of(both));
  EXPECT_EQ(rank_of(seeds), rank_of(both));
}
const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();

// A leaning disk that rolls on a floor; the floor may be a moving body.
struct LeaningDisk : Posed {
  static constexpr double radius = 0.2;
  explicit LeaningDisk(bool floor_moves) : Posed(described(floor_moves), {}) {
    state = neutral_state(model);
    const auto q = [&](const char* joint, std::initializer_list<double> numbers) {
      std::ranges::copy(numbers, state.q.begin() + model[*model.find_joint(joint)].q_start);
    };
    q("disk", {0.3, -0.2, 0.1, 0.7, 0.4, 0.9});
    if (floor_moves) q("floor", {0.1, 0.2, -0.4, 0.2, -0.3, 0.5});
    for (std::size_t k = 0; k < state.v.size(); ++k) state.v[k] = 0.3 + 0.2 * double(k % 4);
    // corrects its height and removes slip
    const Status status = assemble(model, state, workspace);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  static Description described(bool floor_moves) {
    Description description("disk");
    const std::vector<JointStep> six = {slide(x_axis), slide(y_axis), slide(z_axis),
                                        turn(z_axis),  turn(x_axis),  turn(y_axis)};
    description.body("disk", some_body);
    description.joint("disk", JointKind::compound, "ground", "disk", {.motions = six});
    if (floor_moves) {
      description.body("floor", some_body);
      description.joint("floor", JointKind::compound, "ground", "floor", {.motions = six});
    }
    description.wheels.push_back({.name = "rim",
                                  .body = "disk",
                                  .on = floor_moves ? "floor" : "ground",
                                  .axis = y_axis,
                                  .radius = radius});
    return description;
  }
  // from its center to the lowest point of its rim, relative to the floor
  Eigen::Vector3d arm(const Eigen::Vector3d& up) {
    const Eigen::Vector3d axle = column(X("disk").R.y);
    return -radius * (up - up.dot(axle) * axle).normalized();
  }
};

TEST(saha_couplings, rolling_contact_has_three_rows_and_a_point_at_rest) {
  shows({"S-09", "natural_complement"});
  {
    LeaningDisk disk(false);
    const Eigen::Vector3d to_contact = disk.arm({0, 0, 1});
    EXPECT_NEAR(column(disk.X("disk").p).z() + to_contact.z(), 0, 1e-12);
    const NaturalComplement all = natural(disk);
    const Eigen::MatrixXd rows = rows_of(all, "wheel 'rim'");
    EXPECT_EQ(rows.rows(), 3);
    // A = [R 1], R of the arm from the contact to the center
    Eigen::MatrixXd block(3, 6);
    block << cross_matrix(-to_contact), one;
    EXPECT_EQ(rank_of(block), 3);
    expect_same_rows(rows, block);
    EXPECT_LT(largest(block * all.T), 1e-14);
    // T = [1; -R] for some choice of u: every rotation is free, and determines the translation
    EXPECT_EQ(all.T.cols(), 3);
    EXPECT_EQ(rank_of(all.T.topRows<3>()), 3);
    EXPECT_LT(largest(all.T.bottomRows<3>() + cross_matrix(-to_contact) * all.T.topRows<3>()),
              1e-14);
    // it moves, except at its contact
    const Eigen::Vector3d w = all.t.head<3>(), v = all.t.tail<3>();
    EXPECT_GT(v.norm(), 0.01);
    EXPECT_LT((v + w.cross(to_contact)).norm(), 1e-14);
  }
  {
    LeaningDisk disk(true);
    const Eigen::Vector3d up = column(disk.X("floor").R.z);
    const Eigen::Vector3d to_contact = disk.arm(up);
    const Eigen::Vector3d contact = column(disk.X("disk").p) + to_contact;
    const Eigen::Vector3d from_floor = contact - column(disk.X("floor").p);
    EXPECT_NEAR(up.dot(from_floor), 0, 1e-12);
    const NaturalComplement all = natural(disk);
    ASSERT_EQ(disk.model[all.bodies[0]].name, "disk");
    Eigen::MatrixXd block(3, 12);  // [R 1 | B -1]
    block << cross_matrix(-to_contact), one, cross_matrix(from_floor), -one;
    expect_same_rows(rows_of(all, "wheel 'rim'"), block);
    EXPECT_LT(largest(block * all.T), 1e-13);
    EXPECT_LT(largest(block * all.t), 1e-13);
    EXPECT_GT(all.t.head<6>().norm(), 0.01);
  }
}

// A body attached to ground by a joint, or rolling on it.
ConstraintNature nature_of(Posed& posed) {
  ConstraintNature found;
  const Status status = constraint_nature(posed.model, posed.state, posed.workspace, found);
  EXPECT_TRUE(status.ok()) << status.message();
  return found;
}
Description pinned_by(JointKind kind) {
  Description description("held");
  description.body("held", some_body);
  description.joint("float", JointKind::free, "ground", "held");
  description.joint("pair", kind, "ground", "held",
                    {.child_at = {.xyz = {0.1, -0.2, 0.3}}, .axis = {0.0, 0.6, 0.8}, .cut = true});
  return description;
}

// Axle of S-T01 on a free joint: two wheels support it, and it may turn in its bearings.
Description flying_axle() {
  const double r = 0.05, l = 0.4, m = 2;
  Description description("axle");
  description.body("axle", {});
  description.joint("flight", JointKind::free, "ground", "axle");
  for (const auto& [name, side] : {std::pair{"left", -l / 2}, std::pair{"right", l / 2}}) {
    description.body(
        name, {.mass = m, .inertia = {m * r * r / 2, 0.0, 0.0, m * r * r / 4, 0.0, m * r * r / 4}});
    description.joint(name, JointKind::revolute, "axle", name,
                      {.at = {.xyz = {side, 0.0, 0.0}}, .axis = x_axis});
    description.wheels.push_back({.name = name, .body = name, .axis = x_axis, .radius = r});
  }
  return description;
}

TEST(saha_couplings, independent_rows_do_not_tell_what_is_holonomic) {
  shows({"S-10", "natural_complement", "mobility", "constraint_nature"});
  // a cross product has rank two: E^3 = -E, eigenvalues 0, i, -i
  const Eigen::Vector3d e(0, 0.6, 0.8);
  const Eigen::Matrix3d E = cross_matrix(e);
  EXPECT_LT(largest(E * E * E + E), 1e-15);
  EXPECT_LT(largest(E * E + one - e * e.transpose()), 1e-15);
  const Eigen::Vector3cd values = Eigen::EigenSolver<Eigen::Matrix3d>(E).eigenvalues();
  std::vector<double> imaginary;
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(values[k].real(), 0, 1e-15);
    imaginary.push_back(values[k].imag());
  }
  std::ranges::sort(imaginary);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(imaginary[std::size_t(k)], k - 1, 1e-15);

  // in the form of [Saha 1991] a revolute joint has six rows of rank five, which the lemma calls
  // holonomic; a ball joint and a rolling contact have three of rank three, of the same form [R 1]
  const std::vector<double> at_pin = {1, 0, 0, 0, -0.1, 0.2, -0.3};
  Posed hinge(pinned_by(JointKind::revolute), at_pin),
      ball(pinned_by(JointKind::spherical), at_pin);
  const Eigen::Vector3d arm(-0.1, 0.2, -0.3);  // from the pin to the center
  Eigen::MatrixXd hinged(6, 6), balled(3, 6);
  hinged << E, Eigen::Matrix3d::Zero(), cross_matrix(arm), one;
  balled << cross_matrix(arm), one;
  EXPECT_EQ(rank_of(hinged), 5);
  EXPECT_EQ(rank_of(balled), 3);
  expect_same_rows(rows_of(natural(hinge), "loop joint 'pair'"), hinged);
  expect_same_rows(rows_of(natural(ball), "loop joint 'pair'"), balled);
  // but the ball joint is holonomic, and with five rows the revolute joint still is
  EXPECT_TRUE(nature_of(hinge).is_holonomic);
  EXPECT_TRUE(nature_of(ball).is_holonomic);
  // and one row of the rolling contact is
  LeaningDisk disk(false);
  const ConstraintNature rolling = nature_of(disk);
  EXPECT_FALSE(rolling.is_holonomic);
  EXPECT_EQ(rolling.of_place,
            (std::vector<std::string>{"wheel 'rim': force across", "wheel 'rim': force along"}));

  // S-T14: the axle of S-T01, eighteen rows of rank 15: two redundancies are within the revolute
  // joints, one is real, because the wheels constrain each other laterally; three degrees of
  // freedom remain, one of them the rotation of the axle in its bearings
  Posed axle(flying_axle(), {1, 0, 0, 0, 0, 0, 0.05, 0.3, -0.4});
  const double r = 0.05, l = 0.4;
  const Eigen::Matrix3d K = cross_matrix({0, 0, 1}), Y = cross_matrix({1, 0, 0}),
                        zero = Eigen::Matrix3d::Zero();
  Eigen::MatrixXd A(18, 18);                   // twists of left wheel, right wheel, axle
  A << r * K, one, zero, zero, zero, zero,     //
      -Y, zero, zero, zero, Y, zero,           //
      zero, -one, zero, zero, l / 2 * Y, one,  //
      zero, zero, r * K, one, zero, zero,      //
      zero, zero, -Y, zero, Y, zero,           //
      zero, zero, zero, -one, -l / 2 * Y, one;
  EXPECT_EQ(rank_of(A), 15);
  const NaturalComplement all = natural(axle);
  ASSERT_EQ(axle.model[all.bodies[0]].name, "axle");
  Eigen::MatrixXd ours(all.A.rows(), 18);
  ours << all.A.middleCols(6, 12), all.A.leftCols(6);
  EXPECT_EQ(ours.rows(), 16);
  expect_same_rows(ours, A);
  EXPECT_EQ(all.T.cols(), 3);
  Mobility ways;
  ASSERT_TRUE(mobility(axle.model, axle.state, axle.workspace, ways).ok());
  EXPECT_EQ(ways.instantaneous, 3);
  ASSERT_EQ(ways.dependent.size(), 1u);
  EXPECT_EQ(ways.dependent[0], "wheel 'left': force across; wheel 'right': force across");
}

}  // namespace
}  // namespace trammel::couplings_test
