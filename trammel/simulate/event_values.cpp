#include "trammel/simulate/event_values.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/model/names.hpp"

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
    recorder_ = std::make_unique<Recorder>(model_, drives_, columns_);
    return int(columns_.size());  // the first is the time
  }
  return int(found - columns_.begin()) + 1;
}

Status EventValues::add(const EventDescription& event, int& out) {
  const auto wrong = [&](const std::string& fact) {
    return Status::failure(
        fmt::format("event '{}' waits for joint '{}', which {}", event.name, event.joint, fact));
  };
  const CoordinateName named = coordinate_named(event.joint);
  if (const std::optional<JointId> id = model_.find_joint(named.joint)) {
    const NamedJoint& joint = model_[*id];
    if (joint.role != NamedJoint::Role::tree)
      return wrong("has none of its own: name a joint of the tree");
    if (named.k < 0 && joint.nq != 1)
      return wrong(fmt::format("has {0} coordinates: name one of them, '{1}[0]' to '{1}[{2}]'",
                               joint.nq, joint.name, joint.nq - 1));
    if (named.k >= joint.nq)
      return wrong(
          fmt::format("has {} coordinate{}: the first is [0]", joint.nq, joint.nq == 1 ? "" : "s"));
    out = add(Source{.q = joint.q_start + std::max(0, named.k)});
    return {};
  }
  const std::vector<std::string> known = recorded_columns(model_);
  if (std::ranges::find(known, event.joint) == known.end()) {
    const auto near = suggest(event.joint, known);
    return Status::failure(
        fmt::format("event '{}' waits for '{}', which is no joint and no column of a recording{}",
                    event.name, event.joint,
                    near ? fmt::format("; did you mean '{}'?", *near)
                         : std::string("; name one, as in 'frame.tip.z'")));
  }
  out = add(Source{.column = column_of(event.joint)});
  return {};
}

Status EventValues::look(const Moment& moment) {
  if (recorder_) {
    if (Status status = recorder_->see(moment); !status) return status;
    recorder_->forget();
  }
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const auto& [q, column, function] = sources_[k];
    double& value = values_[k];
    if (function != nullptr) {
      value = function->value(moment);
      if (!std::isfinite(value))
        return Status::failure(
            fmt::format("event '{}': its function gives {}: it must give a finite number",
                        function->what.name, value));
    } else {
      value = q >= 0 ? moment.state.q[std::size_t(q)] : recorder_->last()[std::size_t(column)];
    }
  }
  return {};
}

}  // namespace trammel
