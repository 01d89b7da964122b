// Index of a list by name: a permutation sorted by name, made once; binary search.
#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

namespace trammel {

class NameIndex {
 public:
  NameIndex() = default;
  template <class Item> explicit NameIndex(const std::vector<Item>& items) : order_(items.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    std::ranges::stable_sort(order_, {}, name_in(items));
  }
  // Position in the list the index was made from; the first of several with that name.
  template <class Item>
  std::optional<int> find(const std::vector<Item>& items, std::string_view name) const {
    const auto found = std::ranges::lower_bound(order_, name, {}, name_in(items));
    if (found == order_.end() || name_in(items)(*found) != name) return std::nullopt;
    return *found;
  }

 private:
  template <class Item> static auto name_in(const std::vector<Item>& items) {
    return [&items](int k) -> std::string_view { return items[std::size_t(k)].name; };
  }
  std::vector<int> order_;
};

}  // namespace trammel
