// Conditioning of Jacobians, wheel layouts, dexterity.
#include <array>

#include "bindings.hpp"
#include "call.hpp"
#include "trammel/design/dexterity.hpp"
#include "trammel/design/isotropy.hpp"
#include "trammel/design/model_layout.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/write/plot/layout_picture.hpp"

namespace trammel::python {

namespace {

// (roller_angle, axle, bearing, distance, radius)
using LayoutArgument = std::vector<std::array<double, 5>>;
WheelLayout to_layout(const LayoutArgument& given) {
  WheelLayout out;
  for (const auto& [roller_angle, axle, bearing, distance, radius] : given)
    out.push_back({roller_angle, axle, bearing, distance, radius});
  return out;
}
py::list from_layout(const WheelLayout& layout) {
  py::list out;
  for (const WheelPlacing& wheel : layout)
    out.append(record("WheelPlacing", wheel.roller_angle, wheel.axle, wheel.bearing, wheel.distance,
                      wheel.radius));
  return out;
}

using Range = std::array<double, 2>;
using RangeArguments = std::vector<std::tuple<Range, Range, Range, Range, double>>;
py::object to_record(const Conditioning& found) {
  return record("Conditioning", found.singular, found.rank, found.condition, found.anisotropy,
                found.weakest);
}
py::object to_record(const Dexterity& found) {
  const auto ellipsoid = [](const Ellipsoid& e) {
    return record("Ellipsoid", Eigen::VectorXd(e.size), Eigen::MatrixXd(e.axes));
  };
  return record("Dexterity", found.drives, found.J, found.ways, found.decided, found.directions,
                found.length, found.singular, found.condition, found.best_length,
                found.best_condition, ellipsoid(found.linear), ellipsoid(found.angular),
                found.singular_because);
}

void bind_conditioning(py::module_& module) {
  module.def(
      "conditioning", [](const Eigen::MatrixXd& K) { return to_record(conditioning(K)); },
      py::arg("K"), "Singular values, condition number and anisotropy of a Jacobian.");
  module.def("scaled", &scaled, py::arg("K"), py::arg("turns"), py::arg("length"),
             "Jacobian scaled by a characteristic length: its first columns, of rotations, are "
             "divided by the length.");
  module.def("best_length", &best_length, py::arg("K"), py::arg("turns"), py::arg("shortest"),
             py::arg("longest"), "The characteristic length with the smallest condition number.");
}

void bind_layouts(py::module_& module) {
  module.def(
      "hub_jacobian", [](const LayoutArgument& given) { return hub_jacobian(to_layout(given)); },
      py::arg("layout"), "Jacobian L of the hubs: hub rates = L [turn, x, y] of the platform.");
  module.def(
      "roller_jacobian",
      [](const LayoutArgument& given, double roller_radius) {
        return roller_jacobian(to_layout(given), roller_radius);
      },
      py::arg("layout"), py::arg("roller_radius"),
      "Jacobian of the rollers in contact: their rates by [turn, x, y] of the platform.");
  module.def(
      "singular_because",
      [](const LayoutArgument& given) { return singular_because(to_layout(given)); },
      py::arg("layout"), "Reason in words why a layout is singular; empty if it is not.");
  module.def(
      "isotropic_layout",
      [](int wheels, double radius, double distance, double roller_angle, double length,
         double first_bearing) {
        return from_layout(
            isotropic_layout({wheels, radius, distance, roller_angle, length, first_bearing}));
      },
      py::arg("wheels") = 3, py::kw_only(), py::arg("radius") = 0.1, py::arg("distance") = 0.3,
      py::arg("roller_angle") = IsotropicRing{}.roller_angle, py::arg("length") = 0.0,
      py::arg("first_bearing") = 0.0, "An isotropic ring of wheels with rollers.");
  module.def(
      "best_layout",
      [](const RangeArguments& given, double length, int starts, std::uint32_t seed) {
        std::vector<WheelRange> ranges;
        for (const auto& [roller_angle, axle, bearing, distance, radius] : given)
          ranges.push_back({roller_angle, axle, bearing, distance, radius});
        const LayoutSearch found = best_layout(ranges, length, starts, seed);
        return record("LayoutSearch", from_layout(found.layout), to_record(found.found),
                      found.starts, found.agreeing);
      },
      py::arg("ranges"), py::arg("length"), py::kw_only(), py::arg("starts") = 64,
      py::arg("seed") = 1, "The layout with the smallest anisotropy within ranges (WheelRange).");
  module.def(
      "layout_picture",
      [](const LayoutArgument& given, double length, const std::string& title,
         const std::vector<std::string>& names, const std::optional<Eigen::MatrixXd>& by_rates) {
        return layout_picture(
            {title, names, to_layout(given), by_rates.value_or(Eigen::MatrixXd()), length, {}});
      },
      py::arg("layout"), py::arg("length"), py::kw_only(), py::arg("title") = "",
      py::arg("names") = py::tuple(), py::arg("motion_by_rates") = py::none(),
      "An SVG of wheels from above; motion_by_rates, 3 x drives ([turn, x, y]), adds the "
      "ellipses.");
}

void bind_dexterity(py::module_& module) {
  const auto dexterity_parameters = parameters(in::state, in::place, keyword_only,
                                               parameter<double>("length", 0.0), in::workspace);
  define(
      module, "dexterity", dexterity_parameters,
      [](Call& call, const FrameRef& place, double length) {
        Dexterity found;
        call.evaluate([&](Workspace& workspace) {
          return dexterity(call.model(), call.state(), place, length, workspace, found);
        });
        return to_record(found);
      },
      "Dexterity of any mechanism: Jacobian of a place by the rates of the drives, its singular "
      "values and condition number, with rotations scaled by a length.");
  define(
      module, "dexterity_picture", dexterity_parameters,
      [](Call& call, const FrameRef& place, double length) {
        Dexterity found;
        Kinematics motion(call.model());
        call.evaluate(kinematics, motion);
        call.evaluate([&](Workspace& workspace) {
          return dexterity(call.model(), call.state(), place, length, workspace, found);
        });
        return dexterity_picture(call.model(), motion, place, found);
      },
      "An SVG of a mechanism with the velocity ellipsoids of a place that its drives move.");
  define(
      module, "model_layout", parameters(in::state, in::place, keyword_only, in::workspace),
      [](Call& call, const FrameRef& place) {
        Positions poses(call.model());
        call.evaluate(positions, poses);
        return from_layout(model_layout(call.model(), poses, place).wheels);
      },
      "The wheel layout of a vehicle relative to a place.");
}

}  // namespace

void bind_design(py::module_& module) {
  bind_conditioning(module);
  bind_layouts(module);
  bind_dexterity(module);
}

}  // namespace trammel::python
