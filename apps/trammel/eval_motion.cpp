// Kinematic quantities: poses, velocities, accelerations, Jacobians, momentum, energy.
#include <cmath>
#include <limits>

#include "quantities.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/momentum.hpp"
#include "trammel/model/units.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel::cli {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct NamedPlace {
  std::string name;
  FrameRef at;
};

// The given place, or else every body and every frame.
std::vector<NamedPlace> places(const EvalRequest& request) {
  if (request.place) return {{request.place_name, *request.place}};
  std::vector<NamedPlace> out;
  for (std::size_t k = 1; k < request.model.named_bodies().size(); ++k)
    out.push_back({request.model.named_bodies()[k].name, {BodyId(int(k))}});
  for (const NamedFrame& frame : request.model.frames())
    out.push_back({frame.name, frame_ref(request.model, frame.name)});
  return out;
}

Kinematics kinematics_of(EvalRequest& request) {
  Kinematics out(request.model);
  expect_ok(kinematics(request.model, request.state(), request.inputs(), request.workspace, out));
  return out;
}

Answer table_of_places(const std::vector<NamedPlace>& where, std::vector<std::string> columns,
                       std::string frame, std::string part = {}) {
  Answer answer{.part = std::move(part),
                .shape = Answer::Shape::table,
                .columns = std::move(columns),
                .frame = std::move(frame)};
  for (const NamedPlace& place : where) answer.rows.push_back(place.name);
  answer.values.resize(std::ptrdiff_t(where.size()), std::ptrdiff_t(answer.columns.size()));
  return answer;
}

void put(Eigen::MatrixXd& values, std::size_t row, int column, const Vec3<double>& x) {
  const std::ptrdiff_t i = std::ptrdiff_t(row);
  values(i, column) = x.x, values(i, column + 1) = x.y, values(i, column + 2) = x.z;
}

// angular units in the first three columns, linear units in the others
std::vector<std::string> six_units(std::size_t rows, const char* angular, const char* linear) {
  std::vector<std::string> units;
  for (std::size_t i = 0; i < rows; ++i)
    for (int j = 0; j < 6; ++j) units.emplace_back(j < 3 ? angular : linear);
  return units;
}

std::string axes_of_places(const EvalRequest& request) {
  return request.axes == Axes::world ? "world"
         : request.place             ? request.place_name
                                     : "each its own";
}

template <class Of>
Answers motions(EvalRequest& request, std::vector<std::string> columns, const char* angular,
                const char* linear, const Of& of) {
  const Kinematics kinematics = kinematics_of(request);
  const std::vector<NamedPlace> where = places(request);
  Answer answer = table_of_places(where, std::move(columns), axes_of_places(request));
  for (std::size_t k = 0; k < where.size(); ++k) {
    const Motion<double> motion = of(request.model, kinematics, where[k].at, request.axes);
    put(answer.values, k, 0, motion.angular);
    put(answer.values, k, 3, motion.linear);
  }
  answer.units = six_units(where.size(), angular, linear);
  return {answer};
}

const std::vector<std::string> momentum_names{"Lx", "Ly", "Lz", "px", "py", "pz"};

Answers six(const Momentum& p) {
  const double values[] = {p.angular.x, p.angular.y, p.angular.z,
                           p.linear.x,  p.linear.y,  p.linear.z};
  return {list_answer(momentum_names, values, six_units(1, "kg m^2/s", "kg m/s"), "world")};
}

}  // namespace

Answers eval_poses(EvalRequest& request) {
  const Kinematics kinematics = kinematics_of(request);
  const std::vector<NamedPlace> where = places(request);
  Answer position = table_of_places(where, {"x", "y", "z"}, "world", "position");
  Answer turn = table_of_places(where, {"w", "x", "y", "z"}, "world", "quaternion");
  for (std::size_t k = 0; k < where.size(); ++k) {
    const Pose<double> X = pose(request.model, kinematics, where[k].at);
    put(position.values, k, 0, X.p);
    const Quaternion<double> w = quaternion(X.R);
    turn.values(std::ptrdiff_t(k), 0) = w.w;
    put(turn.values, k, 1, {w.x, w.y, w.z});
  }
  position.units = {"m"};
  turn.units = {"1"};
  return {position, turn};
}

Answers eval_rotations(EvalRequest& request) {
  const Kinematics kinematics = kinematics_of(request);
  const std::vector<NamedPlace> where = places(request);
  Answer answer{
      .shape = Answer::Shape::table, .columns = {"x", "y", "z"}, .units = {"1"}, .frame = "world"};
  answer.values.resize(3 * std::ptrdiff_t(where.size()), 3);
  for (std::size_t k = 0; k < where.size(); ++k) {
    const Mat3<double> rows = transpose(pose(request.model, kinematics, where[k].at).R);
    const Vec3<double> row[] = {rows.x, rows.y, rows.z};
    for (std::size_t i = 0; i < 3; ++i) {
      answer.rows.push_back(where[k].name + "." + "xyz"[i]);
      put(answer.values, 3 * k + i, 0, row[i]);
    }
  }
  return {answer};
}

Answers eval_velocities(EvalRequest& request) {
  return motions(request, {"wx", "wy", "wz", "vx", "vy", "vz"}, "rad/s", "m/s", velocity);
}

