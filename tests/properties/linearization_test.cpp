// Linearization A, B, C at a moving state: exact derivatives against differences between closed
// states.
#include <gtest/gtest.h>

#include "tests/support/differences.hpp"
#include "tests/support/state_and_inputs.hpp"
#include "trammel/analyze/linearize.hpp"
#include "trammel/analyze/local_coordinates.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::linearization_test {
namespace {

// The quantities of A and C near the state: rates of the positions and velocities of x relative to
// the state, then position and velocity of the tree.
class Observed {
 public:
  Observed(StateAndInputs& here, LocalCoordinates& local_coordinates)
      : here_(here), local_coordinates_(local_coordinates) {}

  Eigen::VectorXd operator()(Eigen::Index which, double by) {
    const Eigen::Index np = local_coordinates_.positions(), nw = local_coordinates_.velocities();
    Eigen::VectorXd z = Eigen::VectorXd::Zero(np + nw);
    z[which] = by;
    State there;
    const Status status = local_coordinates_.at(z.head(np), z.tail(nw), there);
    EXPECT_TRUE(status.ok()) << status.message();
    const Eigen::VectorXd a = here_.accelerations(there);
    const Eigen::Map<const Eigen::VectorXd> v(there.v.data(), here_.model.nv());
    // a short time step for fast rotations
    const double time_step = 1e-2 / (1 + v.cwiseAbs().maxCoeff());
    const Eigen::VectorXd leaves =
        slope_at_zero([&](double time) { return apart(there, time); }, time_step);
    Eigen::VectorXd out(np + nw + 2 * here_.model.nv());
    out << leaves(local_coordinates_.position_dofs()), a(local_coordinates_.velocity_dofs()),
        apart(there, 0), v;
    return out;
  }

 private:
  // difference of tree positions between the state and `there`, each advanced by its own velocity
  Eigen::VectorXd apart(const State& there, double time) {
    const auto later = [&](const State& state) {
      std::vector<double> step = state.v, q(state.q.size());
      for (double& way : step) way *= time;
      integrate(here_.model, state.q, step, q);
      return q;
    };
    std::vector<double> way(there.v.size());
    difference(here_.model, later(here_.state), later(there), way);
    return Eigen::Map<const Eigen::VectorXd>(way.data(), here_.model.nv());
  }

