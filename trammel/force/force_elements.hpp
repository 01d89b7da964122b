// The ordered list of force elements. To add an element, write its file (as bushing.hpp) and add
// its two members and its place in the tuple here; docs/extending.md has all steps.
#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "trammel/force/bushing.hpp"
#include "trammel/force/contact.hpp"
#include "trammel/force/spring.hpp"
#include "trammel/force/user_force_element.hpp"

namespace trammel {

// Part of Description.
struct ForceElementDescriptions {
  std::vector<SpringDescription> springs;
  std::vector<ContactDescription> contacts;
  std::vector<BushingDescription> bushings;
  std::vector<UserForceDescription> user_forces;
};
// Part of ModelParameters.
template <Scalar P> struct ForceElementNumbers {
  std::vector<SpringNumbers<P>> springs;
  std::vector<ContactNumbers<P>> contacts;
  std::vector<BushingNumbers<P>> bushings;
  std::vector<UserForceNumbers<P>> user_forces;
};
// The lists of either, in the order in which elements are evaluated.
template <class Lists> auto force_element_lists(Lists& lists) {
  return std::tie(lists.springs, lists.contacts, lists.bushings, lists.user_forces);
}
inline constexpr std::size_t force_element_kinds =
    std::tuple_size_v<decltype(force_element_lists(std::declval<ForceElementDescriptions&>()))>;

// Index of a kind, by its description.
template <class Element> constexpr std::size_t force_element_kind() {
  using Lists = decltype(force_element_lists(std::declval<ForceElementDescriptions&>()));
  return []<class... List>(std::type_identity<std::tuple<List&...>>) {
    std::size_t k = 0;
    static_cast<void>(((std::same_as<typename List::value_type, Element> || (++k, false)) || ...));
    return k;
  }(std::type_identity<Lists>{});
}

// Calls visit(list) for each kind of element.
template <class Lists, class Visit> void each_force_element_list(Lists& lists, const Visit& visit) {
  std::apply([&](auto&... list) { (visit(list), ...); }, force_element_lists(lists));
}
// Calls visit(index of the kind, list) for each kind, the index as a std::integral_constant.
template <class Lists, class Visit> void each_force_element_kind(Lists& lists, const Visit& visit) {
  [&]<std::size_t... kind>(std::index_sequence<kind...>) {
    (visit(std::integral_constant<std::size_t, kind>{}, std::get<kind>(force_element_lists(lists))),
     ...);
  }
  (std::make_index_sequence<force_element_kinds>{});
}

}  // namespace trammel
