#include "trammel/read/gallery.hpp"
#include "trammel/constraint/assembly/assembly.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>
#include <string>

#include "tests/support/test_folder.hpp"
#include "tests/unit/model/poses.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/dynamics/momentum.hpp"
#include "trammel/read/table/table.hpp"
#include "trammel/write/model/toml.hpp"

namespace trammel::gallery_test {
namespace {

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const GalleryModel& model : gallery()) out.emplace_back(model.name);
  return out;
}

// Names of examples of publications, as g_ex5_triple, mx_6, e_12a, f13.
bool is_coded(const std::string& name) {
  static const std::regex code("(g_ex|r_ex|s_t|me_|mx_|e_|y_|f)[0-9]+[a-z]?(_[a-z]+)?");
  return std::regex_match(name, code);
}

State start_of(const Model& model) {
  Workspace workspace(model);
  State state;
  const Status status = assembled_start(model, workspace, state);
  EXPECT_TRUE(status.ok()) << status.message();
  return state;
}

class EveryGalleryModel : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(models, EveryGalleryModel, testing::ValuesIn(names()),
                         [](const auto& model) { return model.param; });

TEST_P(EveryGalleryModel, loads_without_error_or_warning) {
  const Model model = load_model("@" + GetParam());
  for (const Diagnostic& warning : model.warnings()) ADD_FAILURE() << to_string(warning);
  EXPECT_GT(model.nv(), 0);
}

TEST_P(EveryGalleryModel, has_a_plain_name_if_its_name_is_a_code) {
  const GalleryModel& model = *find_in_gallery(GetParam());
  EXPECT_EQ(is_coded(GetParam()), !model.plain_name.empty()) << model.plain_name;
  if (model.plain_name.empty()) return;
  const std::string plain(model.plain_name);
  EXPECT_FALSE(is_coded(plain)) << plain;
  EXPECT_EQ(find_in_gallery(plain), &model) << plain;
  EXPECT_EQ(write_toml(load_model("@" + plain).description()),
            write_toml(load_model("@" + GetParam()).description()));
}

TEST_P(EveryGalleryModel, has_topics_and_is_found_by_all_its_names) {
  const GalleryModel& model = *find_in_gallery(GetParam());
  const auto known = gallery_topics();
  EXPECT_FALSE(model.topic_list().empty());
  for (const std::string_view topic : model.topic_list())
    EXPECT_NE(std::ranges::find(known, topic), known.end()) << topic;
  EXPECT_EQ(find_in_gallery(model.everyday_name()), &model);
  EXPECT_FALSE(is_coded(std::string(model.everyday_name())));
  for (const std::string_view other : model.other_name_list())
    EXPECT_EQ(find_in_gallery(other), &model) << other;
}

TEST_P(EveryGalleryModel, begins_with_a_title_a_source_and_something_to_try) {
  const GalleryModel& model = *find_in_gallery(GetParam());
  EXPECT_TRUE(model.title.ends_with('.')) << "a sentence: " << model.title;
  EXPECT_LE(model.title.size(), 100u);
  const std::string_view head = model.text.substr(0, model.text.find("\ntrammel = 1\n"));
  EXPECT_NE(head.size(), model.text.size()) << "the comment stands before trammel = 1";
  EXPECT_TRUE(head.find("our own") != head.npos || head.find("from [") != head.npos ||
              head.find("examples/") != head.npos || head.find("benchmark") != head.npos ||
              head.find("ICRA 1994") != head.npos || head.find("IFToMM") != head.npos)
      << "where its numbers come from";
  const std::string command = "\n# Try: trammel ";
  const std::size_t at = head.find(command);
  ASSERT_NE(at, head.npos);
  EXPECT_NE(head.find("@" + GetParam(), at), head.npos) << "the command is about this model";
}

