#include "trammel/write/run/run_record.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace trammel {

namespace {

std::string names_of(const std::vector<Column>& columns) {
  std::vector<std::string> groups;
  for (const Column& column : columns)
    if (std::ranges::find(groups, column.group) == groups.end()) groups.push_back(column.group);
  return fmt::format("{}", fmt::join(groups, ","));
}

bool is_same(const Column& a, const Column& b) {
  return a.name == b.name && a.unit == b.unit && a.group == b.group;
}

}  // namespace

std::string what_differs(const RunMetadata& then, const RunMetadata& now) {
  const RunOptions &a = then.options, &b = now.options;
  const auto says = [](const char* what, const auto& is, const auto& was) {
    return fmt::format("{} is {}, and was {}", what, is, was);
  };
  if (then.model_name != now.model_name) return says("the model", now.model_name, then.model_name);
  if (then.model_text != now.model_text) return "the model has changed since";
  if (then.mode != now.mode) return says("--mode", now.mode, then.mode);
  if (a.method != b.method) return says("--method", to_string(b.method), to_string(a.method));
  if (a.duration != b.duration) return says("--duration", b.duration, a.duration);
  if (a.relative != b.relative) return says("--tolerance", b.relative, a.relative);
  if (a.absolute != b.absolute) return says("the absolute tolerance", b.absolute, a.absolute);
  if (a.step != b.step) return says("--step", b.step, a.step);
  if (a.sample != b.sample) return says("--sample", b.sample, a.sample);
  if (a.most_steps != b.most_steps) return says("the most steps", b.most_steps, a.most_steps);
  if (then.start.time != now.start.time || then.start.q != now.start.q ||
      then.start.v != now.start.v || then.start.z != now.start.z)
    return "the state it starts from is another";
  if (then.acting != now.acting) return "what acts on it (--tau, --wrench) is something else";
  if (!std::ranges::equal(then.columns, now.columns, is_same))
    return says("--record", names_of(now.columns), names_of(then.columns));
  return {};
}

}  // namespace trammel
