#include "trammel/force/formula_force.hpp"
#include "trammel/read/toml/items.hpp"

namespace trammel::toml {

void read_user_force(const Entry& entry, Context& context) {
  Owner owner = owner_of("user_force", entry, context.report);
  TableReader reader(owner, entry.value, keys::user_force, context.scope, context.report);
  UserForceDescription out;
  out.name = item_name(entry);
  reader.require("between", "as in between = [\"tip\", \"ground\"]");
  std::tie(out.frame, out.other_frame) = reader.two_names("between");
  if (!reader.has("force") && !reader.has("energy"))
    reader.error(entry.position, "there is neither a force nor an energy",
                 "give a formula of length and rate, as in force = \"-20*rate\", or a potential, "
                 "energy = \"50*(length - 0.3)^2\"");
  ForceFormulas formulas;
  if (reader.has("force")) formulas.force = reader.text("force");
  if (reader.has("energy")) formulas.energy = reader.text("energy");
  if (const Entry* with = reader.entry("with"); with && reader.expect_table(with->value, "with"))
    for (const Entry& name : with->value.entries) {
      const Expr number = reader.number_of(name.value, "with." + name.key, std::nullopt);
      if (!number.is_constant()) {
        reader.error(name.value.position,
                     fmt::format("with.{} depends on a parameter, which the formulas of a "
                                 "user_force cannot follow",
                                 shortened(name.key)),
                     "give a number, or use a spring or a bushing");
        continue;
      }
      formulas.with.emplace_back(item_name(name), number.constant());
    }
  if (!owner.place.has_mistakes) {
    auto made = formula_force(formulas);
    if (const auto* mistake = std::get_if<ForceFormulaMistake>(&made)) {
      const char* const key = mistake->is_in_energy ? "energy" : "force";
      const Value& text = entry.value.find(key)->value;
      reader.error(position_inside(context.report.source(), text,
                                   std::size_t(std::max(0, mistake->error.position))),
                   fmt::format("{}: {}", key, mistake->error.message),
                   mistake->is_in_energy
                       ? "it is a formula of length, and of the names that `with` gives"
                       : "it is a formula of length and rate, and of the names that `with` gives");
    } else {
      out.element = std::get<std::shared_ptr<const UserForceElement>>(std::move(made));
    }
  }
  out.place = std::move(owner.place);
  // without an element it has a mistake, which has been reported
  if (out.element) context.description.user_forces.push_back(std::move(out));
}

}  // namespace trammel::toml
