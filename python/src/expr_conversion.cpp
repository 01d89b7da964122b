#include "expr_conversion.hpp"

#include <stdexcept>

#include "records.hpp"

namespace trammel::python {

py::object to_python(const Expr& value, const OptionalGraph& graph) {
  if (value.is_constant()) return py::float_(value.constant());
  return py::cast(BoundExpr{value, graph});
}

Expr Reader::number(const std::string& what, const py::handle& given) {
  if (!py::isinstance<BoundExpr>(given)) {
    const double value = PyFloat_AsDouble(given.ptr());
    if (value == -1.0 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw py::type_error(what + " is " + described(given) + ": give a number or a formula");
    }
    return value;
  }
  const BoundExpr& number = given.cast<const BoundExpr&>();
  if (!number.graph || number.value.is_constant()) return number.value;
  if (!graph_) graph_ = number.graph;
  if (&graph_->nodes() != &number.graph->nodes())
    throw std::invalid_argument("'" + py::str(given).cast<std::string>() +
                                "' is a formula of another description's parameters; make both "
                                "symbols in one description");
  return number.value;
}

std::vector<Expr> Reader::list(const std::string& what, const py::handle& given) {
  if (given.is_none()) return {};
  const bool is_list = py::hasattr(given, "__len__") && py::hasattr(given, "__iter__");
  if (!is_list || py::isinstance<py::str>(given)) return {number(what, given)};
  if (py::isinstance<py::dict>(given))
    throw py::type_error(what + " is a dict: give a number, or a list of them");
  std::vector<Expr> values;
  for (const py::handle value : given) values.push_back(number(what, value));
  return values;
}

Vec3<Expr> Reader::vector(const char* what, const py::handle& given) {
  if (py::isinstance<py::str>(given) || !py::hasattr(given, "__len__") || py::len(given) != 3)
    throw std::invalid_argument(std::string(what) + " is " + described(given) +
                                "; it must be three numbers");
  const std::vector<Expr> values = list(what, given);
  return {values[0], values[1], values[2]};
}

Vec3<Expr> Reader::axis(const char* what, const py::handle& given) {
  if (!py::isinstance<py::str>(given)) return vector(what, given);
  const auto text = given.cast<std::string>();
  const double sign = text.starts_with('-') ? -1.0 : 1.0;
  const std::string symbol = text.starts_with('-') ? text.substr(1) : text;
  if (symbol == "x") return {sign, 0.0, 0.0};
  if (symbol == "y") return {0.0, sign, 0.0};
  if (symbol == "z") return {0.0, 0.0, sign};
  throw std::invalid_argument(std::string(what) + " is '" + text +
                              "'; it must be 'x', 'y', 'z', '-x', '-y', '-z' or three numbers");
}

Placement Reader::placement(const char* what, const py::handle& given) {
  if (given.is_none()) return {};
  if (!py::hasattr(given, "xyz")) return {vector(what, given), {}};
  return {vector((std::string(what) + ".xyz").c_str(), given.attr("xyz")),
          vector((std::string(what) + ".rpy").c_str(), given.attr("rpy"))};
}

void expects_fields(const py::handle& given, const char* field, const char* what,
                    const char* advice) {
  if (!py::hasattr(given, field))
    throw py::type_error(std::string(what) + " is " + described(given) + "; give " + advice);
}

Solid Reader::solid(const py::handle& given) {
  expects_fields(given, "inertia", "the solid", "a Solid, as box() or sphere() make");
  Solid solid;
  solid.mass = number("mass", given.attr("mass"));
  solid.com = vector("com", given.attr("com"));
  const std::vector<Expr> I = list("inertia", given.attr("inertia"));
  if (I.size() != 3 && I.size() != 6)
    throw std::invalid_argument("inertia has " + std::to_string(I.size()) +
                                " entries, it must have 3 (xx yy zz) or 6 (xx yy zz xy xz yz)");
  const bool is_full = I.size() == 6;
  const Expr o = 0.0;
  solid.inertia = {I[0], is_full ? I[3] : o, is_full ? I[4] : o, I[1], is_full ? I[5] : o, I[2]};
  return solid;
}

py::tuple Writer::operator()(const Vec3<Expr>& a) const {
  return py::make_tuple((*this)(a.x), (*this)(a.y), (*this)(a.z));
}
py::tuple Writer::operator()(const std::vector<Expr>& list) const {
  py::tuple tuple(list.size());
  for (std::size_t k = 0; k < list.size(); ++k) tuple[k] = (*this)(list[k]);
  return tuple;
}
py::tuple Writer::operator()(const std::vector<std::string>& names) const {
  py::tuple tuple(names.size());
  for (std::size_t k = 0; k < names.size(); ++k) tuple[k] = py::str(names[k]);
  return tuple;
}
py::object Writer::operator()(const Placement& at) const {
  return record("Placement", at.xyz, at.rpy);
}
py::object Writer::operator()(const Solid& solid) const {
  const SymMat3<Expr>& I = solid.inertia;
  return record("Solid", solid.mass, solid.com,
                std::vector<Expr>{I.xx, I.yy, I.zz, I.xy, I.xz, I.yz});
}

}  // namespace trammel::python
