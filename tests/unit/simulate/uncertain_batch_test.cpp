// States of a batch that its kernels cannot solve: evaluated one by one, and refused with the
// reason of a single run.
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"
#include "trammel/simulate/simulate_batch.hpp"

namespace trammel::uncertain_batch_test {
namespace {

// Two links of 1 m and 0.5 m with a point mass at the tip: det M is proportional to sin^2(elbow). A
// stretched or folded arm can accelerate its tip across the arm only, and nothing determines the
// accelerations of its joints.
TEST(UncertainBatch, an_arm_without_inertia_is_refused_as_if_alone) {
  Description description("arm");
  description.body("upper", {});
  description.body("lower", point_mass(1.0, {0.5, 0.0, 0.0}));
  description.joint("shoulder", JointKind::revolute, "ground", "upper");
  description.joint("elbow", JointKind::revolute, "upper", "lower", {.at = {{1.0, 0.0, 0.0}, {}}});
  MotionOf motion(build_model(description));
  Eigen::MatrixXd q(2, 3), v = Eigen::MatrixXd::Zero(2, 3);
  q << 0.3, 0.3, 0.3, 1.0, 0.0, std::numbers::pi;
  v(1, 0) = 0.5;
  for (const Method method : {Method::rk4, Method::semi_implicit_euler}) {
    BatchWorkspace workspace(motion.model);
    BatchMotion out;
    EXPECT_FALSE(simulate_batch(motion.model, {q, v}, motion.run_inputs,
                                {.duration = 0.1, .method = method, .step = 0.01}, workspace, out)
                     .ok());
    ASSERT_EQ(out.stopped.size(), 3U);
    EXPECT_EQ(out.stopped[0], "");
    for (const std::size_t run : {1U, 2U})
      EXPECT_NE(out.stopped[run].find("its degree of freedom meets no inertia"), std::string::npos)
          << out.stopped[run];
  }
}

}  // namespace
}  // namespace trammel::uncertain_batch_test
