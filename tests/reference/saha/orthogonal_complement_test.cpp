// The natural orthogonal complement (null-space basis) [Saha 1991, sections 3.2 to 3.4], on joints
// of every kind and on a four-bar.
#include "trammel/constraint/mobility/orthogonal_complement.hpp"
#include "tests/reference/posed.hpp"
#include "tests/support/capability.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/mobility/natural_complement.hpp"

namespace trammel::orthogonal_complement_test {
namespace {

const Solid link{
    .mass = 1.3, .com = {0.25, 0.1, -0.05}, .inertia = {0.01, 0.001, 0.0, 0.03, 0.0, 0.03}};

// two bodies, the second outboard of the first by the joint under test
Description pair_of(JointKind kind) {
  Description description("pair");
  description.body("first", link);
  description.body("second", link);
  description.joint("float", JointKind::free, "ground", "first");
  JointOptions options{.at = {.xyz = {0.5, 0.1, 0.2}, .rpy = {0.3, -0.4, 0.5}},
                       .child_at = {.xyz = {-0.1, 0.05, 0.0}},
                       .axis = {0.0, 0.6, 0.8},
                       .axis2 = {1.0, 0.0, 0.0}};
  if (kind == JointKind::screw) options.pitch = 0.1;
  if (kind == JointKind::compound)
    options.motions = {turn({0.0, 1.0, 0.0}), slide({1.0, 0.0, 0.0}), turn({0.0, 0.0, 1.0})};
  description.joint("pair", kind, "first", "second", options);
  return description;
}
NaturalComplement natural(Posed& posed, const OrthogonalComplement& basis,
                          const Inputs& inputs = {}) {
  NaturalComplement out;
  const Status status =
      natural_complement(posed.model, posed.state, inputs, basis, posed.workspace, out);
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}
OrthogonalComplement basis_of(Posed& posed, const OrthogonalComplementOptions& options = {}) {
  OrthogonalComplement out;
  const Status status =
      orthogonal_complement(posed.model, posed.state, {}, posed.workspace, out, options);
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}
// the rows of one joint
Eigen::MatrixXd rows_of(const NaturalComplement& all, const std::string& joint) {
  std::vector<int> rows;
  for (std::size_t k = 0; k < all.rows.size(); ++k)
    if (all.rows[k].starts_with("joint '" + joint + "'")) rows.push_back(int(k));
  return all.A(rows, Eigen::all);
}
int rank_of(const Eigen::MatrixXd& matrix) {
  return int(Eigen::FullPivLU<Eigen::MatrixXd>(matrix).setThreshold(1e-10).rank());
}
Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a) {
  Eigen::Matrix3d out;
  out << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return out;
}

TEST(saha_complement, revolute_pair_has_six_rows_of_rank_five) {
  shows({"S-07", "natural_complement"});
  Posed posed(pair_of(JointKind::revolute), {0.5, 0.5, -0.5, 0.5, 0.1, 0.2, 0.3, 0.7});
  const NaturalComplement all = natural(posed, basis_of(posed));
  const Eigen::MatrixXd rows = rows_of(all, "pair");
  EXPECT_EQ(rows.rows(), 5);
  // block of [Saha 1991]: A_ii = [E 0; R 1], A_i,i-1 = [-E 0; B -1] in the vectors to the joint
  const Pose<double> X_WU = posed.X("first"), X_WC = posed.X("second");
  const NamedJoint& joint = posed.model[*posed.model.find_joint("pair")];
  const Pose<double> X_WM = X_WC * joint.X_CM;
  const Eigen::Vector3d e = three(X_WM.R * Vec3<double>{0, 0.6, 0.8});
  const Eigen::Vector3d b = three(X_WM.p - X_WU * Vec3<double>{0.25, 0.1, -0.05}),
                        r = three(X_WC * Vec3<double>{0.25, 0.1, -0.05} - X_WM.p);
  Eigen::MatrixXd block = Eigen::MatrixXd::Zero(6, 12);
  block.block<3, 3>(0, 0) = -cross_matrix(e);
  block.block<3, 3>(0, 6) = cross_matrix(e);
  block.block<3, 3>(3, 0) = cross_matrix(b);
  block.block<3, 3>(3, 3) = -Eigen::Matrix3d::Identity();
  block.block<3, 3>(3, 6) = cross_matrix(r);
  block.block<3, 3>(3, 9) = Eigen::Matrix3d::Identity();
  EXPECT_EQ(rank_of(block), 5);
  Eigen::MatrixXd both(11, 12);
  both << rows, block;
  EXPECT_EQ(rank_of(both), 5);  // both have the same row space
  EXPECT_LT((block * all.T).norm(), 1e-13);
}

TEST(saha_complement, every_pair_takes_away_what_it_holds) {
  shows({"S-08", "natural_complement"});
  using enum JointKind;
  for (const JointKind kind : {fixed, revolute, prismatic, screw, cylindrical, universal, spherical,
                               planar, free, compound}) {
    const Description description = pair_of(kind);
    const Model model = build_model(description);
    State state = neutral_state(model);
    const std::vector<double> way(std::size_t(model.nv()), 0.3);
    std::vector<double> q(state.q.size());
    integrate(model, state.q, way, q);
    Posed posed(description, q);
    const NaturalComplement all = natural(posed, basis_of(posed));
    const int dofs = posed.model[*posed.model.find_joint("pair")].nv;
    const Eigen::MatrixXd rows = rows_of(all, "pair");
    EXPECT_EQ(rows.rows(), 6 - dofs) << int(kind);
    EXPECT_EQ(rows.rows() > 0 ? rank_of(rows) : 0, 6 - dofs) << int(kind);
    EXPECT_LT((all.A * all.T).norm(), 1e-12) << int(kind);
  }
  // a gear: n_1 e_1 (omega_1 - omega_0) + n_2 e_2 (omega_2 - omega_0) = 0
  Description gears("gears");
  gears.body("one", link);
  gears.body("two", link);
  gears.joint("a", JointKind::revolute, "ground", "one", {.axis = {0.0, 0.0, 1.0}});
  gears.joint("b", JointKind::revolute, "ground", "two",
              {.at = {.xyz = {1.0, 0.0, 0.0}}, .axis = {0.0, 1.0, 0.0}});
  gears.couplings.push_back({.name = "teeth", .terms = {{"a", 2.0}, {"b", 3.0}}, .offset = 0.0});
  Posed posed(gears, {0.0, 0.0});
  const NaturalComplement all = natural(posed, basis_of(posed));
  const Eigen::VectorXd row = all.A.row(all.A.rows() - 1);
  EXPECT_NEAR(row[2], 2, 1e-14);
  EXPECT_NEAR(row[7], 3, 1e-14);
  EXPECT_EQ(all.T.cols(), 1);
}

struct FourBar : Posed {
  FourBar() : Posed(described(), {0.8, 0.3, 1.6}, {1.1, 0.0, 0.0}) {
    const Status status = assemble(model, state, workspace, {.keep = {*model.find_joint("motor")}});
    EXPECT_TRUE(status.ok()) << status.message();
  }
  static Description described() {
    Description description("four-bar");
    const Vec3<Expr> y{0.0, 1.0, 0.0};
    description.gravity = {0.0, 0.0, -9.81};
    for (const char* name : {"crank", "coupler", "rocker"}) description.body(name, link);
    description.joint("motor", JointKind::revolute, "ground", "crank",
                      {.axis = y, .drive = Drive::torque});
    description.joint("knee", JointKind::revolute, "crank", "coupler",
                      {.at = {.xyz = {0.2, 0.0, 0.0}}, .axis = y});
    description.joint("foot", JointKind::revolute, "ground", "rocker",
                      {.at = {.xyz = {0.5, 0.0, 0.0}}, .axis = y});
    description.joint("wrist", JointKind::revolute, "coupler", "rocker",
                      {.at = {.xyz = {0.5, 0.0, 0.0}},
                       .child_at = {.xyz = {0.45, 0.0, 0.0}},
                       .axis = y,
                       .cut = true});
    return description;
  }
  double total_energy() {
    const Energy e = energies();
    return e.kinetic + e.gravity;
  }
};

TEST(saha_complement, columns_are_the_twists_at_unit_speeds) {
  shows({"S-25", "natural_complement"});
  FourBar bar;
  const OrthogonalComplement basis =
      basis_of(bar, {.independent = {*bar.model.find_joint("motor")}});
  const NaturalComplement all = natural(bar, basis);
  bar.state.v = list_of(basis.T.col(0));  // the motor at 1 rad/s, the others consistent with it
  EXPECT_EQ(bar.state.v[0], 1.0);
  const Kinematics moving = bar.moving();
  for (std::size_t k = 0; k < 3; ++k) {
    const FrameRef center{all.bodies[k], {Mat3<double>::identity(), {0.25, 0.1, -0.05}}};
    const Eigen::VectorXd twist = six(velocity(bar.model, moving, center));
    EXPECT_LT((twist - all.T.block(Eigen::Index(6 * k), 0, 6, 1)).norm(), 1e-12);
  }
}

TEST(saha_complement, efforts_without_the_rate_of_T_balance_the_power) {
  shows({"S-26", "natural_complement", "inverse_dynamics"});
  FourBar bar;
  const OrthogonalComplement basis =
      basis_of(bar, {.independent = {*bar.model.find_joint("motor")}});
  const NaturalComplement all = natural(bar, basis);
  const double u_dot = 2.7;
  const Eigen::VectorXd t_dot = all.T * u_dot + all.T_dot_u;
  const double torque = all.T.col(0).dot(all.M * t_dot + all.gyroscopic - all.working);
  const Eigen::VectorXd a = basis.T * u_dot + basis.T_dot_u;
  EXPECT_NEAR(torque, bar.tau({.a = list_of(a)})[0], 1e-11);
  // tau theta' = dE/dt, by a difference between states slightly later and earlier
  const double h = 1e-4, power = torque * bar.state.v[0];
  const State now = bar.state;
  const auto at_time = [&](double t) {
    const Eigen::VectorXd v = vector_of(now.v);
    bar.state.q = list_of(vector_of(now.q) + t * v + t * t / 2 * a);
    bar.state.v = list_of(v + t * a);
    EXPECT_TRUE(assemble(bar.model, bar.state, bar.workspace).ok());
    return bar.total_energy();
  };
  EXPECT_NEAR((at_time(h) - at_time(-h)) / (2 * h), power, 1e-6 * (1 + std::abs(power)));
}

TEST(saha_complement, energy_stays_while_nothing_drives) {
  shows({"S-28", "forward_dynamics", "energy"});
  FourBar bar;
  const double before = bar.total_energy();
  const std::vector<double> start = bar.state.q;
  bar.run(1e-4, 1000);  // between its stages the loop may open by 1e-6 at most
  EXPECT_GT((vector_of(bar.state.q) - vector_of(start)).norm(), 0.1);
  EXPECT_NEAR(bar.total_energy(), before, 1e-8);  // fourth order in the step
}

}  // namespace
}  // namespace trammel::orthogonal_complement_test
