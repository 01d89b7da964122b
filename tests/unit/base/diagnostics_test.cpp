#include "trammel/base/diagnostics.hpp"

#include <gtest/gtest.h>

namespace trammel::diagnostics_test {
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

TEST(DiagnosticsTest, a_key_is_found_by_its_own_place_or_the_nearest_above) {
  ItemPlace item("arm.toml", 3, 1);
  item.key("at", {"arm.toml", 5, 8});
  EXPECT_EQ(item.of("at.xyz").line, 5);
  EXPECT_EQ(item.of("at").line, 5);
  EXPECT_EQ(item.of("mass").line, 3);
}

TEST(DiagnosticsTest, long_names_are_cut_between_characters) {
  EXPECT_EQ(shortened("elbow", 5), "elbow");
  EXPECT_EQ(shortened("0123456789ab", 9), "012345...9ab");
  const std::string umlauts = shortened("\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4", 8);
  EXPECT_EQ(umlauts, "\u00e4\u00e4...\u00e4");

  Diagnostics diagnostics;
  diagnostics.error({}, "body '" + std::string(1 << 20, 'x') + "' has mass -1");
  const std::string& message = diagnostics.list()[0].message;
  EXPECT_LE(message.size(), 700u);
  EXPECT_TRUE(message.ends_with("' has mass -1")) << message;
}

// Messages may quote bytes of a binary file; JSON and terminals need UTF-8.
TEST(DiagnosticsTest, messages_are_utf8) {
  Diagnostics diagnostics;
  diagnostics.error({}, "'endface\x92' is no word", "\xc3\xa9 \xed\xa0\x80");
  EXPECT_EQ(diagnostics.list()[0].message, "'endface\xef\xbf\xbd' is no word");
  EXPECT_EQ(diagnostics.list()[0].hint, "\xc3\xa9 \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

}  // namespace
}  // namespace trammel::diagnostics_test
