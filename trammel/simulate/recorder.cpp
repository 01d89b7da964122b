#include "trammel/simulate/recorder.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/model/column_name.hpp"
#include "trammel/model/description/run_words.hpp"
#include "trammel/simulate/quantities.hpp"

namespace trammel {

namespace {

[[noreturn]] void refuse(const char* what, std::string_view name,
                         const std::vector<std::string>& known) {
  const auto near = suggest(name, known);
  throw std::invalid_argument(
      fmt::format("record: there is no {} '{}'{}", what, name,
                  near ? fmt::format("; did you mean '{}'?", *near)
                       : fmt::format("; there are {}", fmt::join(known, ", "))));
}

std::vector<std::string> names_of(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

}  // namespace

std::span<const RecordedQuantity> recorded_quantities() {
  static const auto list = [] {
    std::vector<RecordedQuantity> all;
    for (const Quantity& quantity : quantities()) all.push_back(quantity.what);
    return all;
  }();
  return list;
}

std::vector<std::string> recorded_columns(const Model& model) {
  std::vector<std::string> names;
  for (const Quantity& quantity : quantities())
    for (Column& column : quantity.columns(model)) names.push_back(std::move(column.name));
  return names;
}

bool is_like(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t from = star; from <= name.size(); ++from)
    if (is_like(rest, name.substr(from))) return true;
  return false;
}

std::vector<double> Recording::column(std::string_view name) const {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].name != name) continue;
    std::vector<double> out(samples());
    for (std::size_t s = 0; s < out.size(); ++s) out[s] = at(s, c);
    return out;
  }
  refuse("column", name, names_of(columns));
}

Recorder::Recorder(const Model& model, const SimulationInputs& run_inputs,
                   const std::vector<std::string>& wanted)
    : model_(model),
      run_inputs_(run_inputs),
      numbers_(quantities().size()),
      acting_(std::make_unique<SimulationInputs::Acting>(model)) {
  recording_.columns.push_back({"time", "s", "time"});
  for (const std::string& given : wanted) {
    const std::string name = with_label(given, model.description());
    const auto named = std::ranges::find(run_quantities, name);
    if (named != run_quantities.end()) {
      keep(std::size_t(named - run_quantities.begin()), "*");
      continue;
    }
    if (name.find_first_of(".*") == std::string::npos)
      refuse("quantity", name, {run_quantities.begin(), run_quantities.end()});
    const std::vector<std::string> known = recorded_columns(model);
    if (std::ranges::none_of(known, [&](const auto& column) { return is_like(name, column); }))
      refuse("column", name, known);
    for (std::size_t k = 0; k < quantities().size(); ++k) keep(k, name);
  }
}

Recorder::~Recorder() = default;

void Recorder::keep(std::size_t quantity, std::string_view pattern) {
  std::vector<Column> all = quantities()[quantity].columns(model_);
  std::vector<bool> is_recorded(all.size(), false);
  for (const RecordedColumn& recorded : recorded_)
    if (recorded.quantity == quantity) is_recorded[recorded.number] = true;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (is_recorded[k] || !is_like(pattern, all[k].name)) continue;
    all[k].group = quantities()[quantity].what.name;
    recording_.columns.push_back(std::move(all[k]));
    recorded_.push_back({quantity, k});
  }
}

Status Recorder::observe(const State& state, Workspace& workspace) {
  return observe({state, model_, run_inputs_, workspace});
}

Status Recorder::observe(const RunSnapshot& snapshot) {
  const State& state = snapshot.state;
  std::unique_ptr<SimulationInputs::Acting> other;
  if (&snapshot.model != &model_)
    other = std::make_unique<SimulationInputs::Acting>(snapshot.model);
  Sample sample{snapshot.model,    model_, state, snapshot.run_inputs, other ? *other : *acting_,
                snapshot.workspace};
  for (std::vector<double>& numbers : numbers_) numbers.clear();
  row_.assign(1, state.time);
  for (const auto& [quantity, number] : recorded_) {
    std::vector<double>& numbers = numbers_[quantity];
    if (numbers.empty())
      if (Status status = quantities()[quantity].ask(sample, numbers); !status)
        return Status::failure(fmt::format("at t = {:.9g} s: {}", state.time, status.message()));
    row_.push_back(number < numbers.size() ? numbers[number]
                                           : std::numeric_limits<double>::quiet_NaN());
  }
  recording_.values.insert(recording_.values.end(), row_.begin(), row_.end());
  return {};
}

}  // namespace trammel
