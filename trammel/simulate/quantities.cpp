#include "trammel/simulate/quantities.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "trammel/constraint/equations/closure_error.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"
#include "trammel/constraint/forces/wheel_contacts.hpp"
#include "trammel/constraint/kinds/rolling.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/momentum.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/model/description/run_words.hpp"
#include "trammel/model/units.hpp"
#include "trammel/simulate/checks/power.hpp"
#include "trammel/simulate/events/condition.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

Status Sample::accelerate() {
  if (!a.empty()) return {};
  run_inputs.evaluate(state, acting);
  a.resize(std::size_t(model.nv()));
  return forward_dynamics(model, state, run_inputs.inputs(acting), workspace, a);
}

namespace {

using Row = std::vector<double>;
using ColumnList = std::vector<Column>;

void append(Row& out, std::span<const double> numbers) {
  out.insert(out.end(), numbers.begin(), numbers.end());
}
void append(Row& out, const Vec3<double>& x) { append(out, std::array{x.x, x.y, x.z}); }

ColumnList each(const char* prefix, int n, std::string (Model::*name)(int) const,
                const Model& model, const std::vector<std::string>& units) {
  ColumnList columns;
  for (int k = 0; k < n; ++k)
    columns.push_back({prefix + (model.*name)(k), units[std::size_t(k)], {}});
  return columns;
}
void add_three(ColumnList& columns, const std::string& prefix, const char* unit) {
  for (const char* axis : {".x", ".y", ".z"}) columns.push_back({prefix + axis, unit, {}});
}

ColumnList position_columns(const Model& model) {
  return each("q.", model.nq(), &Model::coordinate_name, model, position_units(model));
}
Status positions_of(Sample& sample, Row& out) {
  append(out, sample.state.q);
  return {};
}

ColumnList velocity_columns(const Model& model) {
  return each("v.", model.nv(), &Model::dof_name, model, velocity_units(model));
}
Status velocities_of(Sample& sample, Row& out) {
  append(out, sample.state.v);
  return {};
}

ColumnList acceleration_columns(const Model& model) {
  return each("a.", model.nv(), &Model::dof_name, model, acceleration_units(model));
}
Status accelerations_of(Sample& sample, Row& out) {
  if (Status status = sample.accelerate(); !status) return status;
  append(out, sample.a);
  return {};
}

// Values of the initial model's columns, found by name in the current model; nan if no longer
// there.
void append_by_name(Row& out, std::span<const double> x, const std::vector<std::string>& wanted,
                    const std::vector<std::string>& there) {
  if (wanted == there) return append(out, x);
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t k = 0; k < there.size(); ++k) index.emplace(there[k], k);
  for (const std::string& name : wanted) {
    const auto found = index.find(name);
    out.push_back(found == index.end() ? std::numeric_limits<double>::quiet_NaN()
                                       : x[found->second]);
  }
}

void add_named(ColumnList& columns, const char* prefix, const std::vector<std::string>& names,
               const std::vector<std::string>& units) {
  for (std::size_t k = 0; k < names.size(); ++k)
    columns.push_back({prefix + names[k], units[k], {}});
}

ColumnList effort_columns(const Model& model) {
  ColumnList columns = each("tau.", model.nv(), &Model::dof_name, model, effort_units(model));
  add_named(columns, "tau.", loop_dof_names(model), loop_effort_units(model));
  return columns;
}
Status efforts_of(Sample& sample, Row& out) {
  sample.run_inputs.evaluate(sample.state, sample.acting);
  Row tau = sample.acting.tau, loop_tau = sample.acting.loop_tau;
  // adds the efforts of prescribed and locked joints
  if (Status status =
          add_led_efforts(sample.model, sample.state, sample.run_inputs.inputs(sample.acting),
                          sample.workspace, tau, loop_tau);
      !status)
    return status;
  append(out, tau);
  append_by_name(out, loop_tau, loop_dof_names(sample.began), loop_dof_names(sample.model));
  return {};
}

ColumnList loop_columns(const Model& model) {
  ColumnList columns;
  add_named(columns, "loop.q.", loop_coordinate_names(model), loop_position_units(model));
  add_named(columns, "loop.v.", loop_dof_names(model), loop_velocity_units(model));
  return columns;
}
Status loops_of(Sample& sample, Row& out) {
  LoopMotion motion;
  if (Status status = loop_motion(sample.model, sample.state, sample.workspace, motion); !status)
    return status;
  const auto numbers = [](const Eigen::VectorXd& x) {
    return std::span(x.data(), std::size_t(x.size()));
  };
  append_by_name(out, numbers(motion.q), loop_coordinate_names(sample.began),
                 loop_coordinate_names(sample.model));
  append_by_name(out, numbers(motion.v), loop_dof_names(sample.began),
                 loop_dof_names(sample.model));
  return {};
}

void add_pose(ColumnList& columns, const std::string& prefix) {
  add_three(columns, prefix, "m");
  for (const char* part : {".qw", ".qx", ".qy", ".qz"}) columns.push_back({prefix + part, "1", {}});
}
void append(Row& out, const Pose<double>& X) {
  append(out, X.p);
  const Quaternion<double> w = quaternion(X.R);
  append(out, std::array{w.w, w.x, w.y, w.z});
}

