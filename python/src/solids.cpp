// Mass properties of simple bodies, and the steps of compound joints.
#include "trammel/model/description/solids.hpp"

#include "bindings.hpp"
#include "expr_parameters.hpp"
#include "records.hpp"

namespace trammel::python {

namespace {

// The result of a function of solids.hpp as a Solid of Python.
template <class... Arguments> auto returns_solid(Solid (*make)(Arguments...)) {
  return [=](Reader& read, const std::decay_t<Arguments>&... arguments) {
    return Writer(read.graph())(make(arguments...));
  };
}
auto returns_step(JointStep::Kind kind) {
  return [=](Reader& read, const Vec3<Expr>& direction) {
    return Writer(read.graph()).record("JointStep", kind, direction);
  };
}

}  // namespace

void bind_solids(py::module_& module) {
  using expr::axis, expr::number, expr::vector;
  define_formula(module, "point_mass", parameters(number("mass"), vector("at")),
                 returns_solid(point_mass),
                 "A point mass [kg] at a position in the body's frame [m].");
  define_formula(module, "box",
                 parameters(number("mass"), vector("size", Required()), vector("com")),
                 returns_solid(box),
                 "A box of uniform density: mass [kg], edges along x, y, z [m], center [m].");
  define_formula(
      module, "solid_cylinder",
      parameters(number("mass"), number("radius"), number("length"), vector("com")),
      returns_solid(solid_cylinder),
      "A cylinder about z of uniform density: mass [kg], radius and length [m], center [m].");
  define_formula(
      module, "capsule",
      parameters(number("mass"), number("radius"), number("length"), vector("com")),
      returns_solid(capsule),
      "A capsule about z: a cylinder with a half sphere at each end: mass [kg], radius and length "
      "of the cylinder alone [m], center [m].");
  define_formula(module, "thin_rod", parameters(number("mass"), number("length"), vector("com")),
                 returns_solid(thin_rod), "A thin rod along x: mass [kg], length [m], center [m].");
  define_formula(module, "sphere", parameters(number("mass"), number("radius"), vector("com")),
                 returns_solid(sphere),
                 "A sphere of uniform density: mass [kg], radius [m], center [m].");

  define_formula(module, "turn", parameters(axis("axis")), returns_step(JointStep::Kind::turn),
                 "One step of a compound joint: a rotation about an axis ('x', 'y', 'z' or three "
                 "numbers) of the frame after the previous steps.");
  define_formula(module, "slide", parameters(axis("axis")), returns_step(JointStep::Kind::slide),
                 "One step of a compound joint: a translation along an axis ('x', 'y', 'z' or "
                 "three numbers) of the frame after the previous steps.");
}

}  // namespace trammel::python