// At the start, within limits; it moves, and every number is finite.
TEST_P(EveryGalleryModel, starts_in_a_state_that_makes_sense) {
  const Model model = load_model("@" + GetParam());
  const State state = start_of(model);
  for (const NamedJoint& joint : model.joints())
    for (int k = 0; k < joint.nq && !joint.limits.lower.empty(); ++k) {
      const double q = state.q[std::size_t(joint.q_start + k)];
      EXPECT_GE(q, joint.limits.lower[0]) << joint.name;
      EXPECT_LE(q, joint.limits.upper[0]) << joint.name;
    }
  Workspace workspace(model);
  std::vector<double> a(std::size_t(model.nv()));
  const std::vector<double> prescribed(a.size());  // driven by motion: constant velocity
  const Status status = forward_dynamics(model, state, {.a = prescribed}, workspace, a);
  ASSERT_TRUE(status.ok()) << status.message();
  for (const double x : a) EXPECT_TRUE(std::isfinite(x));
}

TEST_P(EveryGalleryModel, can_be_drawn) {
  const Model model = load_model("@" + GetParam());
  for (const BodyDescription& body : model.description().bodies)
    EXPECT_TRUE(!body.shapes.empty() || is_same(body.solid.mass, 0.0)) << body.name;
}

TEST_P(EveryGalleryModel, is_the_same_when_written_and_read_back) {
  const Model model = load_model("@" + GetParam());
  const std::string text = write_toml(model.description());
  Diagnostics diagnostics;
  const Description again = read_description("again.toml", text, {}, diagnostics);
  for (const Diagnostic& each : diagnostics.list()) ADD_FAILURE() << to_string(each);
  EXPECT_EQ(write_toml(again), text);
  const Model other = build_model(again);
  Workspace workspace(model), other_workspace(other);
  Eigen::MatrixXd M(model.nv(), model.nv()), other_M = M;
  ASSERT_TRUE(mass_matrix(model, start_of(model), workspace, M).ok());
  ASSERT_TRUE(mass_matrix(other, start_of(other), other_workspace, other_M).ok());
  EXPECT_EQ((M - other_M).cwiseAbs().maxCoeff(), 0);
}

TEST(Gallery, every_topic_has_models) {
  for (const std::string_view topic : gallery_topics())
    EXPECT_TRUE(std::ranges::any_of(gallery(), [&](const GalleryModel& model) {
      const auto topics = model.topic_list();
      return std::ranges::find(topics, topic) != topics.end();
    })) << topic;
  GalleryModel model{};
  model.topics = " a  b ";
  EXPECT_TRUE(model.other_name_list().empty());
  EXPECT_EQ(model.topic_list(), (std::vector<std::string_view>{"a", "b"}));
}

TEST(Gallery, names_are_unique_across_folders) {
  const std::vector<std::string> all = gallery_names();
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
  EXPECT_GE(all.size(), 44u);
}

// In their start poses the soles of the humanoid and the feet of the quadruped are on the floor.
TEST(Gallery, those_with_legs_stand_on_the_floor) {
  for (const auto& [name, feet] : {std::pair{"@humanoid", 2}, {"@quadruped", 4}}) {
    const Model model = load_model(name);
    Workspace workspace(model);
    Kinematics where(model);
    ASSERT_TRUE(kinematics(model, start_state(model), {}, workspace, where).ok());
    int found = 0;
    for (const NamedFrame& frame : model.frames()) {
      if (!frame.name.ends_with("_sole") && !frame.name.ends_with("_foot")) continue;
      ++found;
      EXPECT_NEAR(pose(model, where, frame_ref(model, frame.name)).p.z, 0, 1e-15) << frame.name;
    }
    EXPECT_EQ(found, feet);
  }
}

class Puma560 : public testing::Test {
 protected:
  static constexpr double pi = 3.14159265358979323846;
  const Model model = load_model("@puma_560");
  const std::vector<double> nominal = {0, pi / 4, pi, 0, pi / 4, 0};
};

