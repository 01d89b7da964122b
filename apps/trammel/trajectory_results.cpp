#include "trajectory_results.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "quantities.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/units.hpp"

namespace trammel::cli {

namespace {

// Columns of a recording, each with the function that computes its value at a sample.
class SampleColumns {
 public:
  template <class Of> void add(const std::string& name, const std::string& unit, const Of& of) {
    recording_.columns.push_back({name, unit, name.substr(0, name.find('.'))});
    columns_.emplace_back(of);
  }
  template <class Name, class Of>
  void add_each(const char* prefix, int n, const Name& name, const std::vector<std::string>& units,
                const Of& of) {
    for (int i = 0; i < n; ++i)
      add(prefix + name(i), units[std::size_t(i)], [=](std::size_t k) { return of(k, i); });
  }
  Recording rows(std::size_t samples) {
    for (std::size_t k = 0; k < samples; ++k)
      for (const auto& column : columns_) recording_.values.push_back(column(k));
    return std::move(recording_);
  }

 private:
  Recording recording_;
  std::vector<std::function<double(std::size_t)>> columns_;
};

// The entry of largest magnitude, and its time.
struct LargestSeen {
  double value = 0, time = 0;
};
template <class Of> LargestSeen largest_seen(const std::vector<double>& times, const Of& of) {
  LargestSeen out{of(std::size_t(0)), times.empty() ? 0 : times[0]};
  for (std::size_t k = 1; k < times.size(); ++k)
    if (std::abs(of(k)) > std::abs(out.value)) out = {of(k), times[k]};
  return out;
}

Answer follow_table(const char* part, std::vector<std::string> rows,
                    std::vector<std::string> columns) {
  Answer out{.part = part,
             .shape = Answer::Shape::table,
             .values = {},
             .rows = std::move(rows),
             .columns = std::move(columns)};
  out.values.setZero(Eigen::Index(out.rows.size()), Eigen::Index(out.columns.size()));
  out.units.assign(out.rows.size() * out.columns.size(), "s");
  return out;
}
void put_number(Answer& answer, std::size_t row, std::size_t column, double value,
                const std::string& unit) {
  answer.values(Eigen::Index(row), Eigen::Index(column)) = value;
  answer.units[row * answer.columns.size() + column] = unit;
}
void put_number(Answer& answer, std::size_t row, std::size_t column, const LargestSeen& found,
                const std::string& unit) {
  put_number(answer, row, column, found.value, unit);
  put_number(answer, row, column + 1, found.time, "s");
}

Answer trajectory_joints(const TrajectoryResults& results) {
  const Model& model = results.model;
  const Trajectory& trajectory = results.trajectory;
  const bool has_positions = results.level >= 2;
  std::vector<std::string> columns{"fastest", "at", "most accelerated", "at "};
  if (has_positions) columns.emplace_back("goes by");
  Answer out = follow_table("joints", dof_names(model), columns);
  const std::vector<std::string> rates = velocity_units(model), changes = acceleration_units(model);
  std::vector<double> way(std::size_t(model.nv()));
  difference(model, trajectory.states.front().q, trajectory.states.back().q, way);
  for (std::size_t f = 0; f < way.size(); ++f) {
    put_number(
        out, f, 0,
        largest_seen(trajectory.times, [&](std::size_t k) { return trajectory.states[k].v[f]; }),
        rates[f]);
    put_number(out, f, 2,
               largest_seen(trajectory.times,
                            [&](std::size_t k) { return trajectory.a[k][Eigen::Index(f)]; }),
               changes[f]);
    if (has_positions) put_number(out, f, 4, way[f], rates[f].substr(0, rates[f].size() - 2));
  }
  return out;
}

Answer trajectory_drives(const TrajectoryResults& results) {
  const Model& model = results.model;
  const Trajectory& trajectory = results.trajectory;
  struct Drive {
    std::string name, unit;
    LargestSeen most;
  };
  std::vector<Drive> run_inputs;
  const auto look = [&](int n, const auto& name, const std::vector<std::string>& units,
                        const auto& of) {
    for (int f = 0; f < n; ++f) {
      const LargestSeen most =
          largest_seen(trajectory.times, [&](std::size_t k) { return of(k, f); });
      if (most.value != 0) run_inputs.push_back({name(f), units[std::size_t(f)], most});
    }
  };
  look(
      model.nv(), [&](int f) { return model.dof_name(f); }, effort_units(model),
      [&](std::size_t k, int f) { return trajectory.efforts[k].tau[f]; });
  look(
      model.loop_nv(), [&](int f) { return model.closure_dof_name(f); }, loop_effort_units(model),
      [&](std::size_t k, int f) { return trajectory.efforts[k].loop_tau[f]; });
  std::vector<std::string> names;
  for (const Drive& drive : run_inputs) names.push_back(drive.name);
  Answer out = follow_table("drives", names, {"largest effort", "at"});
  for (std::size_t k = 0; k < run_inputs.size(); ++k)
    put_number(out, k, 0, run_inputs[k].most, run_inputs[k].unit);
  return out;
}

Answer trajectory_rollers(const TrajectoryResults& results) {
  const Trajectory& trajectory = results.trajectory;
  const bool has_positions = results.level >= 2;
  std::vector<std::string> columns{"fastest", "at"};
  if (has_positions) columns.emplace_back("goes by");
  Answer out = follow_table("rollers", trajectory.rollers, columns);
  for (std::size_t r = 0; r < trajectory.rollers.size(); ++r) {
    const auto rate = [&](std::size_t k) { return trajectory.roller_rates[k][Eigen::Index(r)]; };
    put_number(out, r, 0, largest_seen(trajectory.times, rate), "rad/s");
    if (has_positions)
      put_number(out, r, 2, trajectory.roller_angles.back()[Eigen::Index(r)], "rad");
  }
  return out;
}

Answers tracking_errors(const TrajectoryResults& results) {
  const TrackingErrors& errors = *results.errors;
  Answer place = follow_table("errors", {"x", "y", "yaw"}, {"at most", "at the end"});
  const double most[] = {errors.most_x, errors.most_y, errors.most_yaw};
  const double last[] = {errors.x.back(), errors.y.back(), errors.yaw.back()};
  for (std::size_t k = 0; k < 3; ++k) {
    put_number(place, k, 0, most[k], k < 2 ? "m" : "rad");
    put_number(place, k, 1, last[k], k < 2 ? "m" : "rad");
  }
  Answer joints = follow_table("joint_errors", dof_names(results.model),
                               {"position, at most", "rate, at most"});
  const std::vector<std::string> rates = velocity_units(results.model);
  for (std::size_t f = 0; f < rates.size(); ++f) {
    put_number(joints, f, 0, errors.most_position[Eigen::Index(f)],
               rates[f].substr(0, rates[f].size() - 2));
    put_number(joints, f, 1, errors.most_velocity[Eigen::Index(f)], rates[f]);
  }
  return {place, joints};
}

}  // namespace

Recording samples_of(const TrajectoryResults& results) {
  const Model& model = results.model;
  const Trajectory& trajectory = results.trajectory;
  const auto dof = [&](int f) { return model.dof_name(f); };
  const auto wanted = [&](std::size_t k) { return results.chosen.path.at(trajectory.times[k]); };
  SampleColumns out;
  out.add("time", "s", [&](std::size_t k) { return trajectory.times[k]; });
  out.add("path.x", "m", [=](std::size_t k) { return wanted(k).x; });
  out.add("path.y", "m", [=](std::size_t k) { return wanted(k).y; });
  out.add("path.yaw", "rad", [=](std::size_t k) { return wanted(k).yaw; });
  if (results.level >= 2)
    out.add_each(
        "q.", model.nq(), [&](int c) { return model.coordinate_name(c); }, position_units(model),
        [&](std::size_t k, int c) { return trajectory.states[k].q[std::size_t(c)]; });
  out.add_each("v.", model.nv(), dof, velocity_units(model),
               [&](std::size_t k, int f) { return trajectory.states[k].v[std::size_t(f)]; });
  out.add_each("a.", model.nv(), dof, acceleration_units(model),
               [&](std::size_t k, int f) { return trajectory.a[k][f]; });
  for (std::size_t r = 0; r < trajectory.rollers.size(); ++r) {
    const std::string wheel = "wheel." + trajectory.rollers[r];
    if (results.level >= 2)
      out.add(wheel + ".roller_angle", "rad",
              [&, r](std::size_t k) { return trajectory.roller_angles[k][Eigen::Index(r)]; });
    out.add(wheel + ".roller_rate", "rad/s",
            [&, r](std::size_t k) { return trajectory.roller_rates[k][Eigen::Index(r)]; });
    out.add(wheel + ".roller_acceleration", "rad/s^2",
            [&, r](std::size_t k) { return trajectory.roller_accelerations[k][Eigen::Index(r)]; });
  }
  if (results.level >= 3) {
    out.add_each("tau.", model.nv(), dof, effort_units(model),
                 [&](std::size_t k, int f) { return trajectory.efforts[k].tau[f]; });
    out.add_each(
        "loop_tau.", model.loop_nv(), [&](int f) { return model.closure_dof_name(f); },
        loop_effort_units(model),
        [&](std::size_t k, int f) { return trajectory.efforts[k].loop_tau[f]; });
  }
  if (results.errors) {
    const TrackingErrors& errors = *results.errors;
    const std::vector<std::string> rates = velocity_units(model);
    std::vector<std::string> ways;
    for (const std::string& unit : rates) ways.push_back(unit.substr(0, unit.size() - 2));
    out.add("error.x", "m", [&](std::size_t k) { return errors.x[k]; });
    out.add("error.y", "m", [&](std::size_t k) { return errors.y[k]; });
    out.add("error.yaw", "rad", [&](std::size_t k) { return errors.yaw[k]; });
    out.add_each("error.q.", model.nv(), dof, ways,
                 [&](std::size_t k, int f) { return errors.position[k][f]; });
    out.add_each("error.v.", model.nv(), dof, rates,
                 [&](std::size_t k, int f) { return errors.velocity[k][f]; });
  }
  return out.rows(results.errors ? results.errors->times.size() : trajectory.times.size());
}

std::vector<MotionReport::Path> paths_of(const TrajectoryResults& results) {
  const Model& model = results.model;
  Workspace workspace(model);
  Positions at_start(model);
  double height = 0;
  if (model.wheels().empty() &&
      positions(model, results.trajectory.states.front(), workspace, at_start).ok())
    height = pose(model, at_start, results.chosen.place).p.z;
  std::vector<MotionReport::Path> paths{{"desired path", {}}};
  for (const double time : results.trajectory.times) {
    const PlanarMotion wanted = results.chosen.path.at(time);
    paths[0].points.push_back({wanted.x, wanted.y, height});
  }
  if (results.errors) {
    const TrackingErrors& errors = *results.errors;
    double farthest = 0;
    std::vector<Vec3<double>> points;
    for (std::size_t k = 0; k < errors.times.size(); ++k) {
      const PlanarMotion wanted = results.chosen.path.at(errors.times[k]);
      points.push_back({wanted.x - errors.x[k], wanted.y - errors.y[k], height});
      farthest = std::max(farthest, std::hypot(errors.x[k], errors.y[k]));
    }
    paths.push_back({fmt::format("simulated under these efforts, up to {:.2g} m from it", farthest),
                     std::move(points)});
  }
  return paths;
}

Answers extremes_of(const TrajectoryResults& results) {
  Answers out{trajectory_joints(results)};
  if (!results.trajectory.rollers.empty()) out.push_back(trajectory_rollers(results));
  if (results.level >= 3) out.push_back(trajectory_drives(results));
  if (results.errors)
    for (Answer& answer : tracking_errors(results)) out.push_back(std::move(answer));
  return out;
}

Json trajectory_json(const TrajectoryResults& results) {
  Json out{{"model", results.model.name()},
           {"path", results.chosen.name},
           {"place", results.chosen.place_name},
           {"level", results.level},
           {"duration", results.chosen.path.duration()},
           {"samples", results.trajectory.times.size()},
           {"path_error",
            {{"position", number_json(results.trajectory.position_error)},
             {"yaw", number_json(results.trajectory.yaw_error)}}},
           {"left_out", results.left_out}};
  for (const Answer& answer : extremes_of(results)) out[answer.part] = answer_json(answer);
  return out;
}

}  // namespace trammel::cli
