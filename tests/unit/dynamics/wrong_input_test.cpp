// What people are told when they ask wrongly, word for word: wrong sizes and names throw, numbers
// and models that cannot work come back as a failed Status.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>

#include "tests/every_question.hpp"
#include "trammel/model/solids.hpp"

namespace trammel {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();
const Solid brick = box(1.0, {0.1, 0.2, 0.3});

// ground - shoulder - upper - elbow - forearm, bending in the plane of x and z
Description arm() {
  Description said("arm");
  said.body("upper", brick);
  said.body("forearm", brick);
  said.joint("shoulder", JointKind::revolute, "ground", "upper", {.axis = {0.0, 1.0, 0.0}});
  said.joint("elbow", JointKind::revolute, "upper", "forearm",
             {.at = {{0.5, 0.0, 0.0}}, .axis = {0.0, 1.0, 0.0}});
  said.frame("hand", "forearm", {{0.4, 0.0, 0.0}});
  return said;
}
Description arm_with(Drive elbow) {
  Description said = arm();
  said.joints[1].options.drive = elbow;
  return said;
}
Description drone() {
  Description said("drone");
  said.body("hull", brick);
  said.body("camera", brick);
  said.joint("flight", JointKind::free, "ground", "hull");
  said.joint("gimbal", JointKind::spherical, "hull", "camera");
  return said;
}

// The message of what a call throws, which must be std::invalid_argument.
template <class Call> std::string thrown(const Call& call) {
  try {
    const auto answer = call();
    static_cast<void>(answer);
  } catch (const std::invalid_argument& error) { return error.what(); }
  return "nothing was thrown";
}
std::string thrown(const PublicQuestion& question, Interview& x) {
  return thrown([&] { return question.ask(x).message(); });
}
std::string told(const PublicQuestion& question, Interview& x) { return question.ask(x).message(); }

const PublicQuestion& question(std::string_view name) {
  for (const PublicQuestion& each : every_question())
    if (each.name == name) return each;
  throw std::logic_error("no such question");
}
bool takes_state(const PublicQuestion& each) {
  return each.takes == Takes::state || each.takes == Takes::inputs;
}

// Asks all questions that this change of the right input concerns, each with fresh input.
template <class Concerns, class Change, class Expected>
void expect_told(const Description& said, const Concerns& concerns, const Change& change,
                 const Expected& expected) {
  for (const PublicQuestion& each : every_question()) {
    if (!concerns(each)) continue;
    Interview x(said);
    change(x);
    EXPECT_EQ(told(each, x), each.name + std::string(": ") + expected) << each.name;
  }
}
template <class Concerns, class Change, class Expected>
void expect_thrown(const Description& said, const Concerns& concerns, const Change& change,
                   const Expected& expected) {
  for (const PublicQuestion& each : every_question()) {
    if (!concerns(each)) continue;
    Interview x(said);
    change(x);
    EXPECT_EQ(thrown(each, x), each.name + std::string(": ") + expected) << each.name;
  }
}
bool takes_inputs(const PublicQuestion& each) { return each.takes == Takes::inputs; }
bool takes_states(const PublicQuestion& each) { return each.takes == Takes::states; }

TEST(WrongInput, right_input_is_answered) {
  for (const Description& said : {arm(), drone()}) {
    Interview x(said);
    for (const PublicQuestion& each : every_question()) {
      if (std::string_view(each.name) == "operational_inertia") continue;  // the arm has no rank 6
      EXPECT_EQ(told(each, x), "") << each.name;
    }
  }
}

TEST(WrongInput, ground_alone_crashes_nothing) {
  Interview x(Description("nothing"));
  const std::set<std::string_view> without_mass = {"centroidal_momentum", "mass_centre",
                                                   "centroidal_momentum_matrix"};
  for (const PublicQuestion& each : every_question()) {
    if (without_mass.contains(each.name))
      EXPECT_EQ(told(each, x), each.name + std::string(": the model 'nothing' has no mass that can "
                                                       "move, so no centre of mass: give a body a "
                                                       "mass"));
    else if (std::string_view(each.name) == "operational_inertia")
      EXPECT_EQ(told(each, x),
                "operational_inertia: body 'ground' can move in only 0 of six ways here, so its "
                "inertia is infinite in the others: ask for operational_inertia_inverse");
    else
      EXPECT_EQ(told(each, x), "") << each.name;
  }
}

TEST(WrongInput, sizes_of_vectors) {
  expect_thrown(
      arm(), takes_state, [](Interview& x) { x.state.q.pop_back(); },
      "q has 1 entries, the model has nq = 2");
  expect_thrown(
      arm(), takes_state, [](Interview& x) { x.state.v.push_back(0); },
      "v has 3 entries, the model has nv = 2");
  expect_thrown(
      arm(), takes_inputs,
      [](Interview& x) {
        x.a_in = {1, 2, 3};
      },
      "a has 3 entries, the model has nv = 2");
  expect_thrown(
      arm(), takes_inputs, [](Interview& x) { x.tau_in = {1}; },
      "tau has 1 entries, the model has nv = 2");
  // what is written
  for (const char* name :
       {"inverse_dynamics", "bias", "gravity_load", "passive_forces", "hybrid_dynamics"}) {
    Interview x(arm());
    x.tau.resize(5);
    EXPECT_EQ(thrown(question(name), x),
              std::string(name) + ": tau has 5 entries, the model has nv = 2");
  }
  for (const char* name : {"forward_dynamics", "hybrid_dynamics"}) {
    Interview x(arm());
    x.a.clear();
    EXPECT_EQ(thrown(question(name), x),
              std::string(name) + ": a has 0 entries, the model has nv = 2");
  }
}

TEST(WrongInput, sizes_of_matrices) {
  const auto expect = [](const char* name, Eigen::MatrixXd Interview::*answer,
                         const char* expected) {
    Interview x(arm());
    (x.*answer).resize(1, 3);
    EXPECT_EQ(thrown(question(name), x), std::string(name) + ": " + expected);
  };
  expect("jacobian", &Interview::J, "J is 1 x 3, it must be 6 x 2");
  expect("mass_matrix", &Interview::M, "M is 1 x 3, it must be 2 x 2");
  expect("mass_matrix_inverse", &Interview::M, "M_inverse is 1 x 3, it must be 2 x 2");
  expect("mass_matrix_factors", &Interview::M, "L is 1 x 3, it must be 2 x 2");
  expect("mass_matrix_factors", &Interview::M2, "D is 1 x 3, it must be 2 x 2");
  expect("mass_matrix_inverse_factors", &Interview::M, "L_inverse is 1 x 3, it must be 2 x 2");
  expect("mass_matrix_inverse_factors", &Interview::M2, "D_inverse is 1 x 3, it must be 2 x 2");
  expect("operational_inertia_inverse", &Interview::six, "out is 1 x 3, it must be 6 x 6");
  expect("operational_inertia", &Interview::six, "out is 1 x 3, it must be 6 x 6");
  expect("centroidal_momentum_matrix", &Interview::J, "out is 1 x 3, it must be 6 x 2");
  expect("place_operator", &Interview::rows, "out is 1 x 3, it must be 6 x 12");
  expect("kinematics_batch", &Interview::poses, "poses is 1 x 3, it must be 36 x 5");
  expect("inverse_dynamics_batch", &Interview::in_batch, "a is 1 x 3, it must be 2 x 5");
  expect("inverse_dynamics_batch", &Interview::out_batch, "tau is 1 x 3, it must be 2 x 5");
  expect("forward_dynamics_batch", &Interview::in_batch, "tau is 1 x 3, it must be 2 x 5");
  expect("forward_dynamics_batch", &Interview::out_batch, "a is 1 x 3, it must be 2 x 5");
  expect("mass_matrix_batch", &Interview::M_batch, "M is 1 x 3, it must be 4 x 5");
  expect_thrown(
      arm(), takes_states, [](Interview& x) { x.q_batch.resize(1, 3); },
      "q is 1 x 3, it must be 2 x 3");
  expect_thrown(
      arm(), takes_states, [](Interview& x) { x.v_batch.resize(2, 3); },
      "v is 2 x 3, it must be 2 x 5");
}

TEST(WrongInput, columns_of_a_batch_with_gaps_between_them) {
  Interview x(arm());
  Eigen::MatrixXd wide = Eigen::MatrixXd::Zero(4, 5);
  const auto gaps = wide.topRows(2);
  EXPECT_EQ(
      thrown([&] {
        return mass_matrix_batch(x.model, {gaps, x.v_batch}, x.batch_workspace, x.M_batch).ok();
      }),
      "mass_matrix_batch: the columns of q must lie back to back");
  EXPECT_EQ(thrown([&] {
              return inverse_dynamics_batch(x.model, x.states(), x.in_batch, x.batch_workspace,
                                            wide.topRows(2))
                  .ok();
            }),
            "inverse_dynamics_batch: the columns of tau must lie back to back");
}

TEST(WrongInput, numbers_that_are_none) {
  expect_told(
      arm(), takes_state, [](Interview& x) { x.state.q[0] = nan; },
      "q[0], of joint 'shoulder', is nan: give it a finite number");
  expect_told(
      arm(), takes_state, [](Interview& x) { x.state.q[1] = infinity; },
      "q[1], of joint 'elbow', is inf: give it a finite number");
  expect_told(
      arm(), takes_state, [](Interview& x) { x.state.v[1] = -infinity; },
      "v[1], of joint 'elbow', is -inf: give it a finite number");
  expect_told(
      drone(), takes_state, [](Interview& x) { x.state.v[5] = nan; },
      "v[5], of joint 'flight[5]', is nan: give it a finite number");
  expect_told(
      arm(), takes_inputs,
      [](Interview& x) {
        x.a_in = {0, nan};
      },
      "a[1], of joint 'elbow', is nan: give it a finite number");
  expect_told(
      arm(), takes_inputs,
      [](Interview& x) {
        x.tau_in = {infinity, 0};
      },
      "tau[0], of joint 'shoulder', is inf: give it a finite number");
}

TEST(WrongInput, wrenches_and_grounds_that_are_no_numbers) {
  const char* const expected =
      "the wrench on body 'upper' is not finite: give its moment, its force and its place finite "
      "numbers";
  for (const int part : {0, 1, 2, 3})
    expect_told(
        arm(), takes_inputs,
        [&](Interview& x) {
          Wrench wrench{{BodyId(1)}, {}, Axes::body};
          if (part == 0) wrench.F.moment.x = nan;
          if (part == 1) wrench.F.force.z = infinity;
          if (part == 2) wrench.at.X_UA.p.y = nan;
          if (part == 3) wrench.at.X_UA.R.z.x = nan;
          x.wrenches = {wrench};
        },
        expected);
  for (const int part : {0, 1, 2, 3})
    expect_told(
        arm(), takes_inputs,
        [&](Interview& x) {
          if (part == 0) x.ground.velocity.angular.x = nan;
          if (part == 1) x.ground.velocity.linear.y = infinity;
          if (part == 2) x.ground.acceleration.angular.z = nan;
          if (part == 3) x.ground.acceleration.linear.x = -infinity;
        },
        "the motion of ground is not finite: give it finite numbers");
}

TEST(WrongInput, a_batch_names_the_state_that_is_wrong) {
  expect_told(
      arm(), takes_states, [](Interview& x) { x.q_batch(1, 3) = nan; },
      "in state 3 q[1], of joint 'elbow', is nan: give it a finite number");
  expect_told(
      arm(), takes_states, [](Interview& x) { x.v_batch(0, 4) = infinity; },
      "in state 4 v[0], of joint 'shoulder', is inf: give it a finite number");
  Interview x(arm());
  x.in_batch(1, 2) = nan;
  EXPECT_EQ(told(question("inverse_dynamics_batch"), x),
            "inverse_dynamics_batch: in state 2 a[1], of joint 'elbow', is nan: give it a finite "
            "number");
  EXPECT_EQ(told(question("forward_dynamics_batch"), x),
            "forward_dynamics_batch: in state 2 tau[1], of joint 'elbow', is nan: give it a finite "
            "number");
  expect_told(
      drone(), takes_states, [](Interview& y) { y.q_batch.col(1).head<4>() *= 0.5; },
      "in state 1 the quaternion of joint 'flight' has length 0.5: it must be 1, divide it by its "
      "length");
  expect_told(
      arm_with(Drive::locked), takes_states, [](Interview& y) { y.v_batch(1, 2) = 0.25; },
      "in state 2 joint 'elbow' is locked but moves with v[1] = 0.25: set it to 0, or give the "
      "joint another drive");
}

TEST(WrongInput, quaternions_that_are_far_from_unit) {
  expect_told(
      drone(), takes_state, [](Interview& x) { x.state.q[0] = 1.1; },
      "the quaternion of joint 'flight' has length 1.1: it must be 1, divide it by its length");
  expect_told(
      drone(), takes_state, [](Interview& x) { x.state.q[7] = 0; },
      "the quaternion of joint 'gimbal' has length 0: it must be 1, divide it by its length");
  // what rounding leaves is no mistake
  Interview x(drone());
  x.state.q[0] = 1 + 5e-9;
  EXPECT_EQ(told(question("forward_dynamics"), x), "");
  x.state.q[0] = 1 + 2e-8;
  EXPECT_EQ(told(question("forward_dynamics"), x),
            "forward_dynamics: the quaternion of joint 'flight' has length 1.00000002: it must be "
            "1, divide it by its length");
}

TEST(WrongInput, a_workspace_of_another_model) {
  const auto takes_workspace = [](const PublicQuestion& each) {
    return takes_state(each) || std::string_view(each.name) == "mass_matrix_inverse";
  };
  expect_thrown(
      arm(), takes_workspace, [](Interview& x) { x.workspace = Interview(drone()).workspace; },
      "the workspace was made for another model (nq = 11, nv = 9, this one has nq = 2, nv = 2)");
}

TEST(WrongInput, a_stage_of_another_model) {
  for (const char* name : {"kinematics", "jacobian"}) {
    Interview x(arm());
    x.kinematics_ = Interview(drone()).kinematics_;
    EXPECT_EQ(thrown(question(name), x),
              std::string(name) +
                  ": the kinematics was made for another model (2 moving bodies and nv = 9, this "
                  "one has 2 and 2)");
  }
  Interview x(arm());
  x.kinematics_ = Interview(drone()).kinematics_;
  const auto other = [](const char* name) {
    return std::string(name) +
           ": the kinematics was made for another model (2 moving bodies and nv = 9, this one has "
           "2 and 2)";
  };
  EXPECT_EQ(thrown([&] { return pose(x.model, x.kinematics_, x.place); }), other("pose"));
  EXPECT_EQ(thrown([&] { return velocity(x.model, x.kinematics_, x.place); }), other("velocity"));
  EXPECT_EQ(thrown([&] { return acceleration(x.model, x.kinematics_, x.place); }),
            other("acceleration"));
  for (const char* name :
       {"articulated_inertias", "mass_matrix_inverse", "mass_matrix_factors",
        "mass_matrix_inverse_factors", "operational_inertia_inverse", "operational_inertia"}) {
    Interview y(arm());
    y.factors = ArticulatedInertias(Interview(drone()).model);
    EXPECT_EQ(thrown(question(name), y),
              std::string(name) +
                  ": the stage of articulated inertias was made for another model (2 moving bodies "
                  "and nv = 9, this one has 2 and 2)");
  }
}

TEST(WrongInput, bodies_the_model_does_not_have) {
  expect_thrown(
      arm(), takes_inputs,
      [](Interview& x) {
        x.wrenches = {{{BodyId(7)}, {}, Axes::body}};
      },
      "a wrench is on body 7, the model has bodies 0 to 2");
  const std::set<std::string_view> at_a_place = {"jacobian", "jacobian_rate", "place_operator",
                                                 "operational_inertia_inverse",
                                                 "operational_inertia"};
  expect_thrown(
      arm(), [&](const PublicQuestion& each) { return at_a_place.contains(each.name); },
      [](Interview& x) { x.place = {BodyId(-1)}; },
      "the place is on body -1, the model has bodies 0 to 2");
  const Interview x(arm());
  const At nowhere{BodyId(3)};
  const std::string expected = ": the place is on body 3, the model has bodies 0 to 2";
  EXPECT_EQ(thrown([&] { return pose(x.model, x.kinematics_, nowhere); }), "pose" + expected);
  EXPECT_EQ(thrown([&] { return velocity(x.model, x.kinematics_, nowhere); }),
            "velocity" + expected);
  EXPECT_EQ(thrown([&] { return acceleration(x.model, x.kinematics_, nowhere); }),
            "acceleration" + expected);

  EXPECT_EQ(thrown([&] { return at(x.model, "forarm"); }),
            "at: the model has no body or frame 'forarm'; did you mean 'forearm'?");
  EXPECT_EQ(thrown([&] { return at(x.model, "hnad"); }),
            "at: the model has no body or frame 'hnad'; did you mean 'hand'?");
  EXPECT_EQ(thrown([&] { return at(x.model, "propeller"); }),
            "at: the model has no body or frame 'propeller'");
  EXPECT_EQ(at(x.model, "hand").X_UA.p.x, 0.4);
}

TEST(WrongInput, a_sealed_workspace_of_another_model) {
  const Model drone_ = build_model(drone()), arm_ = build_model(arm());
  DerivativeWorkspace slopes(drone_);
  BatchWorkspace batch(drone_);
  Workspace workspace(arm_);
  Derivatives out;
  const State state = neutral_state(arm_);
  const Eigen::MatrixXd q = Eigen::MatrixXd::Zero(2, 3), v = q;
  Eigen::MatrixXd answer = q;
  const auto message_of = [](const auto& ask) -> std::string {
    try {
      ask();
    } catch (const std::invalid_argument& mistake) { return mistake.what(); }
    return "";
  };
  EXPECT_EQ(message_of([&] {
              (void)inverse_dynamics_derivatives(arm_, state, {}, workspace, slopes, out).ok();
            }),
            "inverse_dynamics_derivatives: the derivative workspace was made for another model (nq "
            "= 11, nv = 9, this one has nq = 2, nv = 2)");
  EXPECT_EQ(message_of([&] {
              (void)forward_dynamics_batch(arm_, {q, v}, v, batch, answer).ok();
            }),
            "forward_dynamics_batch: the batch workspace was made for another model (nq = 11, nv = "
            "9, this one has nq = 2, nv = 2)");
}

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
              "which this question does not differentiate yet: give them another drive");
    EXPECT_EQ(told(question("forward_dynamics_batch"), x),
              "forward_dynamics_batch: the model has joints driven by motion or locked, which "
              "batches do not honour yet: ask state by state, or give them another drive");
  }
}

