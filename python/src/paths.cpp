// Planar paths, and vehicles that follow them.
#include "allocation.hpp"
#include "bindings.hpp"
#include "trammel/read/toml/load_path.hpp"
#include "trammel/simulate/path/described_path.hpp"
#include "trammel/simulate/path/follow_path.hpp"

namespace trammel::python {

namespace {

py::object to_record(const PlanarMotion& m) {
  return record("PlanarMotion", m.x, m.y, m.yaw, m.x_rate, m.y_rate, m.yaw_rate, m.x_acceleration,
                m.y_acceleration, m.yaw_acceleration);
}

void bind_planar_paths(py::module_& module) {
  Class<PlanarPath>(module, "PlanarPath", "A planar path with its timing.")
      .field("duration", &PlanarPath::duration, "Duration [s].")
      .method(
          "at", [](const PlanarPath& path, double time) { return to_record(path.at(time)); },
          py::arg("time"), "Desired position, velocity and acceleration at a time.")
      .method(
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
             "A straight line, cycloidal from rest to rest.");
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
      py::arg("times"), py::arg("x"), py::arg("y"), py::arg("yaw") = py::tuple(),
      py::arg("forward") = 0.0,
      "A path through points; oriented along the path if no yaw is given.");
}

// Paths in files; errors are raised with their places.
void bind_described_paths(py::module_& module) {
  define(
      module, "path_names", parameters(),
      [](Call& call) { return path_names(call.model().description()); },
      "The paths of a model, [path.NAME].");
  define(
      module, "find_path", parameters(parameter<std::string>("name")),
      [](Call& call, const std::string& name) {
        Diagnostics found;
        const auto description = find_path(call.model().description(), name, found);
        if (!description) throw ModelError(std::move(found));
        return py::make_tuple(planar_path(*description), description->place);
      },
      "A path of a model, and the name of the body or frame that follows it.");
  module.def(
      "path_from_file",
      [](const py::object& file, double forward) {
        Diagnostics found;
        std::optional<PointsWay> points =
            read_path_points(file_name("path_from_file: file", file), found);
        if (!points) throw ModelError(std::move(found));
        return planar_path({.forward = forward, .way = *std::move(points)});
      },
      py::arg("file"), py::arg("forward") = 0.0,
      "A path through the points of a CSV file with the columns t, x, y and optionally yaw.");
}

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// One row per sample: the vector `of` each element of a list.
template <class Item, class Of> RowMajor stacked(const std::vector<Item>& samples, const Of& of) {
  RowMajor out;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const auto& row = of(samples[k]);
    const Eigen::Map<const Eigen::RowVectorXd> numbers(row.data(), Eigen::Index(row.size()));
    if (k == 0) out.resize(Eigen::Index(samples.size()), numbers.size());
    out.row(Eigen::Index(k)) = numbers;
  }
  return out;
}
// A trajectory that knows its model: names of joints are keys.
struct ModelTrajectory : Trajectory {
  ModelTrajectory() = default;
  ModelTrajectory(Trajectory trajectory, std::shared_ptr<const SharedModel> model_)
      : Trajectory(std::move(trajectory)), model(std::move(model_)) {}
  std::shared_ptr<const SharedModel> model;
};

// The getter of a list of vectors of a Trajectory; with names of joints if they have entries.
template <class Vector>
auto rows_of(std::vector<Vector> Trajectory::*list, std::optional<Space> space = {}) {
  return [=](const ModelTrajectory& trajectory) -> py::object {
    const RowMajor rows =
        stacked(trajectory.*list, [](const Vector& row) -> const Vector& { return row; });
    return space ? joint_array(*trajectory.model, *space, rows) : py::cast(rows);
  };
}

