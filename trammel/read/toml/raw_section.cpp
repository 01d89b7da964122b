// The raw section [run], which is also parsed.
#include <algorithm>

#include "trammel/model/description/run_words.hpp"
#include "trammel/read/toml/items.hpp"
#include "trammel/read/toml/path.hpp"

namespace trammel::toml {

namespace {

void keep(std::string name, const Value& table, ItemPlace place, Context& context) {
  context.description.raw_sections.push_back({std::move(name), to_text(table), std::move(place)});
}

std::string hint_for(const std::string& wrong, std::span<const std::string_view> words) {
  const std::vector<std::string> known(words.begin(), words.end());
  const auto meant = suggest(wrong, known);
  return meant ? fmt::format("did you mean '{}'?", *meant)
               : fmt::format("there are {}", fmt::join(known, ", "));
}

// Reports values with which no simulation is possible.
void check_run(TableReader& reader, const RunDescription& given, const Description& description) {
  const auto check = [&](std::string_view key, const std::optional<Expr>& number, auto is_right,
                         const char* hint) {
    if (!number) return;
    const double value = nominal_value(description, *number);
    if (!is_right(value))
      reader.error(reader.entry(key)->value.position, fmt::format("its {} is {}", key, value),
                   hint);
  };
  const auto is_above_zero = [](double x) { return x > 0; };
  check("duration", given.duration, is_above_zero, "give a time above 0");
  check("step", given.step, is_above_zero, "give a time above 0, or leave it out");
  check(
      "sample", given.sample, [](double x) { return x >= 0; },
      "give a time above 0, or 0 for every step");
  check(
      "tolerance", given.tolerance, [](double x) { return x >= 1e-14 && x <= 0.1; },
      "numbers of 16 digits can keep 1e-14 at best, and above 0.1 nothing is kept");
  if (!given.method.empty() && std::ranges::find(run_methods, given.method) == run_methods.end())
    reader.error(reader.entry("method")->value.position,
                 fmt::format("there is no method '{}'", shortened(given.method)),
                 hint_for(given.method, run_methods));
  for (std::size_t k = 0; k < given.record.size(); ++k) {
    const std::string& name = given.record[k];
    const bool is_column = name.find_first_of(".*") != std::string::npos;  // depends on the model
    if (name.empty() || is_column ||
        std::ranges::find(run_quantities, name) != run_quantities.end())
      continue;
    reader.error(reader.entry("record")->value.list[k].position,
                 fmt::format("there is no quantity '{}' to record", shortened(name)),
                 hint_for(name, run_quantities));
  }
}

}  // namespace

void keep_run(const Entry& run, Context& context) {
  Owner owner{"run", context.report.place(run.position)};
  if (!run.value.is_table()) {
    context.report.error(run.value.position,
                         fmt::format("run is {}, it must be a table", kind_of(run.value)),
                         "write [run], and below it lines as in duration = 10");
    return;
  }
  TableReader reader(owner, run.value, keys::run, context.scope, context.report);
  RunDescription given;
  const auto read = [&](std::string_view key, const Expected& expected,
                        std::optional<Expr>& number) {
    if (reader.has(key)) number = reader.number(key, expected, 0.0);
  };
  read("duration", dimension::time, given.duration);
  read("step", dimension::time, given.step);
  read("sample", dimension::time, given.sample);
  read("tolerance", dimension::none, given.tolerance);
  if (reader.has("method")) given.method = reader.name("method");
  if (const Entry* record = reader.entry("record");
      record && reader.expect_list(record->value, "record", "names"))
    for (const Value& name : record->value.list)
      given.record.push_back(reader.name_of(name, "record"));
  check_run(reader, given, context.description);
  given.place = owner.place;
  context.description.run = std::move(given);
  keep("run", run.value, std::move(owner.place), context);
}

}  // namespace trammel::toml
