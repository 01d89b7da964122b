#include "trammel/model/build/parameters.hpp"

#include <numbers>

#include <gtest/gtest.h>

#include "tests/unit/model/poses.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/frames.hpp"
#include "trammel/model/description/solids.hpp"
#include "trammel/scalar/dual.hpp"
#include "trammel/scalar/pack.hpp"

namespace trammel::parameters_test {
namespace {

const Solid brick = box(1.0, {0.1, 0.2, 0.3});
constexpr double quarter = std::numbers::pi / 2;

// All parameters in one list.
template <Scalar P> std::vector<P> in_a_row(const ModelParameters<P>& numbers) {
  std::vector<P> row;
  const auto add_vector = [&](const Vec3<P>& a) { row.insert(row.end(), {a.x, a.y, a.z}); };
  const auto add_pose = [&](const Pose<P>& X) {
    for (const auto& a : {X.R.x, X.R.y, X.R.z, X.p}) add_vector(a);
  };
  const auto add_inertia = [&](const Inertia<P>& I) {
    row.push_back(I.mass);
    add_vector(I.first_moment);
    const SymMat3<P>& J = I.rotational;
    row.insert(row.end(), {J.xx, J.xy, J.xz, J.yy, J.yz, J.zz});
  };
  for (const auto& body : numbers.bodies) add_pose(body.X_PF), add_inertia(body.inertia);
  row.insert(row.end(), numbers.constants.begin(), numbers.constants.end());
  for (const auto& spring : numbers.passive)
    row.insert(row.end(), {spring.stiffness, spring.rest, spring.damping});
  for (const auto& inertia : numbers.own_inertia) add_inertia(inertia);
  for (const auto& X : numbers.X_BU) add_pose(X);
  for (const auto& X : numbers.X_UF) add_pose(X);
  add_vector(numbers.gravity);
  return row;
}

// A symbol in every kind of place.
Description symbolic() {
  Description description("lettered");
  const Expr l = description.parameter("l", 0.8), m = description.parameter("m", 1.5),
             t = description.parameter("t", 0.3), g = description.parameter("g", 9.81);
  description.gravity = {0, 0, -g};
  description.body("arm", thin_rod(m, l, {l / 2, 0, 0}));
  description.body("hand", box(2 * m, {l, 0.2, 0.1}, {0, l / 3, 0}));
  description.body("nail", point_mass(m / 10, {l / 7, 0, t}));
  description.body("bolt", sphere(m, l / 10));
  description.body("leg", solid_cylinder(m, 0.1, l));
  description.joint("hinge", JointKind::revolute, "ground", "arm",
                    {.at = {.xyz = {0, 0, l}, .rpy = {0, t, quarter}},
                     .axis = {t, 0, 1.0},
                     .stiffness = {5 * l},
                     .rest = {t},
                     .damping = {0.1}});
  description.joint("cross", JointKind::universal, "hand", "arm",
                    {.at = {.rpy = {t, -t, 2 * t}},
                     .child_at = {.xyz = {l, 0, 0}},
                     .axis = {0, 1.0, t},
                     .axis2 = {1.0, 0, 0}});
  description.joint("glue", JointKind::fixed, "hand", "nail",
                    {.at = {.xyz = {l, l, 0}}, .child_at = {.rpy = {0, 0, t}}});
  description.joint("thread", JointKind::screw, "bolt", "nail",
                    {.axis = {0, -1.0, 0}, .pitch = l / 100, .damping = {t}});
  description.joint("hip", JointKind::compound, "hand", "leg",
                    {.motions = {turn({0, 1.0, 0}), turn({t, 1.0, 0}), slide({0, -1.0, 0})},
                     .damping = {0.0, 0.2, 0.0}});
  description.frame("tip", "nail", {.xyz = {l, 0, t}, .rpy = {0, t, 0}});
  return description;
}
const std::vector<double> symbolic_nominal{0.8, 1.5, 0.3, 9.81};

// frames

TEST(ModelParameters, an_axis_along_a_coordinate_axis_turns_the_frame_by_a_signed_permutation) {
  for (const Vec3<double>& axis :
       {Vec3<double>{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}) {
    Description description;
    description.body("arm", brick);
    description.joint("hinge", JointKind::revolute, "ground", "arm", {.axis = axis});
    const Mat3<double> R = build_model(description).numbers().bodies[1].X_PF.R;
    EXPECT_EQ(distance(R.z, axis), 0);
    for (const Vec3<double>& column : {R.x, R.y, R.z}) {
      // exactly one entry is 1 or -1, the others are 0
      EXPECT_EQ(std::abs(column.x) + std::abs(column.y) + std::abs(column.z), 1);
      EXPECT_EQ(dot(column, column), 1);
    }
    EXPECT_EQ(distance(cross(R.x, R.y), R.z), 0);
  }
}

TEST(ModelParameters, an_axis_along_z_leaves_the_frame_as_it_is) {
  Description description;
  description.body("arm", brick);
  description.joint("hinge", JointKind::cylindrical, "ground", "arm",
                    {.at = {.xyz = {1.0, 2.0, 3.0}}});
  const ModelParameters<double> numbers = build_model(description).numbers();
  const Pose<double> expected{Mat3<double>::identity(), {1, 2, 3}};
  EXPECT_EQ(distance(numbers.bodies[1].X_PF, expected), 0);
  EXPECT_EQ(distance(numbers.X_BU[1], Pose<double>::identity()), 0);
}

TEST(ModelParameters, an_oblique_axis_gives_a_rotation_with_it_as_z) {
  Description description;
  description.body("arm", brick);
  description.joint("hinge", JointKind::prismatic, "ground", "arm", {.axis = {2.0, -1.0, 2.0}});
  const Mat3<double> R = build_model(description).numbers().bodies[1].X_PF.R;
  EXPECT_LT(distance(R.z, {2.0 / 3, -1.0 / 3, 2.0 / 3}), 1e-16);
  EXPECT_LT(distance(cross(R.x, R.y), R.z), 1e-15);
  EXPECT_NEAR(norm(R.x), 1, 1e-15);
}

TEST(ModelParameters, a_universal_joint_has_its_first_axis_as_z_and_its_second_as_x) {
  Description description;
  description.body("arm", brick);
  description.joint("cross", JointKind::universal, "ground", "arm",
                    {.axis = {0, 1.0, 0}, .axis2 = {0, 0, -1.0}});
  const Mat3<double> R = build_model(description).numbers().bodies[1].X_PF.R;
  EXPECT_EQ(distance(R.z, {0, 1, 0}), 0);
  EXPECT_EQ(distance(R.x, {0, 0, -1}), 0);
}

TEST(ModelParameters, right_angles_are_exact) {
  for (int k = -9; k <= 9; ++k) {
    const auto [s, c] = clean_sin_cos(k * 90.0 * std::numbers::pi / 180);
    EXPECT_EQ(s, double(std::array{0, 1, 0, -1}[std::size_t(k & 3)]));
    EXPECT_EQ(c, double(std::array{1, 0, -1, 0}[std::size_t(k & 3)]));
  }
  // other angles are unchanged
  EXPECT_EQ(clean_sin_cos(1e-20).sin, 1e-20);
  EXPECT_NE(clean_sin_cos(quarter + 1e-12).cos, 0);
  EXPECT_TRUE(std::isnan(clean_sin_cos(INFINITY).sin));
}

TEST(ModelParameters, right_angles_are_exact_in_symbols_too) {
  Description description;
  const Expr l = description.parameter("l", 1.0);
  description.body("arm", brick);
  description.joint("hinge", JointKind::revolute, "ground", "arm",
                    {.at = {.xyz = {l, 0, 0}, .rpy = {quarter, -quarter, 2 * quarter}}});
  const ModelParameters<Expr> numbers =
      make_numbers<Expr>(build_model(description), std::vector<Expr>{l});
  const Mat3<Expr>& R = numbers.bodies[1].X_PF.R;
  for (const Vec3<Expr>& column : {R.x, R.y, R.z}) {
    ASSERT_TRUE(is_constant(column));
    EXPECT_EQ(std::abs(column.x.constant()) + std::abs(column.y.constant()) +
                  std::abs(column.z.constant()),
              1);
  }
  EXPECT_TRUE(is_same(numbers.bodies[1].X_PF.p.x, l));
}

// bodies

TEST(ModelParameters, what_is_fixed_to_a_body_adds_to_its_inertia) {
  Description description;
  description.body("arm", point_mass(1.0));
  description.body("hand", point_mass(2.0, {1.0, 0, 0}));
  description.joint("hinge", JointKind::revolute, "ground", "arm");
  description.joint("flange", JointKind::fixed, "arm", "hand",
                    {.at = {.xyz = {0, 0, 1.0}, .rpy = {0, 0, quarter}}});
  const ModelParameters<double> numbers = build_model(description).numbers();

  // the 2 kg of the hand are at (0, 1, 1) of the arm: by hand, sum of m (r^2 1 - r r^T)
  const Inertia<double>& I = numbers.bodies[1].inertia;
  EXPECT_EQ(I.mass, 3);
  EXPECT_EQ(distance(I.first_moment, {0, 2, 2}), 0);
  EXPECT_EQ(I.rotational.xx, 4);
  EXPECT_EQ(I.rotational.yy, 2);
  EXPECT_EQ(I.rotational.zz, 2);
  EXPECT_EQ(I.rotational.xy, 0);
  EXPECT_EQ(I.rotational.xz, 0);
  EXPECT_EQ(I.rotational.yz, -2);
  // alone, in its own frame, it is as described
  EXPECT_EQ(numbers.own_inertia[2].mass, 2);
  EXPECT_EQ(distance(numbers.own_inertia[2].first_moment, {2, 0, 0}), 0);
}

TEST(ModelParameters, a_fixed_joint_with_parent_and_child_swapped_places_the_same) {
  const Placement at{.xyz = {0.1, 0.2, 0.3}, .rpy = {0.4, 0.5, 0.6}};
  const Placement child_at{.xyz = {0.3, 0.2, 0.1}, .rpy = {-0.4, 0.5, -0.6}};
  Description near, far;
  for (Description* description : {&near, &far}) {
    description->body("arm", brick);
    description->body("hand", brick);
    description->joint("hinge", JointKind::revolute, "ground", "arm");
  }
  near.joint("flange", JointKind::fixed, "arm", "hand", {.at = at, .child_at = child_at});
  far.joint("flange", JointKind::fixed, "hand", "arm", {.at = child_at, .child_at = at});
  EXPECT_LT(distance(build_model(near).numbers().X_BU[2], build_model(far).numbers().X_BU[2]),
            1e-15);
}

// constants and springs

TEST(ModelParameters, a_compound_joint_knows_steps_about_coordinate_axes_and_keeps_the_others) {
  Description description;
  description.body("arm", brick);
  description.joint("hip", JointKind::compound, "ground", "arm",
                    {.motions = {turn({0, 1.0, 0}), turn({-1.0, 0, 0}), slide({0, 0, 1.0}),
                                 slide({0, 0.6, 0.8})}});
  const Model model = build_model(description);
  const Compound& hip = std::get<Compound>(model.bodies()[1].joint);
  using Step = Compound::Step;
  EXPECT_EQ(hip.count, 4);
  EXPECT_EQ(hip.step[0], Step::turn_y);
  EXPECT_EQ(hip.step[1], Step::turn_oblique);
  EXPECT_EQ(hip.step[2], Step::slide_z);
  EXPECT_EQ(hip.step[3], Step::slide_oblique);
  EXPECT_EQ(model.numbers().constants, (std::vector<double>{-1, 0, 0, 0, 0.6, 0.8}));
}

TEST(ModelParameters, springs_and_dampers_are_listed_by_dof) {
  Description description;
  description.body("arm", brick);
  description.body("hand", brick);
  description.joint("flight", JointKind::free, "ground", "arm", {.damping = {0.5}});
  description.joint("slide", JointKind::planar, "arm", "hand",
                    {.stiffness = {1.0, 0.0, 3.0}, .rest = {0.1}, .damping = {}});
  const Model model = build_model(description);
  EXPECT_TRUE(model.has_passive_forces());
  const auto& passive = model.numbers().passive;
  ASSERT_EQ(passive.size(), 8u);
  EXPECT_EQ(passive[5].v, 5);
  EXPECT_EQ(passive[5].damping, 0.5);
  EXPECT_EQ(passive[5].stiffness, 0);
  EXPECT_EQ(passive[7].q, 9);
  EXPECT_EQ(passive[7].v, 8);
  EXPECT_EQ(passive[7].stiffness, 3);
  EXPECT_EQ(passive[7].rest, 0.1);
  EXPECT_EQ(passive[7].damping, 0);
}

// every scalar type

TEST(ModelParameters, symbols_at_their_nominal_values_are_the_model_s_own_numbers) {
  Description description = symbolic();
  const Model model = build_model(description);
  std::vector<Expr> symbols;
  for (const char* name : {"l", "m", "t", "g"}) symbols.push_back(description.graph.symbol(name));
  const std::vector<Expr> found = in_a_row(make_numbers<Expr>(model, symbols));
  const std::vector<double> expected = in_a_row(model.numbers());
  const Values<double> values(description.graph, symbolic_nominal);
  ASSERT_EQ(found.size(), expected.size());
  // the same sums in the same order, except for folding: a few units in the last place
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(values(found[k]), expected[k], 1e-14) << k;
}

TEST(ModelParameters, other_symbols_in_the_graph_do_not_disturb) {
  Description description = symbolic();
  const Model model = build_model(description);
  description.graph.symbol("q1");
  EXPECT_EQ(in_a_row(make_numbers<double>(model, symbolic_nominal)), in_a_row(model.numbers()));
}

TEST(ModelParameters, duals_carry_the_derivative_by_a_parameter) {
  const Model model = build_model(symbolic());
  using Number = Dual<native_lanes>;
  const double h = 1e-6;
  for (std::size_t symbol = 0; symbol < symbolic_nominal.size(); ++symbol) {
    std::vector<Number> duals(symbolic_nominal.begin(), symbolic_nominal.end());
    duals[symbol] = Number::variable(symbolic_nominal[symbol], 0);
    std::vector<double> ahead = symbolic_nominal, behind = symbolic_nominal;
    ahead[symbol] += h;
    behind[symbol] -= h;
    const auto slopes = in_a_row(make_numbers<Number>(model, duals));
    const auto high = in_a_row(make_numbers<double>(model, ahead));
    const auto low = in_a_row(make_numbers<double>(model, behind));
    // central differences: h^2 of curvature and 1e-16 / h of rounding
    for (std::size_t k = 0; k < slopes.size(); ++k)
      EXPECT_NEAR(slopes[k].derivative[0], (high[k] - low[k]) / (2 * h), 1e-8)
          << symbol << " " << k;
  }
}

TEST(ModelParameters, every_lane_of_a_pack_has_its_own_parameters) {
  const Model model = build_model(symbolic());
  using Number = Pack<native_lanes>;
  std::vector<Number> packs(symbolic_nominal.begin(), symbolic_nominal.end());
  packs[1] = Number(Number::Simd([](int lane) { return 1.5 + 0.1 * lane; }));
  packs[2] = Number(Number::Simd([](int lane) { return 0.3 - 0.1 * lane; }));
  const auto lanes = in_a_row(make_numbers<Number>(model, packs));
  for (int lane = 0; lane < native_lanes; ++lane) {
    const std::vector<double> values{0.8, 1.5 + 0.1 * lane, 0.3 - 0.1 * lane, 9.81};
    const auto expected = in_a_row(make_numbers<double>(model, values));
    for (std::size_t k = 0; k < expected.size(); ++k)
      EXPECT_NEAR(lanes[k][lane], expected[k], 1e-14) << k;
  }
}

TEST(ModelParameters, floats_are_rounded_from_doubles) {
  const Model model = build_model(symbolic());
  const std::vector<float> values{0.75f, 1.5f, 0.25f, 9.75f};  // exact in both
  const auto floats = in_a_row(make_numbers<float>(model, values));
  const auto doubles =
      in_a_row(make_numbers<double>(model, std::vector<double>(values.begin(), values.end())));
  ASSERT_EQ(floats.size(), doubles.size());
  for (std::size_t k = 0; k < floats.size(); ++k) EXPECT_EQ(floats[k], float(doubles[k]));
}

TEST(ModelParameters, the_count_of_values_is_checked) {
  const Model model = build_model(symbolic());
  try {
    (void)make_numbers<double>(model, std::vector<double>{1, 2});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "make_numbers: 2 values were given, the model has 4 parameters");
  }
}

}  // namespace
}  // namespace trammel::parameters_test