// Those that take loops, rods and couplings into account; the others refuse a model that has them.
bool honours_loops(std::string_view question) {
  static const std::set<std::string_view> names = {"inverse_dynamics", "hybrid_dynamics",
                                                   "positions",        "kinematics",
                                                   "jacobian",         "bias",
                                                   "jacobian_rate",    "gravity_load",
                                                   "mass_matrix",      "passive_forces",
                                                   "forward_dynamics", "energy",
                                                   "momentum",         "centroidal_momentum_matrix",
                                                   "mass_centre",      "centroidal_momentum",
                                                   "reactions",        "forward_dynamics_batch"};
  return names.contains(question);
}

TEST(WrongInput, derivatives_with_a_wrench_in_the_worlds_axes) {
  for (const char* name : {"inverse_dynamics_derivatives", "forward_dynamics_derivatives"}) {
    Interview x(arm());
    x.wrenches = {{{BodyId(2)}, {{}, {1, 0, 0}}, Axes::world}};
    EXPECT_EQ(told(question(name), x),
              std::string(name) +
                  ": the wrench on body 'forearm' is told in the world's axes: derivatives hold "
                  "wrenches in the body's axes, give it with Axes::body");
    x.wrenches[0].axes = Axes::body;
    EXPECT_EQ(told(question(name), x), "");
  }
}

