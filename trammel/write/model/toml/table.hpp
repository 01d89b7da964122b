// One table of a TOML file while it is written. Internal.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "trammel/write/model/toml/text.hpp"

namespace trammel::toml {

// Keys of one table with their values, as texts.
class Table {
 public:
  void add(std::string_view name, std::string value) {
    entries_.emplace_back(key_text(name), std::move(value));
  }
  void append(const Table& others) {
    entries_.insert(entries_.end(), others.entries_.begin(), others.entries_.end());
  }
  bool is_empty() const { return entries_.empty(); }

  // { a = 1, b = 2 }
  std::string in_line() const {
    std::string out;
    for (const auto& [name, value] : entries_)
      out += fmt::format("{}{} = {}", out.empty() ? "{ " : ", ", name, value);
    return out.empty() ? "{}" : out + " }";
  }
  // one per line, with the values in one column
  std::string in_lines() const {
    std::size_t width = 0;
    for (const auto& entry : entries_)
      if (entry.first.size() <= widest_key) width = std::max(width, entry.first.size());
    std::string out;
    for (const auto& [name, value] : entries_)
      out += fmt::format("{:{}} = {}\n", name, width, value);
    return out;
  }

 private:
  static constexpr std::size_t widest_key = 24;  // longer keys are not aligned
  std::vector<std::pair<std::string, std::string>> entries_;
};

}  // namespace trammel::toml
