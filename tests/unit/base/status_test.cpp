#include "trammel/base/status.hpp"

#include <gtest/gtest.h>

namespace trammel::status_test {
namespace {

TEST(StatusTest, says_nothing_when_all_went_well) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.message(), "");
}

TEST(StatusTest, a_failure_says_why) {
  const Status status = Status::failure("the mass matrix is singular");
  EXPECT_FALSE(status);
  EXPECT_EQ(status.message(), "the mass matrix is singular");
}

}  // namespace
}  // namespace trammel::status_test
