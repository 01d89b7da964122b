// Binding of functions and classes. Each parameter is declared once, with its name in Python, its
// type, its default and its conversion:
//
//   define(module, "jacobian_rate",
//          parameters(in::state, in::place, in::axes, keyword_only, in::workspace), body, doc);
//
// The binder makes the Python signature from this list and calls the body with the converted
// values.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace trammel::python {

namespace py = pybind11;

// Defaults that are Python objects, made when the module is loaded.
struct Required {};
struct None {
  py::object operator()() const { return py::none(); }
};
struct EmptyTuple {
  py::object operator()() const { return py::tuple(); }
};
struct EmptyDict {
  py::object operator()() const { return py::dict(); }
};
struct Origin {
  py::object operator()() const { return py::make_tuple(0.0, 0.0, 0.0); }
};

// Passes the argument to the body as it is.
struct Unconverted {
  template <class Context, class Type>
  const Type& operator()(Context&, const char*, const Type& given) const {
    return given;
  }
};

// A parameter. convert(context, name, argument) returns the value for the body, or nothing if it
// stores the argument in the context.
template <class Given, class Default = Required, class Convert = Unconverted> struct Parameter {
  using Type = std::conditional_t<std::is_pointer_v<Given> || std::is_arithmetic_v<Given>, Given,
                                  const Given&>;
  const char* name;
  Default value = {};
  Convert convert = {};
};
template <class Given, class Default = Required, class Convert = Unconverted>
constexpr Parameter<Given, Default, Convert> parameter(const char* name, Default value = {},
                                                       Convert convert = {}) {
  return {name, value, convert};
}

// Parameters after it are given by name.
struct KeywordOnly {};
inline constexpr KeywordOnly keyword_only;

inline py::kw_only annotation(KeywordOnly) { return {}; }
template <class Given, class Default, class Convert>
auto annotation(const Parameter<Given, Default, Convert>& parameter) {
  if constexpr (std::is_same_v<Default, Required>)
    return py::arg(parameter.name);
  else if constexpr (std::is_invocable_v<Default>)
    return py::arg(parameter.name) = parameter.value();
  else
    return py::arg(parameter.name) = parameter.value;
}

// A list of parameters; an item may be such a list itself.
template <class Item> constexpr std::tuple<Item> as_list(const Item& item) { return {item}; }
template <class... Items> constexpr std::tuple<Items...> as_list(const std::tuple<Items...>& list) {
  return list;
}
template <class... Items> constexpr auto parameters(const Items&... items) {
  return std::tuple_cat(as_list(items)...);
}

// The parameters of a list that have a value: without keyword_only.
template <class Item> constexpr auto only_valued(const Item& item) {
  if constexpr (std::is_same_v<Item, KeywordOnly>)
    return std::tuple<>();
  else
    return std::tuple<Item>(item);
}
template <class... Items> constexpr auto valued(const std::tuple<Items...>& list) {
  return std::apply([](const auto&... item) { return std::tuple_cat(only_valued(item)...); }, list);
}

template <class Context, class P, class Given>
auto converted(Context& context, const P& parameter, const Given& given) {
  using Value = decltype(parameter.convert(context, parameter.name, given));
  if constexpr (std::is_void_v<Value>) {
    parameter.convert(context, parameter.name, given);
    return std::tuple<>();
  } else {
    return std::tuple<Value>(parameter.convert(context, parameter.name, given));
  }
}

// body(first, values...), the arguments converted from left to right.
template <class First, class Context, class... P, class Given, class Body>
decltype(auto) call_converted(First& first, Context& context, const std::tuple<P...>& list,
                              const Given& given, const Body& body) {
  return [&]<std::size_t... k>(std::index_sequence<k...>)->decltype(auto) {
    std::tuple<decltype(converted(context, std::get<k>(list), std::get<k>(given)))...> values{
        converted(context, std::get<k>(list), std::get<k>(given))...};
    return std::apply(body,
                      std::tuple_cat(std::tuple<First&>(first), std::move(std::get<k>(values))...));
  }
  (std::index_sequence_for<P...>());
}

// The function that pybind11 binds: run(first..., tuple of arguments) with the types of a list.
template <class... First, class... P, class Run>
auto with_signature(const std::tuple<P...>&, const Run& run) {
  return [run](First... first, typename P::Type... given) -> decltype(auto) {
    return run(first..., std::tuple<typename P::Type...>(given...));
  };
}

// A class with documented read-only fields.
template <class T, class... Options> class Class : public py::class_<T, Options...> {
 public:
  using Base = py::class_<T, Options...>;
  using Base::Base;

  // A member, or a function of the object.
  template <class Get> Class& field(const char* name, const Get& get, const char* doc) {
    if constexpr (std::is_member_object_pointer_v<Get>)
      Base::def_readonly(name, get, doc);
    else
      Base::def_property_readonly(name, get, doc);
    return *this;
  }
  template <class Function, class... Extra>
  Class& method(const char* name, const Function& function, const Extra&... extra) {
    Base::def(name, function, extra...);
    return *this;
  }
  template <class Text> Class& repr(const Text& text) {
    Base::def("__repr__", text);
    return *this;
  }
};

}  // namespace trammel::python
