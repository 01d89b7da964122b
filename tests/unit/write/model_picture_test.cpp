#include "trammel/write/plot/model_picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "trammel/model/build/builder.hpp"

namespace trammel::model_picture_test {
namespace {

// Every element is closed, in order.
bool is_balanced(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const std::string tag = text.substr(at + 1, text.find('>', at) - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag.starts_with('/')) {
      if (open.empty() || "/" + open.back() != tag) return false;
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(name);
    }
  }
  return open.empty();
}

int count(const std::string& text, const std::string& what) {
  int found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++found;
  return found;
}

Description two_arms() {
  Description description("two arms & <more>");
  for (const char* body : {"base", "left", "right"})
    description.body(body, {1.0, {}, {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
  description.joint("stand", JointKind::fixed, "ground", "base");
  description.joint("a", JointKind::revolute, "base", "left", {.at = {{0, 1, 0}}});
  description.joint("b", JointKind::prismatic, "base", "right", {.at = {{0, -1, 0}}});
  return description;
}

TEST(ModelPicture, HasEveryBodyAndJointAndAStickFigure) {
  const Model model = build_model(two_arms());
  Workspace workspace(model);
  Kinematics seen(model);
  ASSERT_TRUE(kinematics(model, neutral_state(model), {}, workspace, seen).ok());
  const std::string svg = model_picture(model, &seen);
  EXPECT_TRUE(is_balanced(svg)) << svg;
  for (const char* text : {">ground<", ">base<", ">left<", ">right<", ">stand (fixed)<",
                           ">a (revolute)<", ">b (prismatic)<", "two arms &amp; &lt;more&gt;"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  EXPECT_EQ(count(svg, "<svg"), 2);  // the stick figure is a nested picture
  EXPECT_EQ(count(svg, "class=\"t-joint\""), 2);
  EXPECT_EQ(count(svg, "class=\"t-weld\""), 1);
}

TEST(ModelPicture, DrawsCutJointsDashedAndDoesWithoutAFigure) {
  Description description = two_arms();
  description.joint("closing", JointKind::spherical, "left", "right");
  const std::string svg = model_picture(build_model(description), nullptr);
  EXPECT_TRUE(is_balanced(svg)) << svg;
  EXPECT_EQ(count(svg, "class=\"t-cut\""), 1);
  EXPECT_EQ(count(svg, "closing (spherical), cut"), 1);
  EXPECT_EQ(count(svg, "<svg"), 1);
}

// Twenty bodies: a row each, at the size of the text of a page, in a picture that a screen shows.
TEST(ModelPicture, TwentyBodiesAreReadable) {
  Description description("twenty");
  for (int k = 0; k < 20; ++k) {
    const std::string name = "body_" + std::to_string(k);
    description.body(name, {1.0, {}, {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
    description.joint("joint_" + std::to_string(k), JointKind::revolute,
                      k < 5 ? "ground" : "body_" + std::to_string(k - 5), name);
  }
  const std::string svg = model_picture(build_model(description), nullptr);
  double width = 0, height = 0;
  ASSERT_EQ(
      std::sscanf(svg.c_str() + svg.find("viewBox"), "viewBox=\"0 0 %lf %lf\"", &width, &height),
      2);
  EXPECT_LT(width, 700);
  EXPECT_LT(height, 900);
  std::vector<double> rows;
  for (std::size_t at = svg.find("class=\"t-body\""); at != std::string::npos;
       at = svg.find("class=\"t-body\"", at + 1))
    rows.push_back(std::stod(svg.substr(svg.find(" y=\"", at) + 4)));
  ASSERT_EQ(rows.size(), 20u);
  std::ranges::sort(rows);
  for (std::size_t k = 1; k < rows.size(); ++k) EXPECT_GE(rows[k] - rows[k - 1], 28);
}

TEST(ModelPicture, LongChainsAndNamesStayBounded) {
  Description description("long");
  for (int k = 0; k < 3000; ++k) {
    const std::string name = std::to_string(k) + std::string(500, 'x');
    description.body(name, {1.0, {}, {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
    description.joint(name, JointKind::revolute,
                      k == 0 ? "ground" : description.bodies[std::size_t(k - 1)].name, name);
  }
  const std::string svg = model_picture(build_model(description), nullptr);
  EXPECT_LT(svg.size(), 3000u * 1000u);
}

}  // namespace
}  // namespace trammel::model_picture_test
