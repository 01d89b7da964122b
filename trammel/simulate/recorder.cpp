#include "trammel/simulate/recorder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/constraint/closure_error.hpp"
#include "trammel/constraint/loop_motion.hpp"
#include "trammel/constraint/rolling.hpp"
#include "trammel/constraint/wheel_contacts.hpp"
#include "trammel/dynamics/contact_forces.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/hybrid_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/momentum.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/model/units.hpp"
#include "trammel/simulate/condition.hpp"
#include "trammel/simulate/power.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

struct Recorder::Sample {
  const Model& model;
  const Model& began;  // as, whose columns are kept
  const State& state;
  const Drives& drives;
  Drives::Acting& acting;
  Workspace& workspace;
  std::vector<double> a = {};

  Status accelerate() {
    if (!a.empty()) return {};
    drives.look(state, acting);
    a.resize(std::size_t(model.nv()));
    return forward_dynamics(model, state, drives.inputs(acting), workspace, a);
  }
};

namespace {

using Sample = Recorder::Sample;
using Row = std::vector<double>;
using Columns = std::vector<Column>;

void append(Row& out, std::span<const double> numbers) {
  out.insert(out.end(), numbers.begin(), numbers.end());
}
void append(Row& out, const Vec3<double>& x) { append(out, std::array{x.x, x.y, x.z}); }

Columns each(const char* prefix, int n, std::string (Model::*name)(int) const, const Model& model,
             const std::vector<std::string>& units) {
  Columns columns;
  for (int k = 0; k < n; ++k)
    columns.push_back({prefix + (model.*name)(k), units[std::size_t(k)], {}});
  return columns;
}
void add_three(Columns& columns, const std::string& prefix, const char* unit) {
  for (const char* axis : {".x", ".y", ".z"}) columns.push_back({prefix + axis, unit, {}});
}

Columns position_columns(const Model& model) {
  return each("q.", model.nq(), &Model::coordinate_name, model, position_units(model));
}
Status positions_of(Sample& sample, Row& out) {
  append(out, sample.state.q);
  return {};
}

Columns velocity_columns(const Model& model) {
  return each("v.", model.nv(), &Model::freedom_name, model, velocity_units(model));
}
Status velocities_of(Sample& sample, Row& out) {
  append(out, sample.state.v);
  return {};
}

Columns acceleration_columns(const Model& model) {
  return each("a.", model.nv(), &Model::freedom_name, model, acceleration_units(model));
}
Status accelerations_of(Sample& sample, Row& out) {
  if (Status status = sample.accelerate(); !status) return status;
  append(out, sample.a);
  return {};
}

Columns effort_columns(const Model& model) {
  return each("tau.", model.nv(), &Model::freedom_name, model, effort_units(model));
}
Status efforts_of(Sample& sample, Row& out) {
  sample.drives.look(sample.state, sample.acting);
  if (!sample.drives.are_still()) {
    append(out, sample.acting.tau);
    return {};
  }
  // with what holds the planned joints
  Row a(std::size_t(sample.model.nv())), tau(a);
  const Status status = hybrid_dynamics(
      sample.model, sample.state, sample.drives.inputs(sample.acting), sample.workspace, a, tau);
  append(out, tau);
  return status;
}

Columns loop_columns(const Model& model) {
  Columns columns;
  const auto add = [&](const char* prefix, const std::vector<std::string>& names,
                       const std::vector<std::string>& units) {
    for (std::size_t k = 0; k < names.size(); ++k)
      columns.push_back({prefix + names[k], units[k], {}});
  };
  add("loop.q.", loop_coordinate_names(model), loop_position_units(model));
  add("loop.v.", loop_freedom_names(model), loop_velocity_units(model));
  return columns;
}
Status loops_of(Sample& sample, Row& out) {
  LoopMotion motion;
  if (Status status = loop_motion(sample.model, sample.state, sample.workspace, motion); !status)
    return status;
  // each loop of the beginning where it is among those of now
  const auto add = [&](const Eigen::VectorXd& x, const std::vector<std::string>& wanted,
                       const std::vector<std::string>& there) {
    for (const std::string& name : wanted) {
      const auto found = std::ranges::find(there, name);
      out.push_back(found == there.end() ? std::numeric_limits<double>::quiet_NaN()
                                         : x[found - there.begin()]);
    }
  };
  if (&sample.model == &sample.began) {
    for (const Eigen::VectorXd* x : {&motion.q, &motion.v})
      append(out, {x->data(), std::size_t(x->size())});
  } else {
    add(motion.q, loop_coordinate_names(sample.began), loop_coordinate_names(sample.model));
    add(motion.v, loop_freedom_names(sample.began), loop_freedom_names(sample.model));
  }
  return {};
}

Columns pose_columns(const Model& model) {
  Columns columns;
  for (std::size_t b = 1; b < model.named_bodies().size(); ++b) {
    const std::string prefix = "pose." + model.named_bodies()[b].name;
    add_three(columns, prefix, "m");
    for (const char* part : {".qw", ".qx", ".qy", ".qz"})
      columns.push_back({prefix + part, "1", {}});
  }
  return columns;
}
Status poses_of(Sample& sample, Row& out) {
  Positions seen(sample.model);
  if (Status status = positions(sample.model, sample.state, sample.workspace, seen); !status)
    return status;
  for (std::size_t b = 1; b < sample.model.named_bodies().size(); ++b) {
    const Pose<double> X = pose(sample.model, seen, {BodyId(int(b))});
    append(out, X.p);
    const Quaternion<double> w = quaternion(X.R);
    append(out, std::array{w.w, w.x, w.y, w.z});
  }
  return {};
}

Columns reaction_columns(const Model& model) {
  Columns columns;
  for (const NamedJoint& joint : model.joints()) {
    add_three(columns, "reaction." + joint.name + ".moment", "N m");
    add_three(columns, "reaction." + joint.name + ".force", "N");
  }
  return columns;
}
Status reactions_of(Sample& sample, Row& out) {
  if (Status status = sample.accelerate(); !status) return status;
  Inputs inputs = sample.drives.inputs(sample.acting);
  // with loops the accelerations follow from the efforts again
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

Columns energy_columns(const Model&) {
  Columns columns;
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

Columns momentum_columns(const Model&) {
  Columns columns;
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

Columns com_columns(const Model&) {
  Columns columns;
  add_three(columns, "com", "m");
  return columns;
}
Status com_of(Sample& sample, Row& out) {
  MassCentre now;
  if (Status status = mass_centre(sample.model, sample.state, sample.workspace, now); !status)
    return status;
  append(out, now.position);
  return {};
}

Columns wheel_columns(const Model& model) {
  Columns columns;
  for (const Wheel& wheel : model.wheels()) {
    const std::string prefix =
        "wheel." + model.description().wheels[std::size_t(wheel.said)].name + ".";
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
  sample.drives.look(sample.state, sample.acting);
  std::vector<WheelContact> contacts;
  if (Status status =
          wheel_contacts(sample.model, sample.state, sample.drives.inputs(sample.acting),
                         sample.workspace, contacts);
      !status)
    return status;
  for (const WheelContact& contact : contacts) {
    for (const WheelContact::Push& push : contact.pushes) out.push_back(push.force);
    append(out, contact.point);
    if (contact.roller_rate) out.push_back(*contact.roller_rate);
  }
  return {};
}

Columns contact_columns(const Model& model) {
  Columns columns;
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
  std::vector<ContactForce> contacts;
  if (Status status = contact_forces(sample.model, sample.state, sample.workspace, contacts);
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

Columns gap_columns(const Model&) {
  return {{"gap.position", "m", {}}, {"gap.velocity", "m/s", {}}};
}
Status gaps_of(Sample& sample, Row& out) {
  const ClosureError error = closure_error(sample.model, sample.state, sample.workspace);
  append(out, std::array{error.position, error.velocity});
  return {};
}

Columns power_columns(const Model&) {
  Columns columns;
  for (const char* part : {"stored", "drives", "losses", "residual"})
    columns.push_back({std::string("power.") + part, "W", {}});
  return columns;
}
Status power_of(Sample& sample, Row& out) {
  if (Status status = sample.accelerate(); !status) return status;
  Power now;
  if (Status status = power(sample.model, sample.state, sample.drives.inputs(sample.acting),
                            sample.a, sample.workspace, now);
      !status)
    return status;
  append(out, std::array{now.stored, now.drives, now.losses, now.residual()});
  return {};
}

Columns condition_columns(const Model&) {
  return {{"condition.rows", "1", {}}, {"condition.inertia", "1", {}}};
}
Status condition_of(Sample& sample, Row& out) {
  ConditionNumbers now;
  if (Status status = condition(sample.model, sample.state, sample.workspace, now); !status)
    return status;
  append(out, std::array{now.rows, now.inertia});
  return {};
}

struct Entry {
  RecordedQuantity quantity;
  Columns (*columns)(const Model& model);
  Recorder::Ask ask;
};
constexpr std::array entries{
    Entry{{"positions", "q of every joint"}, position_columns, positions_of},
    Entry{{"velocities", "v of every joint"}, velocity_columns, velocities_of},
    Entry{{"accelerations", "a of every joint"}, acceleration_columns, accelerations_of},
    Entry{{"efforts", "what drives push every joint with"}, effort_columns, efforts_of},
    Entry{{"loops", "q and v of the joints that close loops"}, loop_columns, loops_of},
    Entry{{"poses", "where every body is, in the world"}, pose_columns, poses_of},
    Entry{{"reactions", "what every joint carries, at its moving frame"},
          reaction_columns,
          reactions_of},
    Entry{{"wheels", "what the floor does to every wheel, where, and how fast rollers turn"},
          wheel_columns,
          wheels_of},
    Entry{{"contacts", "where contacts touch, how deep, and what their floor does to them"},
          contact_columns,
          contacts_of},
    Entry{{"energy", "kinetic, gravity, elastic, total"}, energy_columns, energy_of},
    Entry{{"momentum", "about ground's origin, in the world"}, momentum_columns, momentum_of},
    Entry{{"com", "the centre of mass of all that moves"}, com_columns, com_of},
    Entry{{"gaps", "how far loops are open, and come apart"}, gap_columns, gaps_of},
    Entry{{"power", "the rate of energy, what drives and losses make of it, what is left over"},
          power_columns,
          power_of},
    Entry{{"condition", "how near a singular pose: of the loops' rows, of the inertia felt"},
          condition_columns,
          condition_of},
};

constexpr auto quantities_only = [] {
  std::array<RecordedQuantity, entries.size()> list{};
  for (std::size_t k = 0; k < entries.size(); ++k) list[k] = entries[k].quantity;
  return list;
}();

[[noreturn]] void refuse(const char* what, std::string_view name,
                         const std::vector<std::string>& known) {
  const auto near = suggest(name, known);
  throw std::invalid_argument(
      fmt::format("record: there is no {} '{}'{}", what, name,
                  near ? fmt::format("; did you mean '{}'?", *near)
                       : fmt::format("; there are {}", fmt::join(known, ", "))));
}

}  // namespace

std::span<const RecordedQuantity> recorded_quantities() { return quantities_only; }

std::vector<double> Recording::column(std::string_view name) const {
  std::vector<std::string> known;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].name == name) {
      std::vector<double> out(samples());
      for (std::size_t s = 0; s < out.size(); ++s) out[s] = at(s, c);
      return out;
    }
    known.push_back(columns[c].name);
  }
  refuse("column", name, known);
}

Recorder::Recorder(const Model& model, const Drives& drives,
                   const std::vector<std::string>& quantities)
    : model_(model), drives_(drives), acting_(std::make_unique<Drives::Acting>(model)) {
  recording_.columns.push_back({"time", "s", "time"});
  for (const std::string& wanted : quantities) {
    const Entry* found = nullptr;
    for (const Entry& entry : entries)
      if (entry.quantity.name == wanted) found = &entry;
    if (found == nullptr) {
      std::vector<std::string> known;
      for (const Entry& entry : entries) known.emplace_back(entry.quantity.name);
      refuse("quantity", wanted, known);
    }
    for (Column column : found->columns(model)) {
      column.group = wanted;
      recording_.columns.push_back(std::move(column));
    }
    asks_.push_back(found->ask);
  }
}

Recorder::~Recorder() = default;

Status Recorder::see(const State& state, Workspace& workspace) {
  return see({state, model_, drives_, workspace});
}

Status Recorder::see(const Moment& moment) {
  const State& state = moment.state;
  std::unique_ptr<Drives::Acting> other;
  if (&moment.model != &model_) other = std::make_unique<Drives::Acting>(moment.model);
  Sample sample{moment.model,    model_, state, moment.drives, other ? *other : *acting_,
                moment.workspace};
  row_.assign(1, state.time);
  for (const Ask& ask : asks_)
    if (Status status = ask(sample, row_); !status)
      return Status::failure(fmt::format("at t = {:.9g} s: {}", state.time, status.message()));
  recording_.values.insert(recording_.values.end(), row_.begin(), row_.end());
  return {};
}

}  // namespace trammel
