// The section that is read and kept as it was said, too.
#include "trammel/read/toml/items.hpp"

namespace trammel {

namespace {

void keep(std::string name, const TomlValue& table, ItemPlace place, TomlContext& context) {
  context.description.kept.push_back({std::move(name), to_toml(table), std::move(place)});
}

}  // namespace

void keep_run(const TomlEntry& run, TomlContext& context) {
  TomlOwner owner{"run", context.report.place(run.position)};
  if (!run.value.is_table()) {
    context.report.error(run.value.position,
                         fmt::format("run is {}, it must be a table", kind_of(run.value)),
                         "write [run], and below it lines as in duration = 10");
    return;
  }
  TableReader reader(owner, run.value, toml_keys::run, context.scope, context.report);
  RunDescription said;
  const auto read = [&](std::string_view key, const Expected& expected,
                        std::optional<Expr>& number) {
    if (reader.has(key)) number = reader.number(key, expected, 0.0);
  };
  read("duration", dimension::time, said.duration);
  read("step", dimension::time, said.step);
  read("sample", dimension::time, said.sample);
  read("tolerance", dimension::none, said.tolerance);
  if (reader.has("method")) said.method = reader.name("method");
  if (const TomlEntry* record = reader.entry("record");
      record && reader.expect_list(record->value, "record", "names"))
    for (const TomlValue& name : record->value.list)
      said.record.push_back(reader.name_of(name, "record"));
  said.place = owner.place;
  context.description.run = std::move(said);
  keep("run", run.value, std::move(owner.place), context);
}

}  // namespace trammel
