// For every tree that URDF can represent: written and read back it is the same mechanism, joint by
// joint and body by body, for any order of its coordinates.
#include <gtest/gtest.h>

#include "tests/reference/posed.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/test_folder.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/model/description/frames.hpp"
#include "trammel/read/load.hpp"
#include "trammel/write/model/urdf.hpp"

namespace trammel::urdf_round_trip_test {
namespace {

// A random tree with joints in both directions, frames on both bodies, damping and limits, without
// features that URDF lacks.
Description sayable(int seed, bool symbols = false) {
  Description description =
      RandomRobot::describe(seed, {.bodies = 1 + seed % 12, .symbols = symbols});
  for (JointDescription& joint : description.joints) {
    const bool is_reversed =
        joint.parent[0] == 'b' && joint.name.substr(1) == joint.parent.substr(1);
    JointOptions& options = joint.options;
    options.stiffness.clear(), options.rest.clear();
    options.pitch = 0.0;
    if (joint.kind == JointKind::screw) joint.kind = JointKind::prismatic;
    if (joint.kind == JointKind::spherical) {
      joint.kind = JointKind::compound;
      options.motions = {turn({0.0, 0.0, 1.0}), turn({0.0, 1.0, 0.0}), turn({1.0, 0.0, 0.0})};
    }
    if (joint.kind == JointKind::free) {
      options.damping.clear();
      if (is_reversed) joint.kind = JointKind::planar, options.axis = {0.0, 0.6, 0.8};
    }
  }
  return description;
}

Description written_and_read(const Description& description, std::string* text = nullptr) {
  Diagnostics report, diagnostics;
  const std::string urdf = write_urdf(description, report);
  EXPECT_FALSE(report.has_errors());
  Description back = read_description("back.urdf", urdf, {}, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list()) ADD_FAILURE() << to_string(diagnostic);
  if (text) *text = urdf;
  const Values<double> value = evaluate_at_nominal(description);
  back.gravity = value_of(description.gravity, value);
  return back;
}

// Index of an entry of q or v of one model in the other.
struct Places {
  std::vector<std::size_t> q, v;
};
Places places(const Model& model, const Model& back) {
  Places found;
  for (const NamedJoint& joint : model.joints()) {
    if (joint.role != NamedJoint::Role::tree) continue;
    if (const auto same = back.find_joint(joint.name)) {
      EXPECT_EQ(back[*same].nq, joint.nq) << joint.name;
      for (int k = 0; k < joint.nq; ++k) found.q.push_back(std::size_t(back[*same].q_start + k));
      for (int k = 0; k < joint.nv; ++k) found.v.push_back(std::size_t(back[*same].v_start + k));
      continue;
    }
    for (int k = 0; k < joint.nv; ++k) {
      const auto part = back.find_joint(joint.name + "_" + std::to_string(k + 1));
      if (!part) {
        ADD_FAILURE() << joint.name << " is lost";
        continue;
      }
      found.q.push_back(std::size_t(back[*part].q_start));
      found.v.push_back(std::size_t(back[*part].v_start));
    }
  }
  return found;
}
std::vector<double> moved(const std::vector<double>& from, const std::vector<std::size_t>& to) {
  std::vector<double> out(from.size());
  for (std::size_t k = 0; k < from.size(); ++k) out.at(to[k]) = from[k];
  return out;
}

// Both round at every joint, some 1e-16 of the largest number each.
constexpr double rounding = 1e-12;

void expect_the_same(const Description& description, const Description& read, int seed) {
  Random random(seed + 1000);
  const Model model = build_model(description), back_model = build_model(read);
  ASSERT_EQ(back_model.nq(), model.nq());
  ASSERT_EQ(back_model.nv(), model.nv());
  const Places at = places(model, back_model);
  ASSERT_EQ(at.q.size(), std::size_t(model.nq()));
  const State state = RandomRobot::random_state(model, random);
  const std::vector<double> a = random.numbers(model.nv());

  Posed here(description, state.q, state.v);
  Posed there(read, moved(state.q, at.q), moved(state.v, at.v));
  const auto same = [&](const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
    return difference_of(moved(list_of(x), at.v), list_of(y)) < rounding;
  };
  EXPECT_TRUE(same(here.bias_forces(), there.bias_forces())) << seed;
  const std::vector<double> a_there = moved(a, at.v);
  EXPECT_TRUE(same(here.tau({.a = a}), there.tau({.a = a_there}))) << seed;

  const Eigen::MatrixXd M = here.M(), M_there = there.M();
  for (int i = 0; i < model.nv(); ++i)
    for (int k = 0; k < model.nv(); ++k)
      EXPECT_NEAR(M(i, k), M_there(int(at.v[std::size_t(i)]), int(at.v[std::size_t(k)])),
                  rounding * std::max(1.0, largest_of(M)))
          << seed;
  for (const NamedBody& body : model.named_bodies()) {
    const Pose<double> X = here.X(body.name), Y = there.X(body.name);
    EXPECT_LT(norm(X.p - Y.p), rounding) << seed << " " << body.name;
    EXPECT_LT(norm(X.R.x - Y.R.x) + norm(X.R.y - Y.R.y), rounding) << seed << " " << body.name;
  }
}

class UrdfRoundTrip : public testing::TestWithParam<int> {};

TEST_P(UrdfRoundTrip, a_tree_is_the_same_mechanism) {
  const Description description = sayable(GetParam());
  expect_the_same(description, written_and_read(description), GetParam());
}

TEST_P(UrdfRoundTrip, formulas_are_the_same_mechanism_as_numbers) {
  const Description description = sayable(GetParam(), /*symbols=*/true);
  expect_the_same(description, written_and_read(description), GetParam());
}

TEST_P(UrdfRoundTrip, what_was_read_is_written_as_the_same_text) {
  std::string first, second;
  Description once = written_and_read(sayable(GetParam()), &first);
  once.gravity = {0.0, 0.0, -9.81};
  (void)written_and_read(once, &second);
  EXPECT_EQ(first, second);
}

TEST_P(UrdfRoundTrip, a_chain_keeps_the_order_of_its_coordinates) {
  Description description = sayable(GetParam());
  // joints with parent and child in tree order only: a reversed joint has its steps in reverse
  // order
  for (JointDescription& joint : description.joints)
    if (joint.name.substr(1) == joint.parent.substr(1)) return;
  const Model model = build_model(description), back = build_model(written_and_read(description));
  const Places at = places(model, back);
  for (std::size_t k = 0; k < at.q.size(); ++k) EXPECT_EQ(at.q[k], k);
}

INSTANTIATE_TEST_SUITE_P(seeds, UrdfRoundTrip, testing::Range(1, 61));

TEST(UrdfRoundTripOf, a_file_with_everything_is_the_file_again) {
  Diagnostics diagnostics, report, none;
  const std::string path = test_folder() + "/unit/read/urdf/everything.urdf";
  const Description description = read_description(path, {}, diagnostics);
  const std::string text = write_urdf(description, report);
  for (const Diagnostic& lost : report.list()) ADD_FAILURE() << to_string(lost);
  const Description back = read_description(path, text, {}, none);
  for (const Diagnostic& found : none.list()) ADD_FAILURE() << to_string(found);

  ASSERT_EQ(back.joints.size(), description.joints.size());
  for (std::size_t k = 0; k < description.joints.size(); ++k) {
    EXPECT_EQ(back.joints[k].name, description.joints[k].name);
    EXPECT_EQ(back.joints[k].kind, description.joints[k].kind);
    EXPECT_EQ(back.joints[k].options.limits.lower.size(),
              description.joints[k].options.limits.lower.size());
    EXPECT_EQ(back.joints[k].options.limits.effort.size(),
              description.joints[k].options.limits.effort.size());
    EXPECT_EQ(back.joints[k].options.damping.size(), description.joints[k].options.damping.size());
    EXPECT_EQ(back.joints[k].options.at.rpy.y.constant(),
              description.joints[k].options.at.rpy.y.constant());
  }
  ASSERT_EQ(back.bodies.size(), description.bodies.size());
  for (std::size_t i = 0; i < description.bodies.size(); ++i) {
    const BodyDescription &x = description.bodies[i], &y = back.bodies[i];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.solid.inertia.xy.constant(), y.solid.inertia.xy.constant());
    ASSERT_EQ(x.shapes.size(), y.shapes.size());
    for (std::size_t k = 0; k < x.shapes.size(); ++k) {
      EXPECT_EQ(x.shapes[k].kind, y.shapes[k].kind);
      EXPECT_EQ(x.shapes[k].name, y.shapes[k].name);
      EXPECT_EQ(x.shapes[k].mesh, y.shapes[k].mesh);
      EXPECT_EQ(x.shapes[k].color, y.shapes[k].color);
      EXPECT_EQ(x.shapes[k].is_collision, y.shapes[k].is_collision);
      EXPECT_EQ(x.shapes[k].size.y.constant(), y.shapes[k].size.y.constant());
      EXPECT_EQ(x.shapes[k].scale.z.constant(), y.shapes[k].scale.z.constant());
    }
  }
  ASSERT_EQ(back.couplings.size(), 1u);
  EXPECT_EQ(back.couplings[0].name, "thumb_grip_mimic");
  EXPECT_EQ(back.couplings[0].terms[1].second.constant(), -2);
  EXPECT_EQ(back.couplings[0].offset.constant(), 0.01);
}

}  // namespace
}  // namespace trammel::urdf_round_trip_test
