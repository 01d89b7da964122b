#include "trammel/simulate/events/event_values.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/constraint/kinds/closure.hpp"
#include "trammel/model/build/names.hpp"
#include "trammel/model/column_name.hpp"
#include "trammel/model/description/joint_labels.hpp"
#include "trammel/model/description/joint_table.hpp"
#include "trammel/simulate/inputs/loop_readings.hpp"

namespace trammel {

int EventValues::add(Source source) {
  sources_.push_back(source);
  values_.push_back(0);
  return int(sources_.size()) - 1;
}

int EventValues::add(const EventFunction& event) { return add(Source{.function = &event}); }

int EventValues::column_of(const std::string& name) {
  const auto found = std::ranges::find(columns_, name);
  if (found == columns_.end()) {
    columns_.push_back(name);
    recorder_ = std::make_unique<Recorder>(model_, run_inputs_, columns_);
    return int(columns_.size());  // the first is the time
  }
  return int(found - columns_.begin()) + 1;
}

// "'wrist.turn1', 'wrist.turn2'"
std::string EventValues::listed(const NamedJoint& joint) const {
  const JointDescription& of = model_.description().joints[std::size_t(joint.description)];
  std::string list;
  for (int k = 0; k < coordinates(of); ++k)
    list += fmt::format("{}'{}'", k == 0 ? "" : ", ",
                        name_with_label(joint.name, coordinate_label(of, k)));
  return list;
}

Status EventValues::add(const EventDescription& event, int& out) {
  const auto wrong = [&](const std::string& fact) {
    return Status::failure(
        fmt::format("event '{}' waits for joint '{}', which {}", event.name, event.joint, fact));
  };
  const CoordinateName named = coordinate_named(event.joint, model_.description());
  if (const std::optional<JointId> id = model_.find_joint(named.joint)) {
    const NamedJoint& joint = model_[*id];
    const int closure = model_.closure_of(*id);
    const Closure* const loop = closure >= 0 ? &model_.closures()[std::size_t(closure)] : nullptr;
    const auto coordinates = [](const auto& kind) { return int(kind.nq()); };
    const int nq = loop ? std::visit(coordinates, loop->joint) : joint.nq;
    if (nq == 0 || (!loop && joint.role != NamedJoint::Role::tree))
      return wrong("has none of its own: name a joint that moves");
    if (loop && !has_single_coordinates(loop->joint))
      return wrong("closes a loop and has a quaternion: name a column, as in 'frame.tip.z'");
    if (named.k < 0 && nq != 1)
      return wrong(fmt::format("has {} coordinates: name one of them, {}", nq, listed(joint)));
    if (named.k >= nq)
      return wrong(fmt::format("has {} coordinate{}{}", nq,
                               nq == 1 ? "" : "s: ", nq == 1 ? "" : listed(joint)));
    const int k = std::max(0, named.k);
    out = add(loop ? Source{.loop_dof = loop->v_start + k} : Source{.q = joint.q_start + k});
    return {};
  }
  const std::vector<std::string> known = recorded_columns(model_);
  const std::string column = with_label(event.joint, model_.description());
  if (std::ranges::find(known, column) == known.end()) {
    const auto near = suggest(event.joint, known);
    return Status::failure(
        fmt::format("event '{}' waits for '{}', which is no joint and no column of a recording{}",
                    event.name, event.joint,
                    near ? fmt::format("; did you mean '{}'?", *near)
                         : std::string("; name one, as in 'frame.tip.z'")));
  }
  out = add(Source{.column = column_of(column)});
  return {};
}

Status EventValues::evaluate(const RunSnapshot& snapshot, std::span<const double> loop_q) {
  if (recorder_) {
    if (Status status = recorder_->observe(snapshot); !status) return status;
    recorder_->forget();
  }
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const auto& [q, loop_dof, column, function] = sources_[k];
    double& value = values_[k];
    if (function != nullptr) {
      value = function->value(snapshot);
      if (!std::isfinite(value))
        return Status::failure(
            fmt::format("event '{}': its function gives {}: it must give a finite number",
                        function->what.name, value));
    } else {
      value = q >= 0          ? snapshot.state.q[std::size_t(q)]
              : loop_dof >= 0 ? loop_q[std::size_t(loop_dof)]
                              : recorder_->last()[std::size_t(column)];
    }
  }
  return {};
}

}  // namespace trammel
