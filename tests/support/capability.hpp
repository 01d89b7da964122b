// Record of the capabilities of docs/capabilities.csv that a test shows, each with the public
// functions or types of Trammel that the test calls for it:
//
//   shows({"Y-21", "constrained_reactions"}, {"Y-22", "constrained_dynamics", "mobility"});
//
// One to three ids, once per test: a test that shows more shows none of them well. A result that
// only code of the test computes is no capability of Trammel. tools/capability_calls.py reads these
// calls and fails if the test does not call what it names; `./dev capabilities` counts the ids of
// passing tests.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace trammel {

// A capability id, then the functions or types called for it.
using Shown = std::initializer_list<const char*>;

// the compiler supplies file and line: clang 14 has no std::source_location
inline void shows(Shown first, Shown second = {}, Shown third = {},
                  const char* in_file = __builtin_FILE(), int at_line = __builtin_LINE()) {
  const testing::TestResult& so_far =
      *testing::UnitTest::GetInstance()->current_test_info()->result();
  for (int i = 0; i < so_far.test_property_count(); ++i) {
    if (std::string(so_far.GetTestProperty(i).key()) == "capability") {
      FAIL() << "shows() was already called in this test; name all ids in one call";
    }
  }

  std::string ids;
  for (const Shown& shown : {first, second, third}) {
    if (shown.size() == 1) FAIL() << *shown.begin() << " names no function that the test calls";
    if (shown.size() > 0) ids += (ids.empty() ? "" : ",") + std::string(*shown.begin());
  }
  const std::string file = in_file;
  const std::size_t tests = file.rfind("/tests/");  // path relative to the top of the tree
  testing::Test::RecordProperty("capability", ids);
  testing::Test::RecordProperty(
      "capability_place",
      (tests == std::string::npos ? file : file.substr(tests + 1)) + ":" + std::to_string(at_line));
}

}  // namespace trammel
