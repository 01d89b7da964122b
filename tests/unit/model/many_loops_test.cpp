// Names and checks of models with many constraints agree with their definitions, which take the
// square of the number of constraints.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <variant>

#include "trammel/model/build/builder.hpp"

namespace trammel::many_loops_test {
namespace {

// A random tree of massless bodies on revolute joints, some of them locked; between its bodies
// random loop joints, welds, points and rods, and couplings of joints.
Description massless_tree(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](int n) { return int(random() % unsigned(n)); };
  Description description("tree");
  const int bodies = 3 + below(12);
  const auto name = [](int k) { return k == 0 ? "ground" : "b" + std::to_string(k); };
  for (int k = 1; k <= bodies; ++k) {
    description.body(name(k), {});
    const Drive drive = below(8) == 0 ? Drive::locked : Drive::none;
    description.joint("j" + std::to_string(k), JointKind::revolute, name(below(k)), name(k),
                      {.drive = drive});
  }
  for (int c = below(4); c > 0; --c) {
    const int a = below(bodies + 1), b = (a + 1 + below(bodies)) % (bodies + 1);
    const std::string number = std::to_string(c);
    using Kind = ConstraintDescription::Kind;
    switch (below(4)) {
      case 0:
        description.joint("loop" + number, below(2) ? JointKind::revolute : JointKind::universal,
                          name(a), name(b), {.cut = true});
        break;
      case 1:
        description.constraints.push_back({"weld" + number, Kind::weld, name(a), name(b)});
        break;
      case 2:
        description.constraints.push_back({"point" + number, Kind::point, name(a), name(b)});
        break;
      default:
        description.constraints.push_back({"rod" + number, Kind::distance, name(a), name(b), 1.0});
    }
  }
  const int first = 1 + below(bodies), second = 1 + first % bodies;
  if (below(3) == 0)
    description.couplings.push_back(
        {"gears", {{"j" + std::to_string(first), 1.0}, {"j" + std::to_string(second), -2.0}}});
  return description;
}

// A constraint acts between the bodies that the joint of tree body i moves and others, or the joint
// is locked or coupled.
bool is_constrained(const Model& model, int i) {
  const auto is_outboard = [&](BodyId id) {
    int body = model[id].tree_body;
    while (body > i) body = model.bodies()[std::size_t(body)].parent;
    return body == i;
  };
  const auto crosses = [&](const auto& item) {
    return is_outboard(item.parent) != is_outboard(item.child);
  };
  const NamedJoint& joint = model.joints()[std::size_t(i) - 1];
  const auto couples = [&](const Coupling& coupling) {
    return std::ranges::any_of(coupling.terms, [&](const Coupling::Term& term) {
      return term.closure < 0 && term.v == joint.v_start;
    });
  };
  return joint.drive == Drive::locked || std::ranges::any_of(model.closures(), crosses) ||
         std::ranges::any_of(model.rods(), crosses) ||
         std::ranges::any_of(model.couplings(), couples);
}

TEST(ManyLoops, massless_joints_are_warned_of_unless_a_constraint_acts_across_them) {
  int warned = 0, constrained = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = build_model(massless_tree(seed));
    std::set<std::string> expected, found;
    for (int i = 1; i < int(model.bodies().size()); ++i) {
      if (is_constrained(model, i))
        ++constrained;
      else
        expected.insert("joint '" + model.joints()[std::size_t(i) - 1].name +
                        "' moves nothing that has mass or inertia");
    }
    for (const Diagnostic& warning : model.warnings())
      if (warning.message.ends_with("has mass or inertia")) found.insert(warning.message);
    EXPECT_EQ(found, expected);
    warned += int(expected.size());
  }
  EXPECT_GT(warned, 100);
  EXPECT_GT(constrained, 100);
}

TEST(ManyLoops, closures_are_found_by_their_joint_and_by_their_degrees_of_freedom) {
  int dofs = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = build_model(massless_tree(seed));
    for (int joint = 0; joint < int(model.joints().size()); ++joint) {
      int expected = -1;
      for (int c = 0; c < int(model.closures().size()); ++c)
        if (model.closures()[std::size_t(c)].named == JointId(joint)) expected = c;
      EXPECT_EQ(model.closure_of(JointId(joint)), expected);
    }
    for (const Closure& closure : model.closures()) {
      const int nv = std::visit([](const auto& joint) { return joint.nv(); }, closure.joint);
      const std::string& name = closure.named ? model[*closure.named].name : closure.name;
      for (int k = 0; k < nv; ++k, ++dofs)
        EXPECT_EQ(model.closure_dof_name(closure.v_start + k).substr(0, name.size() + 1),
                  nv == 1 ? name : name + ".");
    }
  }
  EXPECT_GT(dofs, 200);
}

// Each loop joint with a spring or damper once, in their order.
TEST(ManyLoops, springs_of_loop_joints_are_named) {
  Description description("springs");
  std::vector<std::string> expected;
  for (int k = 0; k < 40; ++k) {
    const std::string number = std::to_string(k);
    description.body("b" + number, {.mass = 1.0, .inertia = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
    description.joint("j" + number, JointKind::free, "ground", "b" + number);
    JointOptions options{.cut = true};
    if (k % 3 == 1) options.damping = {0.5};
    if (k % 3 == 1 && k % 2 == 0) options.stiffness = {2.0};
    description.joint("loop" + number, k % 2 ? JointKind::universal : JointKind::prismatic,
                      "ground", "b" + number, options);
    if (k % 3 == 1) expected.push_back("the spring or damper of loop joint 'loop" + number + "'");
  }
  EXPECT_EQ(build_model(description).force_element_names(), expected);
}

}  // namespace
}  // namespace trammel::many_loops_test
