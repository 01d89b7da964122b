#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <array>
#include <map>
#include <tuple>

#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "records.hpp"
#include "trammel/constraint/forces/allocation.hpp"
#include "trammel/design/dexterity.hpp"
#include "trammel/design/isotropy.hpp"
#include "trammel/design/model_layout.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/read/toml/load_path.hpp"
#include "trammel/simulate/path/described_path.hpp"
#include "trammel/simulate/path/follow_path.hpp"
#include "trammel/write/plot/layout_picture.hpp"

namespace trammel::python {

namespace {

using PerDrive = std::map<std::string, double>;

AllocationOptions allocation_options(const PerDrive& weights, const PerDrive& limits,
                                     const std::vector<std::string>& idle, bool heeds) {
  return {{weights.begin(), weights.end()}, {limits.begin(), limits.end()}, heeds, idle};
}

// (roller_angle, axle, bearing, distance, radius)
WheelLayout to_layout(const std::vector<std::array<double, 5>>& given) {
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
py::object to_record(const Conditioning& found) {
  return record("Conditioning", found.singular, found.rank, found.condition, found.anisotropy,
                found.weakest);
}

void bind_allocation(py::module_& module) {
  module.def(
      "allocate_efforts",
      [](const SharedModel& model, const State& state, const OptionalArray& a,
         const PerDrive& weights, const PerDrive& limits, const std::vector<std::string>& idle,
         bool heeds_model_limits, const std::vector<WrenchAt>& wrenches,
         const std::optional<Support>& ground, const py::object& loop_a, OwnWorkspace* workspace) {
        const CallInputs call("allocate_efforts", *model,
                              {.a = a, .wrenches = wrenches, .ground = ground, .loop_a = loop_a});
        Allocation found;
        ask(model, workspace, [&](Workspace& room) {
          return allocate_efforts(*model, state, call.inputs(), room, found,
                                  allocation_options(weights, limits, idle, heeds_model_limits));
        });
        return record("Allocation", found.efforts.tau, found.efforts.loop_tau, found.at_limit,
                      found.cost);
      },
      py::arg("model"), py::arg("state"), py::arg("a") = py::none(), py::kw_only(),
      py::arg("weights") = PerDrive{}, py::arg("limits") = PerDrive{},
      py::arg("idle") = std::vector<std::string>{}, py::arg("heeds_model_limits") = true,
      py::arg("wrenches") = py::tuple(), py::arg("ground") = py::none(),
      py::arg("loop_a") = py::none(), py::arg("workspace") = py::none(),
      "Efforts of the drives for the motion a; the minimum weighted norm within limits if there "
      "are more drives than degrees of freedom.\n\n"
      "weights, limits: by the drives' names; idle: drives without effort.");
  module.def(
      "drive_demand",
      [](const SharedModel& model, const State& state, const OptionalArray& a,
         OwnWorkspace* workspace) {
        const CallInputs call("drive_demand", *model, {.a = a});
        DriveDemand found;
        ask(model, workspace, [&](Workspace& room) {
          return drive_demand(*model, state, call.inputs(), room, found);
        });
        return record("DriveDemand", found.A, found.needed, found.dofs, found.loop_dofs, found.T);
      },
      py::arg("model"), py::arg("state"), py::arg("a") = py::none(), py::kw_only(),
      py::arg("workspace") = py::none(),
      "Linear system for the efforts of all drives for the motion a: A efforts = needed.");
}

void bind_design(py::module_& module) {
  module.def(
      "conditioning", [](const Eigen::MatrixXd& K) { return to_record(conditioning(K)); },
      py::arg("K"), "Singular values, condition number and anisotropy of a Jacobian.");
  module.def("scaled", &scaled, py::arg("K"), py::arg("turns"), py::arg("length"),
             "Jacobian scaled by a characteristic length: its first columns, of rotations, are "
             "divided by the length.");
  module.def("best_length", &best_length, py::arg("K"), py::arg("turns"), py::arg("shortest"),
             py::arg("longest"), "The characteristic length with the smallest condition number.");
  module.def(
      "hub_jacobian",
      [](const std::vector<std::array<double, 5>>& layout) {
        return hub_jacobian(to_layout(layout));
      },
      py::arg("layout"), "Jacobian L of the hubs: hub rates = L [turn, x, y] of the platform.");
  module.def(
      "roller_jacobian",
      [](const std::vector<std::array<double, 5>>& layout, double roller_radius) {
        return roller_jacobian(to_layout(layout), roller_radius);
      },
      py::arg("layout"), py::arg("roller_radius"),
      "Jacobian of the rollers in contact: their "
      "rates by [turn, x, y] of the platform.");
  module.def(
      "singular_because",
      [](const std::vector<std::array<double, 5>>& layout) {
        return singular_because(to_layout(layout));
      },
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
      [](const std::vector<std::tuple<std::array<double, 2>, std::array<double, 2>,
                                      std::array<double, 2>, std::array<double, 2>, double>>& given,
         double length, int starts, std::uint32_t seed) {
        std::vector<WheelRange> ranges;
        for (const auto& [roller_angle, axle, bearing, distance, radius] : given)
          ranges.push_back({roller_angle, axle, bearing, distance, radius});
        const LayoutSearch found = best_layout(ranges, length, starts, seed);
        return record("LayoutSearch", from_layout(found.layout), to_record(found.found),
                      found.starts, found.agreeing);
      },
      py::arg("ranges"), py::arg("length"), py::kw_only(), py::arg("starts") = 64,
      py::arg("seed") = 1, "The layout with the smallest anisotropy within ranges (WheelRange).");
}

void bind_dexterity(py::module_& module) {
  module.def(
      "dexterity",
      [](const SharedModel& model, const State& state, const Where& place, double length,
         OwnWorkspace* workspace) {
        Dexterity found;
        ask(model, workspace, [&](Workspace& room) {
          return dexterity(*model, state, resolve(*model, place), length, room, found);
        });
        const auto ellipsoid = [](const Ellipsoid& e) {
          return record("Ellipsoid", Eigen::VectorXd(e.size), Eigen::MatrixXd(e.axes));
        };
        return record("Dexterity", found.drives, found.J, found.ways, found.decided,
                      found.directions, found.length, found.singular, found.condition,
                      found.best_length, found.best_condition, ellipsoid(found.linear),
                      ellipsoid(found.angular), found.singular_because);
      },
      py::arg("model"), py::arg("state"), py::arg("place"), py::kw_only(), py::arg("length") = 0.0,
      py::arg("workspace") = py::none(),
      "Dexterity of any mechanism: Jacobian of a place by the rates of the drives, its singular "
      "values and condition number, with rotations scaled by a length.");
  module.def(
      "model_layout",
      [](const SharedModel& model, const State& state, const Where& place,
         OwnWorkspace* workspace) {
        Positions seen(*model);
        ask(model, workspace,
            [&](Workspace& room) { return positions(*model, state, room, seen); });
        return from_layout(model_layout(*model, seen, resolve(*model, place)).wheels);
      },
      py::arg("model"), py::arg("state"), py::arg("place"), py::kw_only(),
      py::arg("workspace") = py::none(), "The wheel layout of a vehicle relative to a place.");
  module.def(
      "layout_picture",
      [](const std::vector<std::array<double, 5>>& layout, double length, const std::string& title,
         const std::vector<std::string>& names, const std::optional<Eigen::MatrixXd>& by_rates) {
        return layout_picture(
            {title, names, to_layout(layout), by_rates.value_or(Eigen::MatrixXd()), length, {}});
      },
      py::arg("layout"), py::arg("length"), py::kw_only(), py::arg("title") = "",
      py::arg("names") = std::vector<std::string>{}, py::arg("motion_by_rates") = py::none(),
      "An SVG of wheels from above; motion_by_rates, 3 x drives ([turn, x, y]), adds the "
      "ellipses.");
  module.def(
      "dexterity_picture",
      [](const SharedModel& model, const State& state, const Where& place, double length,
         OwnWorkspace* workspace) {
        Dexterity found;
        Kinematics seen(*model);
        const FrameRef at = resolve(*model, place);
        ask(model, workspace, [&](Workspace& room) {
          if (Status status = kinematics(*model, state, {}, room, seen); !status) return status;
          return dexterity(*model, state, at, length, room, found);
        });
        return dexterity_picture(*model, seen, at, found);
      },
      py::arg("model"), py::arg("state"), py::arg("place"), py::kw_only(), py::arg("length") = 0.0,
      py::arg("workspace") = py::none(),
      "An SVG of a mechanism with the velocity ellipsoids of a place that its drives move.");
}

py::object to_record(const PlanarMotion& m) {
  return record("PlanarMotion", m.x, m.y, m.yaw, m.x_rate, m.y_rate, m.yaw_rate, m.x_acceleration,
                m.y_acceleration, m.yaw_acceleration);
}

void bind_paths(py::module_& module) {
  py::class_<PlanarPath>(module, "PlanarPath", "A planar path with its timing.")
      .def_property_readonly("duration", &PlanarPath::duration, "Duration [s].")
      .def(
          "at", [](const PlanarPath& path, double time) { return to_record(path.at(time)); },
          py::arg("time"), "Desired position, velocity and acceleration at a time.")
      .def(
          "with_yaw",
          [](const PlanarPath& path, double from, double to, double start, double over) {
            return path.with_yaw(cycloidal_profile(from, to, start, over));
          },
          py::arg("start_yaw"), py::arg("end_yaw"), py::arg("start"), py::arg("over"),
          "The same path with its own orientation: cycloidal from one yaw to another.");
  module.def("circle_path", &circle_path, py::arg("radius"), py::arg("angle"), py::arg("duration"),
             py::arg("forward") = 0.0, "A circle about the origin with a quintic time law.");
  module.def("straight_path", &straight_path, py::arg("x_end"), py::arg("y_end"),
             py::arg("duration"), py::arg("yaw") = 0.0,
             "A straight line, cycloidal from rest to "
             "rest.");
  module.def(
      "two_straights_path",
      [](double x_start, double x_end, double y_start, double speed, double start_up, double curve,
         double slow_down, double forward) {
        return two_straights_path({x_start, x_end, y_start, speed, start_up, curve, slow_down},
                                  forward);
      },
      py::arg("x_start"), py::arg("x_end"), py::arg("y_start"), py::arg("speed"),
      py::arg("start_up"), py::arg("curve"), py::arg("slow_down"), py::arg("forward") = 0.0,
      "Along y, over a smooth curve, and along y again.");
  module.def(
      "path_through",
      [](const std::vector<double>& times, const std::vector<double>& x,
         const std::vector<double>& y, const std::vector<double>& yaw,
         double forward) { return path_through(times, x, y, yaw, forward); },
      py::arg("times"), py::arg("x"), py::arg("y"), py::arg("yaw") = std::vector<double>{},
      py::arg("forward") = 0.0,
      "A path through points; oriented along the path if no yaw is "
      "given.");
}

// Paths in files; errors are raised with their places.
void bind_described_paths(py::module_& module) {
  module.def(
      "path_names", [](const SharedModel& model) { return path_names(model->description()); },
      py::arg("model"), "The paths of a model, [path.NAME].");
  module.def(
      "find_path",
      [](const SharedModel& model, const std::string& name) {
        Diagnostics found;
        const std::optional<PathDescription> description =
            find_path(model->description(), name, found);
        if (!description) throw ModelError(std::move(found));
        return py::make_tuple(planar_path(*description), description->place);
      },
      py::arg("model"), py::arg("name"),
      "A path of a model, and the name of the body or frame "
      "that follows it.");
  module.def(
      "path_from_file",
      [](const std::string& file, double forward) {
        Diagnostics found;
        std::optional<PointsWay> points = read_path_points(file, found);
        if (!points) throw ModelError(std::move(found));
        return planar_path({.forward = forward, .way = *std::move(points)});
      },
      py::arg("file"), py::arg("forward") = 0.0,
      "A path through the points of a CSV file with the columns t, x, y and optionally yaw.");
}

// Values of all samples, row by row.
template <class Of> Eigen::MatrixXd stacked(std::size_t samples, const Of& of) {
  Eigen::MatrixXd out;
  for (std::size_t k = 0; k < samples; ++k) {
    const auto row = of(k);
    if (k == 0) out.resize(Eigen::Index(samples), Eigen::Index(row.size()));
    for (Eigen::Index i = 0; i < out.cols(); ++i) out(Eigen::Index(k), i) = row[i];
  }
  return out;
}

void bind_follow(py::module_& module) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto of_states = [](const Followed& plan, std::vector<double> State::*what) -> RowMajor {
    return stacked(plan.states.size(), [&](std::size_t k) {
      const std::vector<double>& list = plan.states[k].*what;
      return Eigen::VectorXd(
          Eigen::Map<const Eigen::VectorXd>(list.data(), std::ptrdiff_t(list.size())));
    });
  };
  py::class_<Followed>(module, "Followed", "A vehicle along a path, sample by sample.")
      .def_property_readonly(
          "times", [](const Followed& plan) { return plan.times; }, "Times of the samples [s].")
      .def_property_readonly(
          "q", [=](const Followed& plan) { return of_states(plan, &State::q); },
          "Positions, one row per sample.")
      .def_property_readonly(
          "v", [=](const Followed& plan) { return of_states(plan, &State::v); },
          "Velocities, one row per sample.")
      .def_property_readonly(
          "a",
          [](const Followed& plan) -> RowMajor {
            return stacked(plan.a.size(), [&](std::size_t k) { return plan.a[k]; });
          },
          "Accelerations, one row per sample.")
      .def_property_readonly(
          "tau",
          [](const Followed& plan) -> RowMajor {
            return stacked(plan.efforts.size(), [&](std::size_t k) { return plan.efforts[k].tau; });
          },
          "Efforts, one row per sample.")
      .def_readonly("rollers", &Followed::rollers, "Omni wheels with a given roller_radius.")
      .def_property_readonly(
          "roller_rates",
          [](const Followed& plan) -> RowMajor {
            return stacked(plan.roller_rates.size(),
                           [&](std::size_t k) { return plan.roller_rates[k]; });
          },
          "Rates of the rollers in contact [rad/s], one row per sample.")
      .def_property_readonly(
          "roller_accelerations",
          [](const Followed& plan) -> RowMajor {
            return stacked(plan.roller_accelerations.size(),
                           [&](std::size_t k) { return plan.roller_accelerations[k]; });
          },
          "Angular accelerations of these rollers [rad/s^2], one row per sample.")
      .def_property_readonly(
          "roller_angles",
          [](const Followed& plan) -> RowMajor {
            return stacked(plan.roller_angles.size(),
                           [&](std::size_t k) { return plan.roller_angles[k]; });
          },
          "Rotation angles of these rollers [rad], one row per sample.")
      .def_readonly("position_error", &Followed::position_error,
                    "Largest distance from the path [m].")
      .def_readonly("yaw_error", &Followed::yaw_error, "Largest yaw error [rad].");
  module.def(
      "follow_path",
      [](const SharedModel& model, const State& state, const Where& place, const PlanarPath& path,
         double sample, int steps, bool has_efforts, const PerDrive& weights,
         const PerDrive& limits, const std::vector<std::string>& idle, OwnWorkspace* workspace) {
        Followed found;
        State moving = state;
        ask(model, workspace, [&](Workspace& room) {
          return follow_path(
              *model, moving, resolve(*model, place), path,
              {sample, steps, has_efforts, allocation_options(weights, limits, idle, true)}, room,
              found);
        });
        return found;
      },
      py::arg("model"), py::arg("state"), py::arg("place"), py::arg("path"), py::kw_only(),
      py::arg("sample") = 0.05, py::arg("steps") = 4, py::arg("has_efforts") = true,
      py::arg("weights") = PerDrive{}, py::arg("limits") = PerDrive{},
      py::arg("idle") = std::vector<std::string>{}, py::arg("workspace") = py::none(),
      "Motion and efforts of all joints and drives while a place follows a path: OMNI's levels 1 "
      "to 3 [Saha 1991].");
  module.def(
      "replay_efforts",
      [](const SharedModel& model, const Where& place, const PlanarPath& path,
         const Followed& trajectory, OwnWorkspace* workspace) {
        FollowErrors found;
        ask(model, workspace, [&](Workspace& room) {
          return replay_efforts(*model, resolve(*model, place), path, trajectory, {}, room, found);
        });
        return record("FollowErrors", found.times, found.x, found.y, found.yaw, found.most_x,
                      found.most_y, found.most_yaw, found.most_position, found.most_velocity);
      },
      py::arg("model"), py::arg("place"), py::arg("path"), py::arg("trajectory"), py::kw_only(),
      py::arg("workspace") = py::none(),
      "Simulates under the efforts of a trajectory: errors, desired minus simulated. OMNI's level "
      "4 "
      "[Saha 1991].");
}

}  // namespace

void bind_platforms(py::module_& module) {
  bind_allocation(module);
  bind_design(module);
  bind_dexterity(module);
  bind_paths(module);
  bind_described_paths(module);
  bind_follow(module);
}

}  // namespace trammel::python