ColumnList pose_columns(const Model& model) {
  ColumnList columns;
  for (std::size_t b = 1; b < model.named_bodies().size(); ++b)
    add_pose(columns, "pose." + model.named_bodies()[b].name);
  return columns;
}
Status poses_of(Sample& sample, Row& out) {
  Positions seen(sample.model);
  if (Status status = positions(sample.model, sample.state, sample.workspace, seen); !status)
    return status;
  for (std::size_t b = 1; b < sample.model.named_bodies().size(); ++b)
    append(out, pose(sample.model, seen, {BodyId(int(b))}));
  return {};
}

ColumnList frame_columns(const Model& model) {
  ColumnList columns;
  for (const NamedFrame& frame : model.frames()) add_pose(columns, "frame." + frame.name);
  return columns;
}
Status frames_of(Sample& sample, Row& out) {
  const Model& model = sample.began;  // frames move with their bodies, in every mode
  Positions seen(sample.model);
  if (Status status = positions(sample.model, sample.state, sample.workspace, seen); !status)
    return status;
  for (std::size_t f = 0; f < model.frames().size(); ++f)
    append(out, pose(sample.model, seen, {model.frames()[f].body, model.numbers().X_UF[f]}));
  return {};
}

ColumnList distance_columns(const Model& model) {
  ColumnList columns;
  const auto frames = model.frames();
  for (std::size_t f = 0; f < frames.size(); ++f)
    for (std::size_t other = f + 1; other < frames.size(); ++other)
      columns.push_back({"distance." + frames[f].name + ":" + frames[other].name, "m", {}});
  return columns;
}
Status distances_of(Sample& sample, Row& out) {
  const Model& model = sample.began;
  Positions seen(sample.model);
  if (Status status = positions(sample.model, sample.state, sample.workspace, seen); !status)
    return status;
  std::vector<Vec3<double>> places;
  for (std::size_t f = 0; f < model.frames().size(); ++f)
    places.push_back(pose(sample.model, seen, {model.frames()[f].body, model.numbers().X_UF[f]}).p);
  for (std::size_t f = 0; f < places.size(); ++f)
    for (std::size_t other = f + 1; other < places.size(); ++other)
      out.push_back(norm(places[other] - places[f]));
  return {};
}

ColumnList reaction_columns(const Model& model) {
  ColumnList columns;
  for (const NamedJoint& joint : model.joints()) {
    add_three(columns, "reaction." + joint.name + ".moment", "N m");
    add_three(columns, "reaction." + joint.name + ".force", "N");
  }
  return columns;
}
Status reactions_of(Sample& sample, Row& out) {
  if (Status status = sample.accelerate(); !status) return status;
  Inputs inputs = sample.run_inputs.inputs(sample.acting);
  // with loops the accelerations are computed again from the efforts
  if (!sample.model.has_constraints()) inputs.a = sample.a;
  std::vector<Force<double>> forces;
  if (Status status = reactions(sample.model, sample.state, inputs, sample.workspace, forces);
      !status)
    return status;
  for (const Force<double>& F : forces) {
    append(out, F.moment);
    append(out, F.force);
  }
  return {};
}

ColumnList energy_columns(const Model&) {
  ColumnList columns;
  for (const char* part : {"kinetic", "gravity", "elastic", "total"})
    columns.push_back({std::string("energy.") + part, "J", {}});
  return columns;
}
Status energy_of(Sample& sample, Row& out) {
  Energy now;
  if (Status status = energy(sample.model, sample.state, sample.workspace, now); !status)
    return status;
  append(out, std::array{now.kinetic, now.gravity, now.elastic, now.total()});
  return {};
}

ColumnList momentum_columns(const Model&) {
  ColumnList columns;
  add_three(columns, "momentum.angular", "N m s");
  add_three(columns, "momentum.linear", "N s");
  return columns;
}
Status momentum_of(Sample& sample, Row& out) {
  Momentum now;
  if (Status status = momentum(sample.model, sample.state, sample.workspace, now); !status)
    return status;
  append(out, now.angular);
  append(out, now.linear);
  return {};
}

ColumnList com_columns(const Model&) {
  ColumnList columns;
  add_three(columns, "com", "m");
  return columns;
}
Status com_of(Sample& sample, Row& out) {
  CenterOfMass now;
  if (Status status = center_of_mass(sample.model, sample.state, sample.workspace, now); !status)
    return status;
  append(out, now.position);
  return {};
}

