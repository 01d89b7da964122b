// Parameters whose arguments are numbers or formulas: of descriptions, solids and tables.
#pragma once

#include <pybind11/stl.h>

#include <string>

#include "binder.hpp"
#include "expr_conversion.hpp"
#include "names.hpp"

namespace trammel::python {

// {name: number}
inline std::vector<std::pair<std::string, Expr>> numbers_of(Reader& read, const char* what,
                                                            const py::dict& given) {
  std::vector<std::pair<std::string, Expr>> numbers;
  for (const auto& [key, number] : given) {
    if (!py::isinstance<py::str>(key))
      throw py::type_error(std::string(what) + " has the key " + described(key) +
                           ": its keys are names");
    const auto name = key.template cast<std::string>();
    numbers.emplace_back(name, read.number(std::string(what) + " of '" + name + "'", number));
  }
  return numbers;
}

namespace expr {

template <class Default = Required> constexpr auto number(const char* name, Default value = {}) {
  return parameter<py::object>(name, value,
                               [](Reader& read, const char* what, const py::object& given) {
                                 return read.number(what, given);
                               });
}
// None if not given.
constexpr auto optional_number(const char* name) {
  return parameter<py::object>(name, None(),
                               [](Reader& read, const char* what, const py::object& given) {
                                 return if_given(read, what, given);
                               });
}
// One number, or a sequence; empty if not given.
template <class Default = None> constexpr auto list(const char* name, Default value = {}) {
  return parameter<py::object>(name, value,
                               [](Reader& read, const char* what, const py::object& given) {
                                 return read.list(what, given);
                               });
}
// {name: number}.
template <class Default = Required>
constexpr auto named_numbers(const char* name, Default value = {}) {
  return parameter<py::dict>(name, value,
                             [](Reader& read, const char* what, const py::dict& given) {
                               return numbers_of(read, what, given);
                             });
}
// Three numbers; an axis also by name.
template <class Default = Origin> constexpr auto vector(const char* name, Default value = {}) {
  return parameter<py::object>(name, value,
                               [](Reader& read, const char* what, const py::object& given) {
                                 return read.vector(what, given);
                               });
}
template <class Default = Required> constexpr auto axis(const char* name, Default value = {}) {
  return parameter<py::object>(name, value,
                               [](Reader& read, const char* what, const py::object& given) {
                                 return read.axis(what, given);
                               });
}
// A Placement, or its xyz alone; identity if not given.
constexpr auto placement(const char* name) {
  return parameter<py::object>(name, None(),
                               [](Reader& read, const char* what, const py::object& given) {
                                 return read.placement(what, given);
                               });
}
// Names, or other values that are not numbers.
template <class Default = Required> constexpr auto text(const char* name, Default value = {}) {
  return parameter<std::string>(name, value);
}
constexpr auto names(const char* name) {
  return parameter<std::vector<std::string>>(name, EmptyTuple());
}

}  // namespace expr

// One of two or three words; throws with all of them.
template <class Value>
Value choice(const char* what, const std::string& given,
             std::initializer_list<std::pair<const char*, Value>> choices) {
  std::string known;
  std::size_t k = 0;
  for (const auto& [word, value] : choices) {
    if (given == word) return value;
    known += (k == 0 ? "" : k + 1 == choices.size() ? " or " : ", ") + std::string(word);
    ++k;
  }
  throw std::invalid_argument(std::string(what) + " is '" + given + "', it is " + known);
}

// The function that pybind11 binds for body(Description&, values...).
template <class... P, class Body> auto of_description(const std::tuple<P...>& list, Body body) {
  return with_signature<Description&>(
      list, [=](Description& description, const auto& given) -> decltype(auto) {
        Reader read(description.graph);
        return call_converted(description, read, list, given, body);
      });
}
// Binds it as a method of Description.
template <class... Items, class Body>
void describe(py::class_<Description>& description, const char* name,
              const std::tuple<Items...>& items, const Body& body, const char* doc) {
  const auto method = of_description(valued(items), body);
  std::apply([&](const auto&... item) { description.def(name, method, annotation(item)..., doc); },
             items);
}
// Binds it as a function of the module whose first argument is the description.
template <class... Items, class Body>
void generate(py::module_& module, const char* name, const std::tuple<Items...>& items,
              const Body& body, const char* doc) {
  const auto function = of_description(valued(items), body);
  std::apply(
      [&](const auto&... item) {
        module.def(name, function, py::arg("description"), annotation(item)..., doc);
      },
      items);
}

// Binds a function of numbers alone, body(Reader&, values...); the result is written by
// Writer(read.graph()).
template <class... Items, class Body>
void define_formula(py::module_& module, const char* name, const std::tuple<Items...>& items,
                    const Body& body, const char* doc) {
  const auto list = valued(items);
  const auto function = with_signature<>(list, [=](const auto& given) -> decltype(auto) {
    Reader read;
    return call_converted(read, read, list, given, body);
  });
  std::apply([&](const auto&... item) { module.def(name, function, annotation(item)..., doc); },
             items);
}

}  // namespace trammel::python