// Row by row, (theta, d, a, alpha) typed again from the reference.
TEST_F(Puma560, stands_where_the_product_of_its_rows_says) {
  const double rows[][3] = {{0.672, 0, pi / 2},  {0, 0.4318, 0},  {0.15005, 0.0203, -pi / 2},
                            {0.4318, 0, pi / 2}, {0, 0, -pi / 2}, {0, 0, 0}};
  const std::vector<double> q = {0.3, -0.5, 0.8, -0.2, 0.6, 1.1};
  Eigen::Matrix4d T = Eigen::Matrix4d::Identity();
  for (std::size_t i = 0; i < 6; ++i) {
    const auto& [d, a, alpha] = rows[i];
    const double c = std::cos(q[i]), s = std::sin(q[i]), ca = std::cos(alpha), sa = std::sin(alpha);
    Eigen::Matrix4d A;
    A << c, -s * ca, s * sa, a * c, s, c * ca, -c * sa, a * s, 0, sa, ca, d, 0, 0, 0, 1;
    T = T * A;
  }
  const Pose<double> X = poses(model, q).back();
  const Vec3<double> columns[] = {X.R.x, X.R.y, X.R.z, X.p};
  for (int k = 0; k < 4; ++k)
    EXPECT_LT(distance(columns[k], {T(0, k), T(1, k), T(2, k)}), 1e-15) << "column " << k;
}

// The Robotics Toolbox for Python publishes these torques in its tests (test_DHRobot.py, test_rne).
TEST_F(Puma560, is_at_rest_under_published_torques) {
  State state = neutral_state(model);
  state.q = nominal;
  Workspace workspace(model);
  std::vector<double> N(6);
  ASSERT_TRUE(gravity_load(model, state, workspace, N).ok());
  const double published[] = {0, 31.6399, 6.0351, 0, 0.0283, 0};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(N[k], published[k], 5.1e-5);
}

Description table_of(TableNotation notation, const std::string& file) {
  Diagnostics diagnostics;
  Description description =
      read_table(notation, test_folder() + "/../models/tables/" + file, {}, diagnostics);
  for (const Diagnostic& each : diagnostics.list()) ADD_FAILURE() << to_string(each);
  return description;
}

TEST_F(Puma560, is_its_table) {
  const Model table = build_model(table_of(TableNotation::dh, "puma_560.csv"));
  State state = neutral_state(model);
  state.q = nominal;
  state.v = {0.5, -0.4, 0.3, 0.2, -0.1, 0.6};
  Workspace workspace(model), table_workspace(table);
  std::vector<double> a(6), b(6);
  ASSERT_TRUE(forward_dynamics(model, state, {}, workspace, a).ok());
  ASSERT_TRUE(forward_dynamics(table, state, {}, table_workspace, b).ok());
  EXPECT_EQ(a, b);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(model.joints()[k].name, table.joints()[k].name);
    EXPECT_EQ(model.joints()[k].limits.upper, table.joints()[k].limits.upper);
  }
}

TEST(GalleryTables, the_stanford_arm_is_me_2) {
  Description description = table_of(TableNotation::sdof, "stanford_arm.csv");
  const Model model = load_model("@me_2");
  description.gravity = model.description().gravity;
  const Model table = build_model(description);
  const State state = start_state(model);
  EXPECT_EQ(start_state(table).q, state.q);
  Workspace workspace(model), table_workspace(table);
  std::vector<double> a(5), b(5);
  ASSERT_TRUE(forward_dynamics(model, state, {}, workspace, a).ok());
  ASSERT_TRUE(forward_dynamics(table, state, {}, table_workspace, b).ok());
  EXPECT_EQ(a, b);
}

TEST(GalleryTables, the_rope_hangs_as_long_and_as_heavy_as_it_says) {
  const Model rope = build_model(table_of(TableNotation::chain, "rope.csv"));
  EXPECT_EQ(rope.nv(), 60);
  EXPECT_EQ(rope.joints()[19].name, "rope20");
  EXPECT_TRUE(rope.warnings().empty());
  Workspace workspace(rope);
  const State state = neutral_state(rope);
  CenterOfMass center;
  ASSERT_TRUE(center_of_mass(rope, state, workspace, center).ok());
  EXPECT_NEAR(center.mass, 0.7, 1e-15);
  EXPECT_NEAR(center.position.z, -(0.2 * 0.5 + 0.5 * 1.04) / 0.7, 1e-15);
}

}  // namespace
}  // namespace trammel::gallery_test
