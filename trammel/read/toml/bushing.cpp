// Bushings: springs and dampers in six directions between two frames.
#include <array>

#include "trammel/read/toml/items.hpp"

namespace trammel::toml {

namespace {

// Dimensions of six values along x, y, z and about them.
std::vector<Expected> six_dimensions(const Dimension& along, const Dimension& about) {
  return {along, along, along, about, about, about};
}

// Six numbers, or a list of six such lists: a matrix, whose blocks between translation and rotation
// have a dimension of their own.
std::vector<Expr> read_bushing_matrix(TableReader& reader, std::string_view key,
                                      const Dimension& along, const Dimension& between,
                                      const Dimension& about) {
  const Entry* found = reader.entry(key);
  if (!found || !reader.expect_list(found->value, key, "six numbers, or of six lists of six"))
    return {};
  const std::vector<Value>& list = found->value.list;
  const auto expect_six = [&](const Value& value, const std::string& what) {
    if (value.list.size() == 6) return true;
    reader.error(value.position,
                 fmt::format("{} has {} entr{}, it takes six: along x, y, z, then about them", what,
                             value.list.size(), value.list.size() == 1 ? "y" : "ies"),
                 "give six numbers, the diagonal, or six lists of six, a symmetric matrix");
    return false;
  };
  if (!expect_six(found->value, std::string(key))) return {};
  if (!list[0].is_list()) return reader.numbers(key, six_dimensions(along, about));
  std::vector<Expr> values;
  for (std::size_t row = 0; row < 6; ++row) {
    if (!reader.expect_list(list[row], key, "six numbers in each row") ||
        !expect_six(list[row], fmt::format("row {} of {}", row + 1, key)))
      return {};
    const std::vector<Expected> expected =
        row < 3 ? six_dimensions(along, between) : six_dimensions(between, about);
    for (std::size_t column = 0; column < 6; ++column)
      values.push_back(reader.number_of(list[row].list[column], key, expected[column]));
  }
  return values;
}

void read_bushing_tables(TableReader& reader, Context& context, BushingDescription& bushing) {
  const Entry* tables = reader.entry("table");
  if (!tables || !reader.expect_table(tables->value, "table")) return;
  TableReader axes(reader.owner(), tables->value, keys::bushing_table, context.scope,
                   context.report, "table.", "table.");
  for (std::size_t k = 0; k < 6; ++k) {
    const std::string axis = BushingDescription::axes[k];
    const Entry* points = axes.entry(axis);
    if (!points || !axes.expect_table(points->value, axis)) continue;
    TableReader of_axis(reader.owner(), points->value, keys::bushing_points, context.scope,
                        context.report, "table." + axis + ".", "table." + axis + ".");
    const auto read = [&](std::string_view key, const Dimension& dimension) {
      std::vector<Expr> values;
      of_axis.require(key, "as in x = { at = [-0.01, 0.01], force = [-500, 500] }");
      if (const Entry* found = of_axis.entry(key);
          found && of_axis.expect_list(found->value, key, "numbers"))
        for (const Value& value : found->value.list)
          values.push_back(of_axis.number_of(value, key, dimension));
      return values;
    };
    bushing.tables[k].at = read("at", k < 3 ? dimension::length : dimension::angle);
    bushing.tables[k].force = read("force", k < 3 ? dimension::force : dimension::torque);
  }
}

}  // namespace

void read_bushing(const Entry& entry, Context& context) {
  using Interpolation = BushingDescription::Interpolation;
  static constexpr std::array<Choice<Interpolation>, 2> interpolations = {
      {{"cubic", Interpolation::cubic}, {"linear", Interpolation::linear}}};
  Owner owner = owner_of("bushing", entry, context.report);
  TableReader reader(owner, entry.value, keys::bushing, context.scope, context.report);
  BushingDescription bushing;
  bushing.name = item_name(entry);
  reader.require("between", "as in between = [\"mount\", \"engine\"]");
  std::tie(bushing.frame, bushing.other_frame) = reader.two_names("between");
  if (!reader.has("stiffness") && !reader.has("damping") && !reader.has("table") &&
      !reader.has("preload"))
    reader.error(entry.position, "there is neither stiffness nor damping, table or preload",
                 "give one of them, as in stiffness = [1e6, 1e6, 1e6, 1e3, 1e3, 1e3]");
  bushing.stiffness = read_bushing_matrix(reader, "stiffness", dimension::stiffness,
                                          Dimension{1, 1, -2, -1}, dimension::angular_stiffness);
  bushing.damping = read_bushing_matrix(reader, "damping", dimension::damping,
                                        Dimension{1, 1, -1, -1}, dimension::angular_damping);
  if (reader.has("preload"))
    bushing.preload =
        reader.numbers("preload", six_dimensions(dimension::force, dimension::torque));
  read_bushing_tables(reader, context, bushing);
  bushing.interpolation =
      reader.choice<Interpolation>("interpolation", interpolations, Interpolation::cubic);
  bushing.place = std::move(owner.place);
  context.description.bushings.push_back(std::move(bushing));
}

}  // namespace trammel::toml