Description arm_with(const std::function<void(Description&)>& add) {
  Description said = arm();
  add(said);
  return said;
}

// Wheels of other kinds.
TEST(WrongInput, every_question_names_what_no_room_answers_for_yet) {
  const auto wheel = [](const char* name, const char* body, WheelDescription::Kind kind) {
    return WheelDescription{.name = name, .body = body, .radius = 0.1, .kind = kind};
  };
  using enum WheelDescription::Kind;
  const std::pair<Description, const char*> cases[] = {
      {arm_with([&](Description& said) { said.wheels = {wheel("left", "upper", omni)}; }),
       "omni wheel 'left'"},
      {arm_with([&](Description& said) {
         said.wheels = {wheel("left", "upper", omni), wheel("right", "forearm", ball)};
       }),
       "omni wheel 'left', ball wheel 'right'"},
      {arm_with(
           [](Description& said) { said.kept.push_back({.name = "ground.motion", .text = ""}); }),
       "the motion of ground (leave [ground.motion] out and give it with each question)"},
  };
  for (const auto& [said, what] : cases)
    expect_told(
        said, [](const PublicQuestion&) { return true; }, [](Interview&) {},
        std::string("the model 'arm' has what this question cannot honour yet: ") + what);
}

// Springs between points, and in joints that close loops: those that forces do not matter to
// answer, others honour them (tests/laws/force_elements_test.cpp), the rest name them.
TEST(WrongInput, every_question_honours_springs_or_names_them) {
  const std::set<std::string_view> refuse = {"inverse_dynamics_derivatives",
                                             "forward_dynamics_derivatives",
                                             "inverse_dynamics_batch", "forward_dynamics_batch"};
  const Description strut = arm_with([](Description& said) {
    said.frame("eye", "ground", {.xyz = {0.1, 0.2, 0.3}});
    said.springs.push_back({.name = "strut",
                            .frame = "hand",
                            .other_frame = "eye",
                            .stiffness = 100.0,
                            .length = 0.1});
  });
  expect_told(
      strut, [&](const PublicQuestion& each) { return refuse.contains(each.name); },
      [](Interview&) {},
      "the model 'arm' has what this question cannot honour yet: spring 'strut'");
  Interview answered(strut);
  for (const PublicQuestion& each : every_question()) {
    // an arm of two joints is infinitely heavy in four ways
    if (refuse.contains(each.name) || std::string_view(each.name) == "operational_inertia")
      continue;
    EXPECT_EQ(told(each, answered), "") << each.name;
  }

  const Description latch = arm_with([](Description& said) {
    said.joint("latch", JointKind::compound, "ground", "forearm",
               {.motions = {turn({1.0, 0.0, 0.0}), turn({0.0, 1.0, 0.0}), turn({0.0, 0.0, 1.0}),
                            slide({1.0, 0.0, 0.0}), slide({0.0, 1.0, 0.0}), slide({0.0, 0.0, 1.0})},
                .damping = {1.0}});
  });
  expect_told(
      latch,
      [](const PublicQuestion& each) {
        return !honours_loops(each.name) && each.takes != Takes::states &&
               !std::string_view(each.name).ends_with("derivatives");
      },
      [](Interview&) {},
      "the model 'arm' has what this question cannot honour yet: loop joint 'latch'");
}