ColumnList wheel_columns(const Model& model) {
  ColumnList columns;
  for (const Wheel& wheel : model.wheels()) {
    const std::string prefix =
        "wheel." + model.description().wheels[std::size_t(wheel.description)].name + ".";
    for (const RollingRow& row : rolling_rows(wheel)) {
      std::string what = row.name;  // "force along the roller"
      what = what.substr(what.find(' ') + 1);
      std::ranges::replace(what, ' ', '_');
      columns.push_back({prefix + what, "N", {}});
    }
    add_three(columns, prefix + "point", "m");
    if (wheel.roller_radius > 0) columns.push_back({prefix + "roller_rate", "rad/s", {}});
  }
  return columns;
}
Status wheels_of(Sample& sample, Row& out) {
  sample.run_inputs.evaluate(sample.state, sample.acting);
  std::vector<WheelContact> contacts;
  if (Status status =
          wheel_contacts(sample.model, sample.state, sample.run_inputs.inputs(sample.acting),
                         sample.workspace, contacts);
      !status)
    return status;
  for (const WheelContact& contact : contacts) {
    for (const WheelContact::RowForce& push : contact.row_forces) out.push_back(push.force);
    append(out, contact.point);
    if (contact.roller_rate) out.push_back(*contact.roller_rate);
  }
  return {};
}

ColumnList contact_columns(const Model& model) {
  ColumnList columns;
  for (const ContactDescription& contact : model.description().contacts) {
    const std::string prefix = "contact." + contact.name;
    add_three(columns, prefix + ".point", "m");
    columns.push_back({prefix + ".depth", "m", {}});
    columns.push_back({prefix + ".press", "N", {}});
    add_three(columns, prefix + ".normal", "N");
    add_three(columns, prefix + ".friction", "N");
  }
  return columns;
}
Status contacts_of(Sample& sample, Row& out) {
  sample.run_inputs.evaluate(sample.state, sample.acting);
  std::vector<ContactForce> contacts;
  if (Status status =
          sample.run_inputs.contact_forces(sample.state, sample.acting, sample.workspace, contacts);
      !status)
    return status;
  for (const ContactForce& contact : contacts) {
    append(out, contact.point);
    append(out, std::array{contact.depth, contact.press});
    append(out, contact.normal);
    append(out, contact.friction);
  }
  return {};
}

ColumnList violation_columns(const Model&) {
  return {{"violation.position", "m", {}}, {"violation.velocity", "m/s", {}}};
}
Status violations_of(Sample& sample, Row& out) {
  const ClosureError error = closure_error(sample.model, sample.state, sample.workspace);
  append(out, std::array{error.position, error.velocity});
  return {};
}

ColumnList power_columns(const Model&) {
  ColumnList columns;
  for (const char* part : {"stored", "drives", "losses", "residual"})
    columns.push_back({std::string("power.") + part, "W", {}});
  return columns;
}
Status power_of(Sample& sample, Row& out) {
  if (Status status = sample.accelerate(); !status) return status;
  Power now;
  if (Status status = power(sample.model, sample.state, sample.run_inputs.inputs(sample.acting),
                            sample.a, sample.workspace, now);
      !status)
    return status;
  append(out, std::array{now.stored, now.drives, now.losses, now.residual()});
  return {};
}

ColumnList condition_columns(const Model&) {
  return {{"condition.rows", "1", {}}, {"condition.inertia", "1", {}}};
}
Status condition_of(Sample& sample, Row& out) {
  ConditionNumbers now;
  if (Status status = condition(sample.model, sample.state, sample.workspace, now); !status)
    return status;
  append(out, std::array{now.rows, now.inertia});
  return {};
}

constexpr std::array entries{
    Quantity{{"positions", "q of every joint"}, position_columns, positions_of},
    Quantity{{"velocities", "v of every joint"}, velocity_columns, velocities_of},
    Quantity{{"accelerations", "a of every joint"}, acceleration_columns, accelerations_of},
    Quantity{{"efforts", "efforts on every joint, those of prescribed motions included"},
             effort_columns,
             efforts_of},
    Quantity{{"loops", "q and v of the loop joints"}, loop_columns, loops_of},
    Quantity{{"poses", "pose of every body, in the world"}, pose_columns, poses_of},
    Quantity{{"frames", "pose of every frame, in the world"}, frame_columns, frames_of},
    Quantity{{"distances", "from every frame to every other"}, distance_columns, distances_of},
    Quantity{{"reactions", "reaction wrench of every joint, at its moving frame"},
             reaction_columns,
             reactions_of},
    Quantity{{"wheels", "contact forces and points of every wheel, rates of rollers"},
             wheel_columns,
             wheels_of},
    Quantity{{"contacts", "points, depths and forces of contacts"}, contact_columns, contacts_of},
    Quantity{{"energy", "kinetic, gravity, elastic, total"}, energy_columns, energy_of},
    Quantity{{"momentum", "about ground's origin, in the world"}, momentum_columns, momentum_of},
    Quantity{{"com", "center of mass of all moving bodies"}, com_columns, com_of},
    Quantity{{"violations", "constraint violation of the loops, and its rate"},
             violation_columns,
             violations_of},
    Quantity{{"power", "rate of energy, power of drives, losses, and the residual"},
             power_columns,
             power_of},
    Quantity{{"condition", "condition numbers of the constraint rows and of the inertia"},
             condition_columns,
             condition_of},
};
static_assert(std::ranges::equal(entries, run_quantities, {},
                                 [](const Quantity& q) { return q.what.name; }));

}  // namespace

std::span<const Quantity> quantities() { return entries; }

}  // namespace trammel
