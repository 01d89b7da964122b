// Numbers that may be formulas: in Python a float or an Expr, in C++ an Expr with the graph that
// owns it.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "records.hpp"
#include "trammel/model/description/description.hpp"

namespace trammel::python {

namespace py = pybind11;

using OptionalGraph = std::optional<Graph>;

// The Python object of an Expr.
struct BoundExpr {
  Expr value;
  OptionalGraph graph = {};
};

// A float if it is a constant, else an Expr of this graph.
py::object to_python(const Expr& value, const OptionalGraph& graph);

// Reads numbers in sequence and remembers their common graph; throws if two graphs are mixed.
class Reader {
 public:
  Reader() = default;
  explicit Reader(Graph graph) : graph_(std::move(graph)) {}

  // `what` begins the message if the argument is of a wrong type.
  Expr number(const std::string& what, const py::handle& given);
  // Of a sequence, or one number; None: empty.
  std::vector<Expr> list(const std::string& what, const py::handle& given);
  // A sequence of three.
  Vec3<Expr> vector(const char* what, const py::handle& given);
  // The same, or "x", "-y", ...
  Vec3<Expr> axis(const char* what, const py::handle& given);
  // A Placement, or only its xyz; None: identity.
  Placement placement(const char* what, const py::handle& given);
  Solid solid(const py::handle& given);

  const OptionalGraph& graph() const { return graph_; }

 private:
  OptionalGraph graph_;
};

// Throws a TypeError with a hint if the argument is not of the kind that has this field.
void expects_fields(const py::handle& given, const char* field, const char* what,
                    const char* advice);

// Conversions back to Python. Numbers and their lists are floats or Expr; names of events are
// tuples; other values pass as they are.
class Writer {
 public:
  explicit Writer(OptionalGraph graph) : graph_(std::move(graph)) {}

  py::object operator()(const Expr& value) const { return to_python(value, graph_); }
  py::tuple operator()(const Vec3<Expr>& a) const;
  py::tuple operator()(const std::vector<Expr>& list) const;
  py::object operator()(const Placement& at) const;
  py::object operator()(const Solid& solid) const;
  py::object operator()(const std::optional<Expr>& number) const {
    return number ? (*this)(*number) : py::object(py::none());
  }
  py::object operator()(const Place& place) const { return to_python(place); }
  py::tuple operator()(const std::vector<std::string>& names) const;
  template <class Value>
  py::dict operator()(const std::vector<std::pair<std::string, Value>>& named) const {
    py::dict dict;
    for (const auto& [name, value] : named) dict[py::str(name)] = (*this)(value);
    return dict;
  }
  template <class Other>
  requires(!std::is_convertible_v<const Other&, const Place&>) const Other& operator()(
      const Other& other) const {
    return other;
  }

  // A named tuple with these fields.
  template <class... Fields> py::object record(const char* type, const Fields&... fields) const {
    return python::record(type, (*this)(fields)...);
  }

 private:
  OptionalGraph graph_;
};

inline std::optional<Expr> if_given(Reader& read, const char* what, const py::object& number) {
  return number.is_none() ? std::nullopt : std::optional<Expr>(read.number(what, number));
}

}  // namespace trammel::python
