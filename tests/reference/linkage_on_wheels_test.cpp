// A closed linkage on rolling wheels, by every solver and by geometry: the tricycle of the gallery.
#include "tests/reference/from_gallery.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/maximal_kkt.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/constraint/forces/wheel_contacts.hpp"

namespace trammel::linkage_on_wheels_test {
namespace {

using Eigen::VectorXd;

// Column at a steering angle, the other joints assembled.
FromGallery steered(double column) {
  FromGallery tricycle("tricycle");
  const Model& model = tricycle.posed.model;
  State& state = tricycle.posed.state;
  state.q[std::size_t(model[*model.find_joint("column")].q_start)] = column;
  const Status status = assemble(model, state, tricycle.posed.workspace);
  EXPECT_TRUE(status.ok()) << status.message();
  return tricycle;
}

TEST(linkage_on_wheels, steers_as_its_geometry_says) {
  for (const double column : {-0.4, 0.0, 0.35}) {
    FromGallery tricycle = steered(column);
    Posed& posed = tricycle.posed;
    EXPECT_EQ(tricycle.ways().instantaneous, 2);
    const auto q = [&](const char* joint) {
      return posed.state.q[std::size_t(posed.model[*posed.model.find_joint(joint)].q_start)];
    };
    // four-bar: the distance of the ends of both arms is the length of the rod
    const double c = q("column"), f = q("fork");
    const Eigen::Vector2d of_column(0.4 - 0.12 * std::sin(c), 0.12 * std::cos(c)),
        of_fork(0.9 - 0.05 * std::cos(f) - 0.12 * std::sin(f),
                -0.05 * std::sin(f) + 0.12 * std::cos(f));
    EXPECT_NEAR((of_fork - of_column).norm(), 0.45, 1e-12);
    // and a tricycle turns about the intersection of its axles
    posed.state.v.assign(posed.state.v.size(), 0.0);
    posed.state.v[3] = 1.2;
    ASSERT_TRUE(project_velocity(posed.model, posed.state, posed.workspace).ok());
    EXPECT_GT(std::abs(posed.state.v[3]), 0.01);
    const double along = posed.state.v[3], turning = posed.state.v[2];
    EXPECT_NEAR(posed.state.v[4], 0, 1e-12);
    EXPECT_NEAR(turning, along * std::tan(f) / 0.9, 1e-12);
  }
}

TEST(linkage_on_wheels, moves_alike_by_every_solver_and_in_maximal_coordinates) {
  for (const double column : {-0.4, 0.0, 0.35})
    for (const bool moves : {false, true}) {
      FromGallery tricycle = steered(column);
      Posed& posed = tricycle.posed;
      Random random(3);
      posed.state.v =
          moves ? random.numbers(posed.model.nv()) : std::vector<double>(posed.state.v.size(), 0.0);
      ASSERT_TRUE(project_velocity(posed.model, posed.state, posed.workspace).ok());
      const std::vector<double> tau = random.numbers(posed.model.nv());
      const MaximalKkt plain(posed.model, posed.state, {.tau = tau}, posed.workspace);
      const double size = 1 + largest_of(plain.a);
      for (const ConstraintSolver solver : {ConstraintSolver::schur, ConstraintSolver::null_space,
                                            ConstraintSolver::kkt, ConstraintSolver::sparse}) {
        ConstrainedAnswer answer;
        const Status status = constrained_dynamics(posed.model, posed.state, {.tau = tau},
                                                   posed.workspace, answer, solver);
        ASSERT_TRUE(status.ok()) << status.message();
        EXPECT_LT(largest_of(answer.a - plain.a), 1e-10 * size) << int(solver);
      }
    }
}

// Wheel loads at rest follow from the positions of the masses: driving straight, the load of the
// front wheel is by the lever of the center of mass over the wheelbase.
TEST(linkage_on_wheels, presses_on_the_floor_with_its_weight) {
  FromGallery tricycle = steered(0);
  Posed& posed = tricycle.posed;
  posed.state.v.assign(posed.state.v.size(), 0.0);
  std::vector<WheelContact> contacts;
  ASSERT_TRUE(wheel_contacts(posed.model, posed.state, {}, posed.workspace, contacts).ok());
  const double g = 9.81;
  // frame, front wheel and fork, column, rod: mass times the distance ahead of the rear axle
  const double ahead = 40 * 0.35 + (2 + 3) * 0.9 + 1.5 * 0.4 + 0.5 * 0.625, rod_beside = 0.5 * 0.12;
  const double front = ahead * g / 0.9, weight = (40 + 6 + 3 + 1.5 + 0.5) * g;
  EXPECT_NEAR(contacts[2].up(), front, 1e-9);
  // only the rod is off the middle plane
  EXPECT_NEAR(contacts[0].up() - contacts[1].up(), rod_beside * g / 0.3, 1e-9);
  EXPECT_NEAR(contacts[0].up() + contacts[1].up(), weight - front, 1e-9);
  for (const WheelContact& contact : contacts) EXPECT_TRUE(contact.row_forces[0].is_unique);
}

}  // namespace
}  // namespace trammel::linkage_on_wheels_test
