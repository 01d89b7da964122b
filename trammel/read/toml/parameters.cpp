#include "trammel/read/toml/parameters.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "trammel/read/toml/items.hpp"

namespace trammel::toml {

namespace {

class ParameterReader {
 public:
  ParameterReader(std::vector<ParameterSetting>& settings, Description& description, Scope& scope,
                  Report& report)
      : settings_(settings), description_(description), scope_(scope), report_(report) {}

  void read(const Value& table) {
    // parameters first, in the order of the file; formulas of them in the order of dependence
    std::vector<NamedNumber> formulas;
    std::vector<ItemPlace> places;
    for (const Entry& entry : table.entries) {
      const ItemPlace place = report_.place(entry.position);
      if (!is_formula_name(entry.key)) {
        report_.error(
            entry.position,
            fmt::format("parameter '{}' has a name that no formula can use", shortened(entry.key)),
            "use letters, digits and _, as in arm_length");
      } else if (const ParameterSetting* setting = find_setting(entry.key)) {
        add_symbol(entry.key, setting->value, place, has_unit(entry.value));
      } else if (uses_names(entry.value)) {
        formulas.push_back(
            {entry.key, &entry.value, fmt::format("parameter '{}'", entry.key), {}, {}});
        places.push_back(place);
      } else {
        read_symbol(entry, place);
      }
    }
    read_together(formulas, "parameters", scope_, report_);
    for (std::size_t k = 0; k < formulas.size(); ++k)
      description_.definitions.push_back(
          {formulas[k].name, formulas[k].description.value, places[k]});
  }

 private:
  const ParameterSetting* find_setting(const std::string& name) {
    ParameterSetting* found = nullptr;
    for (ParameterSetting& setting : settings_)
      if (setting.name == name) {
        setting.is_used = true;
        found = &setting;  // the last one counts
      }
    return found;
  }
  void add_symbol(const std::string& name, double value, const ItemPlace& place, bool has_unit) {
    scope_.add(name, {description_.parameter(name, value, place), true, has_unit});
  }
  static bool has_unit(const Value& value) {
    return value.is_text() && find_unit(value.text) < value.text.size();
  }
  void read_symbol(const Entry& entry, const ItemPlace& place) {
    const GivenNumber number =
        read_number(entry.value, {fmt::format("parameter '{}'", entry.key), ""}, Scope(), report_);
    if (number.is_sound)
      add_symbol(entry.key, number.value.constant(), place, number.has_unit);
    else
      scope_.add(entry.key, {1.0, false});
  }

  std::vector<ParameterSetting>& settings_;
  Description& description_;
  Scope& scope_;
  Report& report_;
};

}  // namespace

bool is_formula_name(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && name.size() <= longest_name && is_letter(name[0]) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

void read_parameters(const Value& document, std::vector<ParameterSetting>& settings,
                     Description& description, Scope& scope, Report& report) {
  const Entry* found = document.find("parameters");
  if (!found) return;
  if (!found->value.is_table()) {
    report.error(found->value.position,
                 fmt::format("parameters is {}, it must be a table", kind_of(found->value)),
                 "write [parameters], and below it lines as in length = 0.8");
    return;
  }
  ParameterReader(settings, description, scope, report).read(found->value);
}

}  // namespace trammel::toml