void bind_trajectory(py::module_& module) {
  const auto states = [](std::vector<double> State::*part, Space space) {
    return [=](const ModelTrajectory& trajectory) {
      return joint_array(
          *trajectory.model, space,
          stacked(trajectory.states,
                  [=](const State& state) -> const std::vector<double>& { return state.*part; }));
    };
  };
  Class<ModelTrajectory>(
      module, "Trajectory",
      "A vehicle along a path, sample by sample: tau['left'] are the efforts of a joint.")
      .field("times", &Trajectory::times, "Times of the samples [s].")
      .field("q", states(&State::q, Space::q), "Positions, one row per sample.")
      .field("v", states(&State::v, Space::v), "Velocities, one row per sample.")
      .field("a", rows_of(&Trajectory::a, Space::v), "Accelerations, one row per sample.")
      .field(
          "tau",
          [](const ModelTrajectory& trajectory) {
            return joint_array(*trajectory.model, Space::v,
                               stacked(trajectory.efforts,
                                       [](const DriveEfforts& efforts) -> const Eigen::VectorXd& {
                                         return efforts.tau;
                                       }));
          },
          "Efforts, one row per sample.")
      .field("rollers", &Trajectory::rollers, "Omni wheels with a given roller_radius.")
      .field("roller_rates", rows_of(&Trajectory::roller_rates),
             "Rates of the rollers in contact [rad/s], one row per sample.")
      .field("roller_accelerations", rows_of(&Trajectory::roller_accelerations),
             "Angular accelerations of these rollers [rad/s^2], one row per sample.")
      .field("roller_angles", rows_of(&Trajectory::roller_angles),
             "Rotation angles of these rollers [rad], one row per sample.")
      .repr([](const ModelTrajectory& trajectory) {
        return "<Trajectory of '" + (*trajectory.model)->name() +
               "': " + std::to_string(trajectory.times.size()) + " samples>";
      })
      .field("position_error", &Trajectory::position_error, "Largest distance from the path [m].")
      .field("yaw_error", &Trajectory::yaw_error, "Largest yaw error [rad].");
}

void bind_following(py::module_& module) {
  define(
      module, "follow_path",
      parameters(in::state, in::place, parameter<PlanarPath>("path"), keyword_only,
                 parameter<double>("sample", 0.05), parameter<int>("steps", 4),
                 parameter<bool>("has_efforts", true), allocation_parameters, in::workspace),
      [](Call& call, const FrameRef& place, const PlanarPath& path, double sample, int steps,
         bool has_efforts, const PerDrive& weights, const PerDrive& limits,
         const std::vector<std::string>& idle) {
        Trajectory found;
        State moving = call.state();
        const FollowOptions options{sample, steps, has_efforts,
                                    allocation_options(weights, limits, idle, true)};
        call.evaluate([&](Workspace& workspace) {
          return follow_path(call.model(), moving, place, path, options, workspace, found);
        });
        return ModelTrajectory(std::move(found), call.shared_model().shared_from_this());
      },
      "Motion and efforts of all joints and drives while a place follows a path: OMNI's levels 1 "
      "to 3 [Saha 1991].");
  define(
      module, "replay_efforts",
      parameters(in::place, parameter<PlanarPath>("path"), parameter<ModelTrajectory>("trajectory"),
                 keyword_only, in::workspace),
      [](Call& call, const FrameRef& place, const PlanarPath& path,
         const ModelTrajectory& trajectory) {
        TrackingErrors found;
        call.evaluate([&](Workspace& workspace) {
          return replay_efforts(call.model(), place, path, trajectory, {}, workspace, found);
        });
        return record("TrackingErrors", found.times, found.x, found.y, found.yaw, found.most_x,
                      found.most_y, found.most_yaw, found.most_position, found.most_velocity);
      },
      "Simulates under the efforts of a trajectory: errors, desired minus simulated. OMNI's level "
      "4 "
      "[Saha 1991].");
}

}  // namespace

void bind_paths(py::module_& module) {
  bind_planar_paths(module);
  bind_described_paths(module);
  bind_trajectory(module);
  bind_following(module);
}

}  // namespace trammel::python
