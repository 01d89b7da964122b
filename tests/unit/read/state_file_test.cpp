#include <gtest/gtest.h>

#include "trammel/model/build/builder.hpp"
#include "trammel/model/state.hpp"
#include "trammel/read/state.hpp"

namespace trammel::state_file_test {
namespace {

Description slider() {
  Description description("slider");
  description.body("cart", {1.0, {}, {}});
  description.joint("rail", JointKind::prismatic, "ground", "cart");
  description.start_positions.push_back({"rail", {7.0}, {}});
  description.start_velocities.push_back({"rail", {7.0}, {}});
  return description;
}

std::string mistakes(const std::string& text) {
  Description description = slider();
  Diagnostics found;
  if (!read_state_file({"s.toml", text}, description, found)) return "nothing";
  std::string all;
  for (const Diagnostic& diagnostic : found.list()) all += to_string(diagnostic) + "\n";
  return all;
}

TEST(StateFile, TakesThePlaceOfWhereTheModelStarts) {
  Description description = slider();
  Diagnostics found;
  const Source source{"s.toml", "trammel = 1\n[state.position]\nrail = \"30 mm\"\n"};
  EXPECT_TRUE(read_state_file(source, description, found));
  EXPECT_TRUE(found.list().empty());
  const State state = start_state(build_model(description));
  EXPECT_EQ(state.q[0], 0.03);
  EXPECT_EQ(state.v[0], 0);  // not in the file: at rest, not the start of the model
}

TEST(StateFile, HasGuesses) {
  Description description = slider();
  Diagnostics found;
  const Source source{"s.toml", "[state.guess]\nrail = \"30 mm\"\n"};
  EXPECT_TRUE(read_state_file(source, description, found));
  EXPECT_TRUE(found.list().empty());
  EXPECT_TRUE(description.start_positions.empty());
  ASSERT_EQ(description.position_guesses.size(), 1u);
  EXPECT_EQ(start_state(build_model(description)).q[0], 0.03);
}

TEST(StateFile, IsCheckedLikeThoseOfModels) {
  EXPECT_EQ(mistakes("[state.position]\nrail = 1\n"), "");
  EXPECT_EQ(mistakes("trammel = 1\n"), "nothing");
  EXPECT_EQ(
      mistakes("[state.position]\nrail = \"30 deg\"\n"),
      "s.toml:2:12: error: the start position of joint 'rail' is a length, but 'deg' measures "
      "an angle\n  hint: give it in m or mm\n");
  EXPECT_NE(
      mistakes("[body.cart]\nmass = 1\n[state.position]\nrail = 1\n").find("s.toml:1:2: error"),
      std::string::npos);
  EXPECT_NE(mistakes("[state.position\n").find("s.toml:1:"), std::string::npos);
}

}  // namespace
}  // namespace trammel::state_file_test
