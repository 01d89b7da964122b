// A test says which capabilities of docs/capabilities.csv it shows: trammel::shows("Y-21", "Y-22").
// One to three, once per test: a test that shows more shows none of them well.
// `./dev capabilities` counts what passing tests have said.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace trammel {

// the place is asked of the compiler: clang 14 has no std::source_location
inline void shows(const std::string& id, const std::string& second = {},
                  const std::string& third = {}, const char* in_file = __builtin_FILE(),
                  int at_line = __builtin_LINE()) {
  const testing::TestResult& so_far =
      *testing::UnitTest::GetInstance()->current_test_info()->result();
  for (int i = 0; i < so_far.test_property_count(); ++i) {
    if (std::string(so_far.GetTestProperty(i).key()) == "capability") {
      FAIL() << "shows() was already called in this test; name all ids in one call";
    }
  }

  std::string ids = id;
  for (const std::string& more : {second, third}) {
    if (!more.empty()) ids += "," + more;
  }
  const std::string file = in_file;
  const std::size_t tests = file.rfind("/tests/");  // the place as seen from the top of the tree
  testing::Test::RecordProperty("capability", ids);
  testing::Test::RecordProperty(
      "capability_place",
      (tests == std::string::npos ? file : file.substr(tests + 1)) + ":" + std::to_string(at_line));
}

}  // namespace trammel