  StateAndInputs& here_;
  LocalCoordinates& local_coordinates_;
};

class LinearizationOfGallery : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(models, LinearizationOfGallery, testing::ValuesIn(gallery_names()),
                         [](const auto& name) { return name.param; });

TEST_P(LinearizationOfGallery, is_that_between_closed_states) {
  StateAndInputs here(load_model("@" + GetParam()));
  ASSERT_NO_FATAL_FAILURE(here.start());
  Linearization found;
  Status status = linearize(here.model, here.state, here.inputs(), here.workspace, found);
  ASSERT_TRUE(status.ok()) << status.message();
  std::optional<LocalCoordinates> local_coordinates;
  status = LocalCoordinates::of(here.model, here.state, here.workspace, local_coordinates);
  ASSERT_TRUE(status.ok()) << status.message();

  Observed observed(here, *local_coordinates);
  if (found.A.size() == 0) return;  // no mobility
  const double size = 1 + found.A.cwiseAbs().maxCoeff() + found.C.cwiseAbs().maxCoeff();
  for (Eigen::Index k = 0; k < found.A.cols(); ++k) {
    const Eigen::VectorXd slope = slope_at_zero([&](double by) { return observed(k, by); }, 5e-3);
    // loops are closed to 1e-13, which the step enlarges to 1e-10, and weak rows further
    EXPECT_LT((slope.head(found.A.rows()) - found.A.col(k)).cwiseAbs().maxCoeff(), 1e-7 * size)
        << found.states[std::size_t(k)];
    EXPECT_LT((slope.tail(found.C.rows()) - found.C.col(k)).cwiseAbs().maxCoeff(), 1e-7 * size)
        << found.states[std::size_t(k)];
  }
  // accelerations are linear in the efforts
  const Eigen::VectorXd before = here.accelerations(here.state);
  for (std::size_t k = 0; k < found.inputs.size(); ++k)
    for (int f = 0; f < here.model.nv(); ++f) {
      if ("tau." + here.model.dof_name(f) != found.inputs[k]) continue;
      here.tau[std::size_t(f)] += 0.5;
      const Eigen::VectorXd more = 2 * (here.accelerations(here.state) - before);
      here.tau[std::size_t(f)] -= 0.5;
      EXPECT_LT((more(local_coordinates->velocity_dofs()) -
                 found.B.col(Eigen::Index(k)).tail(local_coordinates->velocities()))
                    .cwiseAbs()
                    .maxCoeff(),
                1e-9 * (size + found.B.cwiseAbs().maxCoeff()));
    }
}

// The angle of the wrist, a loop joint, is that of the foot minus those of motor and knee: an
// effort on it equals this effort on the foot and its negative on motor and knee.
TEST(linearize, a_driven_joint_that_closes_a_loop_is_an_input) {
  Description description = load_model("@four_bar").description();
  for (JointDescription& joint : description.joints) {
    joint.options.drive = Drive::none;
    joint.options.cut = joint.name == "wrist";
  }
  StateAndInputs every(build_model(description));
  std::ranges::find(description.joints, "wrist", &JointDescription::name)->options.drive =
      Drive::torque;
  StateAndInputs one(build_model(description));
  Linearization all, found;
  every.start();
  one.state = every.state;
  Status status = linearize(every.model, every.state, {}, every.workspace, all);
  ASSERT_TRUE(status.ok()) << status.message();
  status = linearize(one.model, one.state, {}, one.workspace, found);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(found.inputs, std::vector<std::string>{"tau.wrist"});
  ASSERT_EQ(all.inputs, (std::vector<std::string>{"tau.motor", "tau.knee", "tau.foot"}));
  const Eigen::VectorXd same = all.B.col(2) - all.B.col(0) - all.B.col(1);
  // rounding of inertias near 0.1
  EXPECT_LT((found.B.col(0) - same).cwiseAbs().maxCoeff(), 1e-9 * same.cwiseAbs().maxCoeff());
  EXPECT_GT(same.cwiseAbs().maxCoeff(), 1);
}

// Sleeping top, upright. Its tilt in the world obeys I w'' - i J s w' - m g l w = 0 (complex, I
// about the foot, J about its axis); in axes that spin with it each frequency is lower by s.
TEST(linearize, a_sleeping_top_by_hand) {
  const double m = 2, l = 0.3, across = 0.05, J = 0.04, g = 10;
  const double I = across + m * l * l;
  for (const double s : {20.0, 60.0}) {
    Description description("top");
    description.gravity = {0.0, 0.0, -g};
    description.body("top",
                     {.mass = m, .com = {0.0, 0.0, l}, .inertia = {across, 0, 0, across, 0, J}});
    description.joint("foot", JointKind::spherical, "ground", "top");
    const Model model = build_model(description);
    Workspace workspace(model);
    State state = neutral_state(model);
    state.v = {0, 0, s};
    Linearization found;
    const Status status = linearize(model, state, {}, workspace, found);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_LT(found.acceleration, 1e-12);
    using Complex = std::complex<double>;
    const Complex root = std::sqrt(Complex(J * J * s * s - 4 * I * m * g * l));
    for (const double side : {1.0, -1.0}) {
      const Complex wanted = Complex(0, 1) * ((J * s + side * root) / (2 * I) - s);
      double nearest = 1e9;
      for (const Complex& value : found.eigenvalues)
        nearest = std::min(nearest, std::abs(value - wanted));
      EXPECT_LT(nearest, 1e-12 * s) << s;  // rounding of the eigenvalues
    }
  }
}

}  // namespace
}  // namespace trammel::linearization_test
