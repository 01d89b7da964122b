// Exact messages about prescribed or locked joints, wheels, springs and loops, for functions that
// do not support them.
#include "tests/unit/dynamics/wrong_input.hpp"

namespace trammel::wrong_elements_test {
namespace {

using namespace wrong_input;

TEST(WrongInput, a_locked_joint_that_moves) {
  expect_told(
      arm_with(Drive::locked), takes_state, [](Interview& x) { x.state.v[1] = 0.5; },
      "joint 'elbow' is locked but moves with v[1] = 0.5: set it to 0, or give the joint another "
      "drive");
}

TEST(WrongInput, a_joint_driven_by_motion_without_accelerations) {
  Interview x(arm_with(Drive::motion));
  for (const char* name : {"forward_dynamics", "hybrid_dynamics"})
    EXPECT_EQ(told(question(name), x),
              std::string(name) +
                  ": joint 'elbow' is driven by motion, but no accelerations are given: set "
                  "inputs.a");
  x.a_in = {0, 1};
  for (const char* name : {"forward_dynamics", "hybrid_dynamics"})
    EXPECT_EQ(told(question(name), x), "");
}

TEST(WrongInput, derivatives_and_batches_of_prescribed_joints) {
  for (const Drive drive : {Drive::motion, Drive::locked}) {
    Interview x(arm_with(drive));
    EXPECT_EQ(told(question("forward_dynamics_derivatives"), x),
              "forward_dynamics_derivatives: the model has joints driven by motion or locked, "
              "which this function does not support: call constrained_derivatives, or give them "
              "another drive");
    EXPECT_EQ(told(question("forward_dynamics_batch"), x),
              drive == Drive::locked
                  ? ""
                  : "forward_dynamics_batch: in state 0 joint 'elbow' is driven by motion, but no "
                    "accelerations are given: set inputs.a");
  }
}

// Functions that support loops, rods and couplings; the others refuse a model that has them.
bool honors_loops(std::string_view question) {
  static const std::set<std::string_view> names = {"inverse_dynamics", "hybrid_dynamics",
                                                   "positions",        "kinematics",
                                                   "jacobian",         "bias",
                                                   "jacobian_rate",    "gravity_load",
                                                   "mass_matrix",      "passive_forces",
                                                   "forward_dynamics", "energy",
                                                   "momentum",         "centroidal_momentum_matrix",
                                                   "center_of_mass",   "centroidal_momentum",
                                                   "reactions",        "forward_dynamics_batch",
                                                   "contact_forces",   "inverse_dynamics_batch",
                                                   "reactions_batch",  "project_to_manifold_batch"};
  return names.contains(question);
}

// The function that a refusal recommends.
std::string pointer(std::string_view question) {
  if (question.starts_with("mass_matrix_inverse") || question == "mass_matrix_factors" ||
      question == "articulated_inertias")
    return "; minimal_equations has the inertia along the ways that it leaves";
  if (question.starts_with("operational_space_inertia"))
    return "; restricted_jacobian and minimal_equations make the same of the ways that it leaves";
  if (question.ends_with("_batch")) return "; ask state by state";
  if (question.ends_with("_dynamics_derivatives"))
    return "; constrained_derivatives answers this, on the command line linearize";
  return "";
}
void expect_refused(const Description& description, const std::string& what) {
  int refused = 0;
  for (const PublicFunction& each : every_function()) {
    if (honors_loops(each.name)) continue;
    ++refused;
    Interview x(description);
    EXPECT_EQ(told(each, x),
              each.name +
                  std::string(
                      ": the model 'arm' has elements that this function does not support yet: ") +
                  what + pointer(each.name));
  }
  EXPECT_GT(refused, 5);
}

TEST(WrongInput, derivatives_with_a_wrench_in_the_worlds_axes) {
  for (const char* name : {"inverse_dynamics_derivatives", "forward_dynamics_derivatives"}) {
    Interview x(arm());
    x.wrenches = {{{BodyId(2)}, {{}, {1, 0, 0}}, Axes::world}};
    EXPECT_EQ(told(question(name), x),
              std::string(name) +
                  ": the wrench on body 'forearm' is given in world axes, but derivatives keep "
                  "wrenches constant in body axes: give it with Axes::body");
    x.wrenches[0].axes = Axes::body;
    EXPECT_EQ(told(question(name), x), "");
  }
}

Description arm_with(const std::function<void(Description&)>& add) {
  Description description = arm();
  add(description);
  return description;
}

// Springs between points, and in loop joints: functions without forces ignore them, others include
// them (tests/properties/force_elements_test.cpp), the rest name them.
TEST(WrongInput, every_question_honours_springs_or_names_them) {
  const std::set<std::string_view> refuse = {
      "inverse_dynamics_derivatives", "forward_dynamics_derivatives", "inverse_dynamics_batch",
      "forward_dynamics_batch", "reactions_batch"};
  const Description strut = arm_with([](Description& description) {
    description.frame("eye", "ground", {.xyz = {0.1, 0.2, 0.3}});
    description.springs.push_back({.name = "strut",
                                   .frame = "hand",
                                   .other_frame = "eye",
                                   .stiffness = 100.0,
                                   .length = 0.1});
  });
  expect_told(
      strut, [&](const PublicFunction& each) { return refuse.contains(each.name); },
      [](Interview&) {},
      "the model 'arm' has elements that this function does not support yet: spring 'strut'");
  Interview answered(strut);
  for (const PublicFunction& each : every_function()) {
    // an arm of two joints has infinite inertia in four directions
    if (refuse.contains(each.name) || std::string_view(each.name) == "operational_space_inertia")
      continue;
    EXPECT_EQ(told(each, answered), "") << each.name;
  }
  const Description toe = arm_with([](Description& description) {
    description.contacts.push_back({.name = "toe", .body = "forearm", .stiffness = 1e4});
  });
  expect_told(
      toe, [&](const PublicFunction& each) { return refuse.contains(each.name); },
      [](Interview&) {},
      "the model 'arm' has elements that this function does not support yet: contact 'toe'");

  const Description latch = arm_with([](Description& description) {
    description.joint(
        "latch", JointKind::compound, "ground", "forearm",
        {.motions = {turn({1.0, 0.0, 0.0}), turn({0.0, 1.0, 0.0}), turn({0.0, 0.0, 1.0}),
                     slide({1.0, 0.0, 0.0}), slide({0.0, 1.0, 0.0}), slide({0.0, 0.0, 1.0})},
         .cut = true,
         .damping = {1.0}});
  });
  for (const PublicFunction& each : every_function()) {
    if (honors_loops(each.name) || each.takes == Takes::states ||
        std::string_view(each.name).ends_with("derivatives"))
      continue;  // functions that refuse its damper, too
    Interview x(latch);
    EXPECT_EQ(
        told(each, x),
        each.name +
            std::string(
                ": the model 'arm' has elements that this function does not support yet: loop "
                "joint 'latch'") +
            pointer(each.name));
  }
}

TEST(WrongInput, a_spring_whose_ends_meet) {
  const auto arm_with_spring = [](double length, double damping) {
    return arm_with([&](Description& description) {
      description.frame("eye", "upper", {});
      description.springs.push_back({.name = "strut",
                                     .frame = "ground",
                                     .other_frame = "eye",
                                     .stiffness = 100.0,
                                     .length = length,
                                     .damping = damping});
    });
  };
  const std::set<std::string_view> pushed = {"inverse_dynamics", "forward_dynamics",
                                             "hybrid_dynamics", "reactions", "passive_forces"};
  for (const auto& [length, damping] : {std::pair(0.1, 0.0), {0.0, 1.0}})
    expect_told(
        arm_with_spring(length, damping),
        [&](const PublicFunction& each) { return pushed.contains(each.name); }, [](Interview&) {},
        "the two ends of spring 'strut' meet, and the direction of its force is lost: move them "
        "apart");
  Interview soft(arm_with_spring(0, 0));  // a spring of zero rest length has no direction
  for (const char* name : {"inverse_dynamics", "energy"})
    EXPECT_EQ(told(question(name), soft), "") << name;
}

TEST(WrongInput, efforts_of_loop_joints_of_another_size) {
  Interview x(arm());
  const std::vector<double> two(2);
  try {
    (void)forward_dynamics(x.model, x.state, {.loop_tau = two}, x.workspace, x.a).ok();
    ADD_FAILURE();
  } catch (const std::invalid_argument& mistake) {
    EXPECT_EQ(
        std::string(mistake.what()),
        "forward_dynamics: loop_tau has 2 entries, what closes loops has 0 degrees of freedom");
  }
}

// Loops, rods and couplings are supported, or named.
TEST(WrongInput, every_question_honours_constraints_or_names_them) {
  const std::pair<Description, const char*> cases[] = {
      {arm_with([](Description& description) {
         description.joint("latch", JointKind::spherical, "ground", "forearm");
       }),
       "loop joint 'latch'"},
      {arm_with([](Description& description) {
         description.couplings.push_back(
             {.name = "gears", .terms = {{"shoulder", 1.0}, {"elbow", 2.0}}});
       }),
       "coupling 'gears'"},
      {arm_with([](Description& description) {
         description.constraints.push_back(
             {.name = "grip", .frame = "hand", .other_frame = "ground"});
       }),
       "constraint 'grip'"},
      {arm_with([](Description& description) {
         description.constraints.push_back({.name = "rod",
                                            .kind = ConstraintDescription::Kind::distance,
                                            .frame = "hand",
                                            .other_frame = "ground",
                                            .distance = 3.0});
       }),
       "constraint 'rod'"},
      {arm_with([](Description& description) {
         description.wheels.push_back({.name = "left", .body = "forearm", .radius = 0.1});
       }),
       "wheel 'left'"},
  };
  for (const auto& [description, what] : cases) {
    expect_refused(description, what);
    for (const PublicFunction& each : every_function()) {
      if (!honors_loops(each.name) || each.takes == Takes::stage) continue;
      if (std::string_view(each.name) == "project_to_manifold_batch") continue;  // it closes them
      Interview x(description);
      const std::string words = told(each, x);
      if (x.model.couplings().empty())  // the neutral state is open
        EXPECT_TRUE(words.starts_with(each.name + std::string(": ") +
                                      (each.takes == Takes::states ? "in state 0 " : "") + what +
                                      " is violated by"))
            << words;
      else
        EXPECT_EQ(words, "") << each.name;
    }
  }
}

}  // namespace
}  // namespace trammel::wrong_elements_test
