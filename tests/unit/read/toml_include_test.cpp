// An included file has the meaning of its text written out in place.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "tests/unit/read/reading.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/model/state.hpp"

namespace trammel::toml_include_test {
namespace {

namespace fs = std::filesystem;

// Files for one test, removed afterwards.
class Folder {
 public:
  Folder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = fs::temp_directory_path() /
            ("trammel_" + std::string(test->name()) + std::to_string(std::random_device{}()));
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string write(const std::string& name, const std::string& lines) const {
    return write_text(name, "trammel = 1\n" + lines);
  }
  std::string write_text(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  fs::path path_;
};

std::string include(const std::string& name, const std::string& file) {
  return "[include." + name + "]\nfile = '" + file + "'\n";
}

// Coordinates of one model in the order of another.
std::vector<double> in_order_of(const Model& other, const Model& own, std::vector<double> values) {
  std::vector<double> sorted;
  for (int k = 0; k < other.nv(); ++k)
    for (int j = 0; j < own.nv(); ++j)
      if (own.dof_name(j) == other.dof_name(k)) sorted.push_back(values[std::size_t(j)]);
  return sorted;
}

TEST(TomlInclude, two_arms_on_a_table_move_as_if_written_by_hand) {
  const Model included = load_model(read_test_models + "two_arms.toml");
  const Model by_hand = load_model(read_test_models + "two_arms_by_hand.toml");
  ASSERT_EQ(included.nv(), 5);
  ASSERT_EQ(by_hand.nv(), 5);

  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-2, 2);
  Workspace one(included), other(by_hand);
  for (int trial = 0; trial < 20; ++trial) {
    State state = neutral_state(included), same = neutral_state(by_hand);
    std::vector<double> tau(5), a(5), a_by_hand(5);
    for (auto* list : {&state.q, &state.v, &tau})
      for (double& x : *list) x = number(random);
    same.q = in_order_of(by_hand, included, state.q);
    same.v = in_order_of(by_hand, included, state.v);
    const std::vector<double> same_tau = in_order_of(by_hand, included, tau);
    ASSERT_TRUE(forward_dynamics(included, state, {.tau = tau}, one, a));
    ASSERT_TRUE(forward_dynamics(by_hand, same, {.tau = same_tau}, other, a_by_hand));
    a = in_order_of(by_hand, included, a);
    // both compute the same few hundred operations with different rounding
    for (std::size_t k = 0; k < 5; ++k)
      EXPECT_NEAR(a[k], a_by_hand[k], 1e-11 * (1 + std::abs(a[k]))) << trial << " " << k;
  }
}

TEST(TomlInclude, parameters_starts_and_places_come_along) {
  Diagnostics diagnostics;
  const Description description =
      read_description(read_test_models + "two_arms.toml", {}, diagnostics);
  EXPECT_EQ(told(diagnostics), "");
  ASSERT_EQ(description.parameters.size(), 2u);  // left_reach is a formula of the width
  EXPECT_EQ(description.parameters[0].name, "width");
  EXPECT_EQ(description.parameters[1].name, "right_reach");
  EXPECT_EQ(description.graph.symbols(), (std::vector<std::string>{"width", "right_reach"}));

  const Values<double> value = evaluate_at_nominal(description);
  EXPECT_DOUBLE_EQ(value(named(description.bodies, "left_upper").solid.com.x), 0.15);
  EXPECT_DOUBLE_EQ(value(named(description.bodies, "right_upper").solid.com.x), 0.2);
  EXPECT_DOUBLE_EQ(value(description.frames.back().at.xyz.z), 0.2);  // right_half, used here
  EXPECT_TRUE(named(description.bodies, "left_upper").place.file.ends_with("arm.toml"));

  const State start = start_state(build_model(description));
  EXPECT_NEAR(start.q[1], -20 * std::numbers::pi / 180, 1e-15);
  EXPECT_NEAR(start.q[2], 30 * std::numbers::pi / 180, 1e-15);
}

TEST(TomlInclude, the_command_line_sets_what_is_included) {
  Diagnostics diagnostics;
  const Description description = read_description(
      read_test_models + "two_arms.toml",
      {.set = {{"left_reach", 0.7}, {"right_half", 0.1}, {"width", 2}}}, diagnostics);
  EXPECT_EQ(told(diagnostics), "");
  const Values<double> value = evaluate_at_nominal(description);
  EXPECT_DOUBLE_EQ(value(named(description.joints, "left_elbow").options.at.xyz.x), 0.7);
  EXPECT_DOUBLE_EQ(value(named(description.bodies, "right_upper").solid.com.x), 0.1);
  EXPECT_DOUBLE_EQ(value(named(description.joints, "right_elbow").options.at.xyz.x), 0.4);
  EXPECT_DOUBLE_EQ(value(named(description.joints, "left_ground").options.at.xyz.x), 1);
}

TEST(TomlInclude, a_part_hangs_where_it_is_put) {
  const Folder folder;
  folder.write("hand.toml",
               "[body.palm]\nmass = 1\n[body.finger]\nmass = 1\n"
               "[joint.f]\ntype = 'revolute'\nparent = 'palm'\nchild = 'finger'\n");
  const auto load = [&](const std::string& lines) {
    return load_model(folder.write("model.toml", include("hand", "hand.toml") + lines));
  };
  EXPECT_EQ(load("base = 'free'\n").nv(), 7);
  EXPECT_EQ(load("at = { xyz = [1, 0, 0] }\n").nv(), 1);
  EXPECT_EQ(
      load("[joint.wrist]\ntype = 'prismatic'\nparent = 'ground'\nchild = 'hand_palm'\n").nv(), 2);
}

TEST(TomlInclude, a_urdf_stands_fixed_or_free) {
  const Folder folder;
  const std::string inertial =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
      "</inertial>";
  folder.write_text("arm.urdf", "<robot name='arm'><link name='base'>" + inertial +
                                    "</link><link name='tip'>" + inertial +
                                    "</link><joint name='elbow' type='continuous'>"
                                    "<parent link='base'/><child link='tip'/><axis xyz='0 0 1'/>"
                                    "</joint></robot>");
  const std::string both = include("left", "arm.urdf") + "at = { xyz = [1, 0, 0] }\n" +
                           include("right", "arm.urdf") + "base = 'free'\n";
  const Model model = load_model(folder.write("model.toml", both));
  EXPECT_EQ(model.nv(), 1 + 7);
  EXPECT_TRUE(model.find_joint("left_elbow").has_value());
  EXPECT_TRUE(model.find_body("right_tip").has_value());
}

TEST(TomlInclude, includes_may_be_nested_and_meshes_are_found_from_the_top) {
  const Folder folder;
  fs::create_directories(fs::path(folder.write("x", "")).parent_path() / "parts/inner");
  folder.write("parts/inner/nut.toml",
               "[body.nut]\nmass = 1\nshape = { mesh = 'nut.stl' }\n[joint.n]\ntype = 'free'\n"
               "parent = 'ground'\nchild = 'nut'\n");
  folder.write("parts/bolt.toml", include("a", "inner/nut.toml") + include("b", "inner/nut.toml"));
  Diagnostics diagnostics;
  const Description description = read_description(
      folder.write("model.toml", include("x", "parts/bolt.toml")), {}, diagnostics);
  EXPECT_EQ(told(diagnostics), "");
  EXPECT_EQ(named(description.bodies, "x_b_nut").shapes[0].mesh, "parts/inner/nut.stl");
  EXPECT_EQ(build_model(description).nv(), 12);
}

TEST(TomlInclude, many_files_are_refused_before_they_are_read) {
  // each file includes the next one twice: 2^12 in all
  const Folder folder;
  for (int k = 0; k < 12; ++k) {
    const std::string next = "f" + std::to_string(k + 1) + ".toml";
    folder.write("f" + std::to_string(k) + ".toml", include("a", next) + include("b", next));
  }
  folder.write("f12.toml", "");
  Diagnostics diagnostics;
  (void)read_description(folder.write("model.toml", include("x", "f0.toml")), {}, diagnostics);
  EXPECT_NE(told(diagnostics).find("the files include more than 1000 others"), std::string::npos);
  EXPECT_EQ(diagnostics.list().size(), 1u);
}

TEST(TomlInclude, files_that_go_too_deep_are_refused) {
  const Folder folder;
  for (int k = 0; k < 20; ++k)
    folder.write("f" + std::to_string(k) + ".toml",
                 include("a", "f" + std::to_string(k + 1) + ".toml"));
  Diagnostics diagnostics;
  (void)read_description(folder.write("model.toml", include("x", "f0.toml")), {}, diagnostics);
  EXPECT_NE(told(diagnostics).find("the files include each other more than 16 deep"),
            std::string::npos);
}

TEST(TomlInclude, files_that_are_too_much_together_are_refused) {
  const Folder folder;
  folder.write("large.toml", "#" + std::string(std::size_t(40) << 20, '.') + "\n");
  Diagnostics diagnostics;
  (void)read_description(
      folder.write("model.toml", include("x", "large.toml") + include("y", "large.toml")), {},
      diagnostics);
  EXPECT_NE(told(diagnostics).find("include 'y': the included files have more than the 64 MB"),
            std::string::npos)
      << told(diagnostics);
}

}  // namespace
}  // namespace trammel::toml_include_test
