#include "trammel/base/diagnostics.hpp"

#include <gtest/gtest.h>

namespace trammel {
namespace {

TEST(DiagnosticsTest, a_message_says_where_what_and_what_next) {
  const Diagnostic mistake{
      Severity::error, {"arm.toml", 12, 7}, "body 'upper' has mass -1", "a mass is zero or more"};
  EXPECT_EQ(to_string(mistake),
            "arm.toml:12:7: error: body 'upper' has mass -1\n  hint: a mass is zero or more");
}

TEST(DiagnosticsTest, what_was_built_in_code_has_no_place) {
  EXPECT_EQ(to_string({Severity::warning, {}, "body 'tip' has no mass", ""}),
            "warning: body 'tip' has no mass");
}

TEST(DiagnosticsTest, warnings_are_not_errors) {
  Diagnostics diagnostics;
  diagnostics.warning({}, "odd");
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.error({}, "wrong");
  EXPECT_TRUE(diagnostics.has_errors());
}

TEST(DiagnosticsTest, a_model_error_tells_everything_at_once) {
  Diagnostics diagnostics;
  diagnostics.error({"arm.toml", 3, 0}, "first");
  diagnostics.error({"arm.toml", 8, 0}, "second");
  EXPECT_STREQ(ModelError(diagnostics).what(),
               "arm.toml:3: error: first\narm.toml:8: error: second");
}

}  // namespace
}  // namespace trammel
