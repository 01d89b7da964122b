// What names mean in a formula: the numbers of the same item first, then the parameters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trammel/scalar/expr.hpp"

namespace trammel {

class Scope {
 public:
  struct Meaning {
    Expr value = 1.0;
    bool is_sound = true;   // false: it has a mistake of its own, which has been told
    bool has_unit = false;  // it was given with a unit, or made of such: its value is in SI
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

  // All names, to suggest one; not more than a person could have mistaken.
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

}  // namespace trammel
