#include <gtest/gtest.h>

#include "trammel/model/builder.hpp"
#include "trammel/model/state.hpp"
#include "trammel/read/state.hpp"

namespace trammel {
namespace {

Description slider() {
  Description said("slider");
  said.body("cart", {1.0, {}, {}});
  said.joint("rail", JointKind::prismatic, "ground", "cart");
  said.start_positions.push_back({"rail", {7.0}, {}});
  said.start_velocities.push_back({"rail", {7.0}, {}});
  return said;
}

std::string mistakes(const std::string& text) {
  Description said = slider();
  Diagnostics found;
  if (!read_state_file({"s.toml", text}, said, found)) return "nothing";
  std::string all;
  for (const Diagnostic& diagnostic : found.list()) all += to_string(diagnostic) + "\n";
  return all;
}

TEST(StateFile, TakesThePlaceOfWhereTheModelStarts) {
  Description said = slider();
  Diagnostics found;
  const Source source{"s.toml", "trammel = 1\n[state.position]\nrail = \"30 mm\"\n"};
  EXPECT_TRUE(read_state_file(source, said, found));
  EXPECT_TRUE(found.list().empty());
  const State state = start_state(build_model(said));
  EXPECT_EQ(state.q[0], 0.03);
  EXPECT_EQ(state.v[0], 0);  // not in the file: at rest, not the start of the model
}

TEST(StateFile, HasGuesses) {
  Description said = slider();
  Diagnostics found;
  const Source source{"s.toml", "[state.guess]\nrail = \"30 mm\"\n"};
  EXPECT_TRUE(read_state_file(source, said, found));
  EXPECT_TRUE(found.list().empty());
  EXPECT_TRUE(said.start_positions.empty());
  ASSERT_EQ(said.position_guesses.size(), 1u);
  EXPECT_EQ(start_state(build_model(said)).q[0], 0.03);
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
}  // namespace trammel
