// Name lookup in formulas: the numbers of the same item first, then the parameters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trammel/scalar/expr.hpp"

namespace trammel::toml {

class Scope {
 public:
  struct Meaning {
    Expr value = 1.0;
    bool is_sound = true;   // false: it has an error, which has been reported
    bool has_unit = false;  // given with a unit, or computed from such: its value is in SI
  };

  explicit Scope(const Scope* outer = nullptr) : outer_(outer) {}

  void add(const std::string& name, const Meaning& meaning) {
    if (meanings_.emplace(name, meaning).second) names_.push_back(name);
  }
  const Meaning* find(std::string_view name) const {
    const auto found = meanings_.find(std::string(name));
    if (found != meanings_.end()) return &found->second;
    return outer_ ? outer_->find(name) : nullptr;
  }
  const Scope* outer() const { return outer_; }

  // All names, for suggestions; at most 1000.
  std::vector<std::string> known() const {
    std::vector<std::string> all = outer_ ? outer_->known() : std::vector<std::string>{};
    for (const std::string& name : names_)
      if (all.size() < 1000) all.push_back(name);
    return all;
  }

 private:
  const Scope* outer_;
  std::unordered_map<std::string, Meaning> meanings_;
  std::vector<std::string> names_;
};

}  // namespace trammel::toml
