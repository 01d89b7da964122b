// Exact messages for invalid calls: wrong sizes and names throw, numbers that cannot work return a
// failed Status.
#include "tests/unit/dynamics/wrong_input.hpp"

namespace trammel::wrong_input_test {
namespace {

using namespace wrong_input;

TEST(WrongInput, right_input_is_answered) {
  for (const Description& description : {arm(), drone()}) {
    Interview x(description);
    for (const PublicFunction& each : every_function()) {
      if (std::string_view(each.name) == "operational_space_inertia")
        continue;  // the arm has no rank 6
      EXPECT_EQ(told(each, x), "") << each.name;
    }
  }
}

TEST(WrongInput, ground_alone_crashes_nothing) {
  Interview x(Description("nothing"));
  const std::set<std::string_view> without_mass = {"centroidal_momentum", "center_of_mass",
                                                   "centroidal_momentum_matrix"};
  for (const PublicFunction& each : every_function()) {
    if (without_mass.contains(each.name))
      EXPECT_EQ(told(each, x), each.name + std::string(": the model 'nothing' has no mass that can "
                                                       "move, so no center of mass: give a body a "
                                                       "mass"));
    else if (std::string_view(each.name) == "operational_space_inertia")
      EXPECT_EQ(
          told(each, x),
          "operational_space_inertia: body 'ground' can move in only 0 of six ways here, so its "
          "inertia is infinite in the others: ask for operational_space_inertia_inverse");
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
  // outputs
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
  expect("operational_space_inertia_inverse", &Interview::six, "out is 1 x 3, it must be 6 x 6");
  expect("operational_space_inertia", &Interview::six, "out is 1 x 3, it must be 6 x 6");
  expect("centroidal_momentum_matrix", &Interview::J, "out is 1 x 3, it must be 6 x 2");
  expect("place_operator", &Interview::rows, "out is 1 x 3, it must be 6 x 12");
  expect("kinematics_batch", &Interview::poses, "poses is 1 x 3, it must be 36 x 5");
  expect("inverse_dynamics_batch", &Interview::in_batch, "a is 1 x 3, it must be 2 x 5");
  expect("inverse_dynamics_batch", &Interview::out_batch, "tau is 1 x 3, it must be 2 x 5");
  expect("forward_dynamics_batch", &Interview::in_batch, "tau is 1 x 3, it must be 2 x 5");
  expect("forward_dynamics_batch", &Interview::out_batch, "a is 1 x 3, it must be 2 x 5");
  expect("mass_matrix_batch", &Interview::M_batch, "M is 1 x 3, it must be 4 x 5");
  expect("reactions_batch", &Interview::in_batch, "a is 1 x 3, it must be 2 x 5");
  expect("reactions_batch", &Interview::forces_batch, "forces is 1 x 3, it must be 12 x 5");
  expect_thrown(
      arm(), takes_states, [](Interview& x) { x.q_batch.resize(1, 3); },
      "q is 1 x 3, it must be 2 x 3");
  expect_thrown(
      arm(), takes_states, [](Interview& x) { x.v_batch.resize(2, 3); },
      "v is 2 x 3, it must be 2 x 5");
}

TEST(WrongInput, columns_of_a_batch_that_are_not_contiguous) {
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
      "v[5], of joint 'flight.vz', is nan: give it a finite number");
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
  // rounding is accepted
  Interview x(drone());
  x.state.q[0] = 1 + 5e-9;
  EXPECT_EQ(told(question("forward_dynamics"), x), "");
  x.state.q[0] = 1 + 2e-8;
  EXPECT_EQ(told(question("forward_dynamics"), x),
            "forward_dynamics: the quaternion of joint 'flight' has length 1.00000002: it must be "
            "1, divide it by its length");
}

TEST(WrongInput, a_workspace_of_another_model) {
  const auto takes_workspace = [](const PublicFunction& each) {
    return takes_state(each) || std::string_view(each.name) == "mass_matrix_inverse";
  };
  expect_thrown(
      arm(), takes_workspace, [](Interview& x) { x.workspace = Interview(drone()).workspace; },
      "the workspace was made for another model (nq = 11, nv = 9, this one has nq = 2, nv = 2)");
}

// Two trees with equal numbers of bodies and degrees of freedom: cached data of a workspace for one
// is not valid for the other.
TEST(WrongInput, a_workspace_of_another_tree) {
  const auto tree = [](const char* parent_of_last) {
    Description description("tree");
    for (const char* name : {"a", "b", "c"})
      description.body(name, thin_rod(1.0, 1.0, {0.5, 0.0, 0.0}));
    description.joint("j1", JointKind::revolute, "ground", "a", {});
    description.joint("j2", JointKind::revolute, "a", "b", {});
    description.joint("j3", JointKind::revolute, parent_of_last, "c", {});
    return build_model(description);
  };
  const Model chain = tree("b"), fork = tree("a");
  Workspace workspace(chain);
  Eigen::MatrixXd M(3, 3);
  EXPECT_TRUE(mass_matrix(chain, neutral_state(chain), workspace, M).ok());
  try {
    (void)mass_matrix(fork, neutral_state(fork), workspace, M).ok();
    FAIL() << "taken";
  } catch (const std::invalid_argument& mistake) {
    EXPECT_STREQ(
        mistake.what(),
        "mass_matrix: the workspace was made for another model, whose bodies hang together "
        "otherwise");
  }
  Workspace other(tree("b").with_gravity({0.0, 0.0, 1.0}));  // the same tree: accepted
  EXPECT_TRUE(mass_matrix(chain, neutral_state(chain), other, M).ok());
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
  for (const char* name : {"articulated_inertias", "mass_matrix_inverse", "mass_matrix_factors",
                           "mass_matrix_inverse_factors", "operational_space_inertia_inverse",
                           "operational_space_inertia"}) {
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
                                                 "operational_space_inertia_inverse",
                                                 "operational_space_inertia"};
  expect_thrown(
      arm(), [&](const PublicFunction& each) { return at_a_place.contains(each.name); },
      [](Interview& x) { x.place = {BodyId(-1)}; },
      "the place is on body -1, the model has bodies 0 to 2");
  const Interview x(arm());
  const FrameRef nowhere{BodyId(3)};
  const std::string expected = ": the place is on body 3, the model has bodies 0 to 2";
  EXPECT_EQ(thrown([&] { return pose(x.model, x.kinematics_, nowhere); }), "pose" + expected);
  EXPECT_EQ(thrown([&] { return velocity(x.model, x.kinematics_, nowhere); }),
            "velocity" + expected);
  EXPECT_EQ(thrown([&] { return acceleration(x.model, x.kinematics_, nowhere); }),
            "acceleration" + expected);

  EXPECT_EQ(thrown([&] { return frame_ref(x.model, "forarm"); }),
            "at: the model has no body or frame 'forarm'; did you mean 'forearm'?");
  EXPECT_EQ(thrown([&] { return frame_ref(x.model, "hnad"); }),
            "at: the model has no body or frame 'hnad'; did you mean 'hand'?");
  EXPECT_EQ(thrown([&] { return frame_ref(x.model, "propeller"); }),
            "at: the model has no body or frame 'propeller'");
  EXPECT_EQ(frame_ref(x.model, "hand").X_UA.p.x, 0.4);
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

}  // namespace
}  // namespace trammel::wrong_input_test