// Accelerations under the efforts or wrenches, if these are given; else with those of --a.
Answers eval_accelerations(EvalRequest& request) {
  if (request.has_efforts) {
    std::vector<double> a(std::size_t(request.model.nv()));
    expect_ok(
        forward_dynamics(request.model, request.state(), request.inputs(), request.workspace, a));
    request.prescribed_a = a;
  }
  return motions(request, {"alpha_x", "alpha_y", "alpha_z", "ax", "ay", "az"}, "rad/s^2", "m/s^2",
                 acceleration);
}

Answers eval_jacobian(EvalRequest& request) {
  const Kinematics kinematics = kinematics_of(request);
  Answer answer{.shape = Answer::Shape::table,
                .rows = {"wx", "wy", "wz", "vx", "vy", "vz"},
                .columns = dof_names(request.model),
                .frame = frame_name(request)};
  answer.values.resize(6, request.model.nv());
  expect_ok(jacobian(request.model, kinematics, *request.place, request.axes, answer.values));
  for (int i = 0; i < 6; ++i)
    for (const DofKind kind : dof_kinds(request.model))
      answer.units.emplace_back(kind == DofKind::turn ? (i < 3 ? "1" : "m/rad")
                                                      : (i < 3 ? "rad/m" : "1"));
  return {answer};
}

Answers eval_jacobian_rate(EvalRequest& request) {
  Motion<double> out;
  expect_ok(jacobian_rate(request.model, request.state(), *request.place, request.axes,
                          request.workspace, out));
  const double values[] = {out.angular.x, out.angular.y, out.angular.z,
                           out.linear.x,  out.linear.y,  out.linear.z};
  return {list_answer({"alpha_x", "alpha_y", "alpha_z", "ax", "ay", "az"}, values,
                      six_units(1, "rad/s^2", "m/s^2"), frame_name(request))};
}

Answers eval_loop_motion(EvalRequest& request) {
  LoopMotion found;
  expect_ok(loop_motion(request.model, request.state(), request.workspace, found));
  const auto list = [](const Eigen::VectorXd& x) {
    return std::span(x.data(), std::size_t(x.size()));
  };
  return {list_answer(loop_coordinate_names(request.model), list(found.q),
                      loop_position_units(request.model), "", "position"),
          list_answer(loop_dof_names(request.model), list(found.v),
                      loop_velocity_units(request.model), "", "velocity")};
}

Answers eval_com(EvalRequest& request) {
  CenterOfMass out;
  expect_ok(center_of_mass(request.model, request.state(), request.workspace, out));
  const double position[] = {out.position.x, out.position.y, out.position.z};
  const double speed[] = {out.velocity.x, out.velocity.y, out.velocity.z};
  return {list_answer({"mass"}, {&out.mass, 1}, {"kg"}, "", "mass"),
          list_answer({"x", "y", "z"}, position, {"m"}, "world", "position"),
          list_answer({"vx", "vy", "vz"}, speed, {"m/s"}, "world", "velocity")};
}

Answers eval_energy(EvalRequest& request) {
  Energy out;
  expect_ok(energy(request.model, request.state(), request.workspace, out));
  const double values[] = {out.kinetic, out.gravity, out.elastic, out.total()};
  return {list_answer({"kinetic", "gravity", "elastic", "total"}, values, {"J"})};
}

Answers eval_momentum(EvalRequest& request) {
  Momentum out;
  expect_ok(momentum(request.model, request.state(), request.workspace, out));
  return six(out);
}

Answers eval_centroidal_momentum(EvalRequest& request) {
  Momentum out;
  expect_ok(centroidal_momentum(request.model, request.state(), request.workspace, out));
  return six(out);
}

Answers eval_centroidal_momentum_matrix(EvalRequest& request) {
  Answer answer{.shape = Answer::Shape::table,
                .rows = momentum_names,
                .columns = dof_names(request.model),
                .frame = "world"};
  answer.values.resize(6, request.model.nv());
  expect_ok(
      centroidal_momentum_matrix(request.model, request.state(), request.workspace, answer.values));
  for (int i = 0; i < 6; ++i)
    for (const DofKind kind : dof_kinds(request.model))
      answer.units.emplace_back(kind == DofKind::turn ? (i < 3 ? "kg m^2" : "kg m")
                                                      : (i < 3 ? "kg m" : "kg"));
  return {answer};
}

Answers eval_limits(EvalRequest& request) {
  const Model& model = request.model;
  const auto limit = [](const std::vector<double>& limits, int k) {
    return limits.empty() ? none : limits[limits.size() == 1 ? 0 : std::size_t(k)];
  };
  Answer position{.part = "position",
                  .shape = Answer::Shape::table,
                  .rows = coordinate_names(model),
                  .columns = {"value", "lower", "upper"}};
  Answer speed{.part = "velocity",
               .shape = Answer::Shape::table,
               .rows = dof_names(model),
               .columns = {"value", "limit"}};
  position.values.resize(model.nq(), 3);
  speed.values.resize(model.nv(), 2);
  for (const NamedJoint& joint : model.joints()) {
    for (int k = 0; k < joint.nq; ++k)
      put(position.values, std::size_t(joint.q_start + k), 0,
          {request.state().q[std::size_t(joint.q_start + k)], limit(joint.limits.lower, k),
           limit(joint.limits.upper, k)});
    for (int k = 0; k < joint.nv; ++k)
      speed.values.row(joint.v_start + k) << request.state().v[std::size_t(joint.v_start + k)],
          limit(joint.limits.velocity, k);
  }
  for (const std::string& unit : position_units(model))
    position.units.insert(position.units.end(), 3, unit);
  for (const std::string& unit : velocity_units(model))
    speed.units.insert(speed.units.end(), 2, unit);
  return {position, speed};
}

}  // namespace trammel::cli
