#include "trammel/write/report/run_report.hpp"

#include <cmath>

#include <fmt/format.h>

#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel {

void add_event_lines(std::span<const EventRecord> events, MotionReport& report) {
  const DoubtfulEvents found = doubtful_events(events);
  const auto add = [&](const DoubtfulEvents::Kind& kind, const char* one, const char* several) {
    if (kind.count == 0) return;
    report.audit.push_back(
        {kind.count == 1 ? fmt::format("1 {}", one) : fmt::format("{} {}", kind.count, several),
         fmt::format("first at {:.4g} s", kind.first), false});
  };
  add(found.limits, "limit passed", "limits passed");
  add(found.lifts, "wheel would lift off", "times a wheel would lift off");
  add(found.slips, "wheel would slip", "times a wheel would slip");
}

RunReport::RunReport(const Model& model, const SimulationInputs& run_inputs)
    : model_(model), run_inputs_(run_inputs) {
  report_.title = model.name();
  for (const NamedJoint& joint : model.joints())
    report_.arrows.push_back({joint.name, joint.child, {}, {}});
  for (std::size_t k = 0; k < model.contacts().size(); ++k)
    report_.arrows.push_back(
        {model.description().contacts[k].name, model.contacts()[k].child, {}, {}});
}

Status RunReport::observe(const State& state, Workspace& workspace) {
  return observe({state, model_, run_inputs_, workspace});
}

Status RunReport::observe(const RunSnapshot& snapshot) {
  const State& state = snapshot.state;
  Positions positions(snapshot.model);
  if (Status status = trammel::positions(snapshot.model, state, snapshot.workspace, positions);
      !status)
    return status;
  report_.times.push_back(state.time);
  std::vector<Pose<double>> poses;
  for (int k = 0; k < int(model_.named_bodies().size()); ++k)
    poses.push_back(pose(snapshot.model, positions, {BodyId(k)}));
  report_.poses.push_back(std::move(poses));
  see_forces(snapshot, positions);
  return {};
}

// No arrow is drawn for a force that cannot be computed.
void RunReport::see_forces(const RunSnapshot& snapshot, const Positions& positions) {
  const auto& [state, model, run_inputs, workspace] = snapshot;
  std::vector<Force<double>> forces;
  std::vector<double> a(std::size_t(model.nv()));
  SimulationInputs::Acting acting(model);
  run_inputs.evaluate(state, acting);
  Inputs inputs = run_inputs.inputs(acting);
  Status status = forward_dynamics(model, state, inputs, workspace, a);
  if (!model.has_constraints()) inputs.a = a;  // with loops they follow from the efforts again
  if (status.ok()) status = reactions(model, state, inputs, workspace, forces);
  for (std::size_t j = 0; j < model_.joints().size(); ++j) {
    const NamedJoint& joint = model_.joints()[j];
    const Pose<double> X_WM = pose(model, positions, {joint.child, joint.X_CM});
    Vec3<double> force = status.ok() ? X_WM.R * forces[j].force : Vec3<double>{};
    if (!std::isfinite(dot(force, force))) force = {};
    report_.arrows[j].at.push_back(X_WM.p);
    report_.arrows[j].force.push_back(force);
  }
  std::vector<ContactForce> contacts;
  const bool are_known = run_inputs.contact_forces(state, acting, workspace, contacts).ok();
  for (std::size_t k = 0; k < model_.contacts().size(); ++k) {
    auto& arrow = report_.arrows[model_.joints().size() + k];
    arrow.at.push_back(are_known ? contacts[k].point : Vec3<double>{});
    arrow.force.push_back(are_known ? contacts[k].force() : Vec3<double>{});
  }
}

MotionReport RunReport::finish(const Recording& recording, const Audit& audit,
                               const RunOptions& options, const RunStatistics& statistics,
                               const std::string& stopped) const {
  MotionReport report = report_;
  for (std::size_t c = 1; c < recording.columns.size(); ++c) {
    const auto& [name, unit, group] = recording.columns[c];
    report.series.push_back({name, unit, group, recording.column(name)});
  }
  const auto audit_line = [&](std::string name, std::string value, bool good) {
    report.audit.push_back({std::move(name), std::move(value), good});
  };
  if (audit.must_conserve_energy())
    audit_line(energy_is_conserved(audit.numbers())
                   ? "energy, nothing takes or gives any: conserved to"
                   : "energy NOT conserved: differs by",
               fmt::format("{:.2g} J, largest kinetic energy {:.3g} J", audit.energy_change(),
                           audit.largest_kinetic()),
               energy_is_conserved(audit.numbers()));
  else
    audit_line("energy changes by", fmt::format("{:.3g} J", audit.energy_change()), true);
  if (model_.has_constraints()) {
    audit_line("loops open by at most", fmt::format("{:.2g} m", audit.largest_violation()),
               audit.largest_violation() <= 1e-11 * (1 + model_.characteristic_length()));
    audit_line("loops come apart with at most",
               fmt::format("{:.2g} m/s", audit.largest_violation_rate()),
               audit.largest_violation_rate() <= 1e-9);
  }
  add_event_lines(statistics.events, report);
  for (const EventRecord& event_record : statistics.events)
    report.moments.push_back(
        {event_record.time,
         event_record.lost > 0
             ? fmt::format("{}: {:.3g} J lost", event_record.what, event_record.lost)
             : event_record.what});
  if (!stopped.empty()) {
    audit_line("stopped before its end", fmt::format("at {:.6g} s", statistics.end), false);
    report.moments.push_back({statistics.end, stopped});
  }
  if (statistics.longest > 0)  // a prescribed motion takes no steps
    report.statistics = {
        {"stepper", to_string(options.method)},
        {"tolerance of a step", fmt::format("{:g}", options.relative)},
        {"steps", fmt::format("{} ({} rejected)", statistics.steps, statistics.rejected)},
        {"length of a step",
         fmt::format("{:.3g} to {:.3g} s", statistics.shortest, statistics.longest)}};
  report.statistics.emplace_back("bodies", fmt::format("{}", model_.named_bodies().size() - 1));
  report.statistics.emplace_back("joints", fmt::format("{}", model_.joints().size()));
  report.statistics.emplace_back("degrees of freedom of the tree", fmt::format("{}", model_.nv()));
  if (model_.has_constraints())
    report.statistics.emplace_back("what closes loops",
                                   fmt::format("{}", fmt::join(model_.constraint_names(), ", ")));
  return report;
}

}  // namespace trammel