TEST(WrongInput, a_spring_whose_ends_meet) {
  const auto arm_with_spring = [](double length, double damping) {
    return arm_with([&](Description& said) {
      said.frame("eye", "upper", {});
      said.springs.push_back({.name = "strut",
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
        [&](const PublicQuestion& each) { return pushed.contains(each.name); }, [](Interview&) {},
        "the two ends of spring 'strut' meet, and the direction of its force is lost: move them "
        "apart");
  Interview soft(arm_with_spring(0, 0));  // a spring that wants to be a point has no direction
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
    EXPECT_EQ(std::string(mistake.what()),
              "forward_dynamics: loop_tau has 2 entries, what closes loops has 0 freedoms");
  }
}

// Loops, rods and couplings are honoured, or named.
TEST(WrongInput, every_question_honours_constraints_or_names_them) {
  const std::pair<Description, const char*> cases[] = {
      {arm_with([](Description& said) {
         said.joint("latch", JointKind::spherical, "ground", "forearm");
       }),
       "loop joint 'latch'"},
      {arm_with([](Description& said) {
         said.couplings.push_back({.name = "gears", .terms = {{"shoulder", 1.0}, {"elbow", 2.0}}});
       }),
       "coupling 'gears'"},
      {arm_with([](Description& said) {
         said.constraints.push_back({.name = "grip", .frame = "hand", .other_frame = "ground"});
       }),
       "constraint 'grip'"},
      {arm_with([](Description& said) {
         said.constraints.push_back({.name = "rod",
                                     .kind = ConstraintDescription::Kind::distance,
                                     .frame = "hand",
                                     .other_frame = "ground",
                                     .distance = 3.0});
       }),
       "constraint 'rod'"},
      {arm_with([](Description& said) {
         said.wheels.push_back({.name = "left", .body = "forearm", .radius = 0.1});
       }),
       "wheel 'left'"},
  };
  for (const auto& [said, what] : cases) {
    expect_told(
        said, [](const PublicQuestion& each) { return !honours_loops(each.name); },
        [](Interview&) {},
        std::string("the model 'arm' has what this question cannot honour yet: ") + what);
    for (const PublicQuestion& each : every_question()) {
      if (!honours_loops(each.name) || each.takes == Takes::stage) continue;
      Interview x(said);
      const std::string words = told(each, x);
      if (x.model.couplings().empty())  // the neutral state is open
        EXPECT_TRUE(words.starts_with(each.name + std::string(": ") +
                                      (each.takes == Takes::states ? "in state 0 " : "") + what +
                                      " is open by"))
            << words;
      else
        EXPECT_EQ(words, "") << each.name;
    }
  }
}

// The arm, with a needle at its end that turns about its own length.
Description arm_with_needle(const Solid& needle) {
  Description said = arm();
  said.body("needle", needle);
  said.joint("drill", JointKind::revolute, "forearm", "needle",
             {.at = {{0.4, 0.0, 0.0}}, .axis = {1.0, 0.0, 0.0}});
  return said;
}

TEST(WrongInput, a_freedom_without_inertia) {
  // nothing at all, a point on the joint's axis, and a rod along it
  for (const Solid& needle :
       {Solid{}, point_mass(1.0, {0.2, 0.0, 0.0}), thin_rod(1.0, 0.3, {0.15, 0.0, 0.0})}) {
    const std::string expected =
        "joint 'drill' has nothing to accelerate: its freedom meets no inertia in this position; "
        "give a body beyond it mass or inertia, or drive the joint by motion";
    const std::set<std::string_view> divide = {"forward_dynamics", "hybrid_dynamics",
                                               "articulated_inertias",
                                               "forward_dynamics_derivatives", "spatial_operators"};
    expect_told(
        arm_with_needle(needle),
        [&](const PublicQuestion& each) { return divide.contains(each.name); }, [](Interview&) {},
        expected);
    Interview x(arm_with_needle(needle));
    EXPECT_EQ(told(question("forward_dynamics_batch"), x),
              "forward_dynamics_batch: in state 0 " + expected);
    // who does not divide by it answers
    for (const char* name :
         {"kinematics", "inverse_dynamics", "bias", "gravity_load", "mass_matrix", "energy",
          "momentum", "mass_centre", "reactions", "inverse_dynamics_derivatives",
          "inverse_dynamics_batch", "mass_matrix_batch", "transmission_form"})
      EXPECT_EQ(told(question(name), x), "") << name;
    EXPECT_EQ(x.M(2, 2), 0);
  }
  // and driven by motion it needs none
  Description driven = arm_with_needle({});
  driven.joints[2].options.drive = Drive::motion;
  Interview x(driven);
  x.a_in = {0, 0, 3};
  EXPECT_EQ(told(question("hybrid_dynamics"), x), "");
  EXPECT_EQ(x.a[2], 3);
}

TEST(WrongInput, massless_links_between_masses_and_point_masses_are_fine) {
  Description said("gimbal");
  said.body("ring", Solid{});  // weighs nothing
  said.body("ball", point_mass(2.0, {0.0, 0.0, -0.5}));
  said.joint("outer", JointKind::revolute, "ground", "ring", {.axis = {1.0, 0.0, 0.0}});
  said.joint("inner", JointKind::revolute, "ring", "ball", {.axis = {0.0, 1.0, 0.0}});
  Interview x(said);
  x.state.q = {0.3, 0.2};
  for (const char* name :
       {"forward_dynamics", "articulated_inertias", "forward_dynamics_derivatives",
        "forward_dynamics_batch", "mass_matrix", "inverse_dynamics", "spatial_operators"})
    EXPECT_EQ(told(question(name), x), "") << name;
}

TEST(WrongInput, a_model_without_mass_has_no_centre_of_it) {
  Description said("skeleton");
  said.body("bone", Solid{});
  said.joint("hip", JointKind::revolute, "ground", "bone");
  const std::set<std::string_view> of_the_centre = {"mass_centre", "centroidal_momentum",
                                                    "centroidal_momentum_matrix"};
  expect_told(
      said, [&](const PublicQuestion& each) { return of_the_centre.contains(each.name); },
      [](Interview&) {},
      "the model 'skeleton' has no mass that can move, so no centre of mass: give a body a mass");
  Interview x(said);
  EXPECT_EQ(told(question("momentum"), x), "");
  EXPECT_EQ(told(question("energy"), x), "");
  EXPECT_EQ(x.energy_.total(), 0);
}

TEST(WrongInput, operational_inertia_of_an_arm_that_cannot_move_everywhere) {
  Interview x(arm());
  x.state.q = {0.3, 0.4};
  x.place = at(x.model, "hand");
  EXPECT_EQ(told(question("articulated_inertias"), x), "");
  EXPECT_EQ(told(question("operational_inertia"), x),
            "operational_inertia: body 'forearm' can move in only 2 of six ways here, so its "
            "inertia is infinite in the others: ask for operational_inertia_inverse");
  EXPECT_EQ(told(question("operational_inertia_inverse"), x), "");
  Interview free(drone());
  EXPECT_EQ(told(question("articulated_inertias"), free), "");
  EXPECT_EQ(told(question("operational_inertia"), free), "");
}

TEST(WrongInput, transmission_form_of_joints_whose_axes_move) {
  Description said = arm();
  said.joints[1].kind = JointKind::universal;
  said.joints[1].options.axis2 = {0.0, 0.0, 1.0};
  Interview x(said);
  EXPECT_EQ(told(question("transmission_form"), x),
            "transmission_form: the axes of joint 'elbow' (universal) change with its position, "
            "which this form has no place for: ask for spatial_operators");
}

}  // namespace
}  // namespace trammel
