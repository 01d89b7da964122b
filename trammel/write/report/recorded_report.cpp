#include "trammel/write/report/recorded_report.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/write/report/run_report.hpp"

namespace trammel {

namespace {

class RecordedReport {
 public:
  RecordedReport(const Model& model, const Recording& recording)
      : model_(model), recording_(recording) {
    for (std::size_t c = 0; c < recording.columns.size(); ++c)
      column_.emplace(recording.columns[c].name, c);
    for (int k = 0; k < model.nq(); ++k) {
      const auto found = column_.find("q." + model.coordinate_name(k));
      if (found == column_.end())
        throw std::invalid_argument(
            fmt::format("report: the run has no 'q.{}', and where bodies are follows from that: "
                        "record positions",
                        model.coordinate_name(k)));
      q_.push_back(found->second);
    }
  }

  MotionReport make() {
    report_.title = model_.name();
    add_series();
    std::vector<std::optional<std::size_t>> reactions, contacts;
    for (const NamedJoint& joint : model_.joints()) {
      reactions.push_back(find("reaction." + joint.name + ".force.x"));
      if (reactions.back()) report_.arrows.push_back({joint.name, joint.child, {}, {}});
    }
    for (std::size_t k = 0; k < model_.contacts().size(); ++k) {
      const std::string& name = model_.description().contacts[k].name;
      contacts.push_back(find("contact." + name + ".point.x"));
      if (contacts.back()) report_.arrows.push_back({name, model_.contacts()[k].child, {}, {}});
    }
    Workspace workspace(model_);
    Positions positions(model_);
    std::vector<double> q(q_.size());
    for (std::size_t s = 0; s < recording_.samples(); ++s) {
      for (std::size_t k = 0; k < q.size(); ++k) q[k] = recording_.at(s, q_[k]);
      kernel::kernels().positions({model_, model_.numbers()}, q, *workspace, positions);
      report_.times.push_back(recording_.at(s, 0));
      std::vector<Pose<double>>& poses = report_.poses.emplace_back();
      for (int k = 0; k < int(model_.named_bodies().size()); ++k)
        poses.push_back(pose(model_, positions, {BodyId(k)}));
      std::size_t arrow = 0;
      for (std::size_t j = 0; j < reactions.size(); ++j) {
        if (!reactions[j]) continue;
        const NamedJoint& joint = model_.joints()[j];
        const Pose<double> X_WM = pose(model_, positions, {joint.child, joint.X_CM});
        draw(arrow++, X_WM.p, X_WM.R * three(s, *reactions[j]));
      }
      for (const auto& first : contacts) {  // point, depth, press, normal, friction
        if (!first) continue;
        draw(arrow++, three(s, *first), three(s, *first + 5) + three(s, *first + 8));
      }
    }
    return std::move(report_);
  }

 private:
  std::optional<std::size_t> find(const std::string& name) const {
    const auto found = column_.find(name);
    if (found == column_.end()) return std::nullopt;
    return found->second;
  }
  Vec3<double> three(std::size_t sample, std::size_t first) const {
    return {recording_.at(sample, first), recording_.at(sample, first + 1),
            recording_.at(sample, first + 2)};
  }
  // No arrow is drawn for a force that is not known.
  void draw(std::size_t arrow, const Vec3<double>& at, const Vec3<double>& force) {
    report_.arrows[arrow].at.push_back(at);
    report_.arrows[arrow].force.push_back(std::isfinite(dot(force, force)) ? force
                                                                           : Vec3<double>{});
  }

  void add_series() {
    // a table that was read back has no groups: take those of the quantities with these columns
    std::map<std::string, std::string> group;
    std::vector<std::string> all;
    for (const RecordedQuantity& quantity : recorded_quantities()) all.emplace_back(quantity.name);
    const SimulationInputs run_inputs(model_);
    const Recorder recorder(model_, run_inputs, all);
    for (const Column& column : recorder.recording().columns) group[column.name] = column.group;
    for (std::size_t c = 1; c < recording_.columns.size(); ++c) {
      const Column& column = recording_.columns[c];
      std::vector<double> values(recording_.samples());
      for (std::size_t s = 0; s < values.size(); ++s) values[s] = recording_.at(s, c);
      const auto known = group.find(column.name);
      report_.series.push_back({column.name, column.unit,
                                known != group.end() ? known->second : column.group,
                                std::move(values)});
    }
  }

  const Model& model_;
  const Recording& recording_;
  std::map<std::string, std::size_t> column_;
  std::vector<std::size_t> q_;
  MotionReport report_;
};

}  // namespace

MotionReport recorded_report(const Model& model, const Recording& recording,
                             const RunStatistics& statistics, const std::string& stopped) {
  MotionReport report = RecordedReport(model, recording).make();
  add_event_lines(statistics.events, report);
  for (const EventRecord& event_record : statistics.events)
    report.moments.push_back(
        {event_record.time,
         event_record.lost > 0
             ? fmt::format("{}: {:.3g} J lost", event_record.what, event_record.lost)
             : event_record.what});
  if (!stopped.empty()) {
    const double end = report.times.empty() ? 0 : report.times.back();
    report.audit.push_back({"stopped before its end", fmt::format("at {:.6g} s", end), false});
    report.moments.push_back({end, stopped});
  }
  if (statistics.steps > 0)
    report.statistics.emplace_back(
        "steps", fmt::format("{} ({} rejected)", statistics.steps, statistics.rejected));
  report.statistics.emplace_back("samples", fmt::format("{}", recording.samples()));
  report.statistics.emplace_back("bodies", fmt::format("{}", model.named_bodies().size() - 1));
  report.statistics.emplace_back("joints", fmt::format("{}", model.joints().size()));
  return report;
}

}  // namespace trammel
