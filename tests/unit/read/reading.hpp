// Shared parts of the tests of readers: files of this folder, and texts in memory.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/support/test_folder.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/read/load.hpp"

namespace trammel {

inline const std::string read_test_models = test_folder() + "/unit/read/models/";

inline std::string told(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& one : diagnostics.list()) text += to_string(one) + "\n";
  return text;
}

// A model without errors, from the lines below "trammel = 1".
inline Description described(const std::string& lines, const ReadOptions& options = {}) {
  Diagnostics diagnostics;
  Description description =
      read_description("model.toml", "trammel = 1\n" + lines, options, diagnostics);
  EXPECT_EQ(told(diagnostics), "");
  return description;
}

inline std::string mistakes(const std::string& lines, const ReadOptions& options = {}) {
  Diagnostics diagnostics;
  (void)read_description("model.toml", "trammel = 1\n" + lines, options, diagnostics);
  return told(diagnostics);
}

template <class Item> const Item& named(const std::vector<Item>& items, std::string_view name) {
  for (const Item& item : items)
    if (item.name == name) return item;
  ADD_FAILURE() << "nothing is named " << name;
  static const Item nothing{};
  return nothing;
}

}  // namespace trammel
