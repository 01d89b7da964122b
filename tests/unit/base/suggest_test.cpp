#include "trammel/base/suggest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace trammel::suggest_test {
namespace {

TEST(Suggest, counts_typing_mistakes) {
  EXPECT_EQ(edit_distance("forearm", "forearm"), 0);
  EXPECT_EQ(edit_distance("forarm", "forearm"), 1);    // missing
  EXPECT_EQ(edit_distance("forrearm", "forearm"), 1);  // too many
  EXPECT_EQ(edit_distance("foreatm", "forearm"), 1);   // wrong
  EXPECT_EQ(edit_distance("foraerm", "forearm"), 1);   // swapped
  EXPECT_EQ(edit_distance("FOREARM", "forearm"), 0);   // case
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);    // the textbook example
  EXPECT_EQ(edit_distance("", "abc"), 3);
}

TEST(Suggest, finds_the_nearest_name) {
  const std::vector<std::string> known{"upper_arm", "forearm", "hand", "l1", "l2"};
  EXPECT_EQ(suggest("forarm", known), "forearm");
  EXPECT_EQ(suggest("Hand", known), "hand");
  EXPECT_EQ(suggest("upperarm", known), "upper_arm");
  EXPECT_EQ(suggest("l3", known), "l1") << "the first of equals";
}

TEST(Suggest, says_nothing_when_nothing_is_near) {
  const std::vector<std::string> known{"x", "shoulder"};
  EXPECT_EQ(suggest("elbow", known), std::nullopt);
  EXPECT_EQ(suggest("y", known), std::nullopt);
  EXPECT_EQ(suggest("", known), std::nullopt);
  EXPECT_EQ(suggest("elbow", {}), std::nullopt);
}

}  // namespace
}  // namespace trammel::suggest_test
