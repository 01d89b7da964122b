#include "model_options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "numbers.hpp"

namespace trammel::cli {

void offer_repeated(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                    const std::string& type, const std::string& meaning) {
  app.add_option(name, values, meaning)->type_name(type)->allow_extra_args(false);
}

void ModelOptions::offer(CLI::App& app) {
  app.add_option("MODEL", path_, "a model file (.toml, .urdf), or @name of the gallery")
      ->type_name("MODEL")
      ->option_text("MODEL");
  offer_reading(app);
  app.add_option("--gravity", gravity_, "override gravity [m/s^2], in ground axes")
      ->type_name("X,Y,Z");
}

void ModelOptions::offer_reading(CLI::App& app) {
  offer_set(app);
  app.add_option("--base", base_, "base of a URDF: fixed (to ground) or free (floating)")
      ->type_name("BASE");
  offer_repeated(app, "--package", packages_, "NAME=FOLDER",
                 "folder of package://NAME/; may be repeated");
  app.add_flag("--strict", strict_,
               "report as errors: inertias that no solid has, a lower limit above the upper one");
  app.add_flag("--allow-nonphysical", allow_nonphysical_,
               "use negative principal moments of inertia as they are");
}

void ModelOptions::offer_set(CLI::App& app) {
  offer_repeated(app, "--set", set_, "NAME=VALUE",
                 "override the value of a parameter; may be repeated");
}

ReadOptions ModelOptions::read_options() const {
  ReadOptions options;
  if (base_ != "fixed" && base_ != "free")
    throw UsageError(fmt::format("option --base is '{}'", base_), "it takes fixed or free");
  options.base = base_ == "free" ? Base::free : Base::fixed;
  for (const NamedTexts& given : named_texts(set_)) {
    if (given.name.empty() || given.values.size() != 1)
      throw UsageError("option --set takes name=value", "for example --set mass=2.5");
    options.set.emplace_back(given.name, number(given.values[0], "--set"));
  }
  for (const std::string& package : packages_)
    options.packages.push_back(name_and_value(package, "--package"));
  if (strict_ && allow_nonphysical_)
    throw UsageError("options --strict and --allow-nonphysical contradict each other",
                     "leave one out");
  options.build = {.strict = strict_, .allow_nonphysical = allow_nonphysical_};
  return options;
}

Model ModelOptions::load(const Terminal& terminal, const std::string& other) const {
  const std::string& path = other.empty() ? path_ : other;
  const ReadOptions options = read_options();
  const std::optional<Vec3<double>> gravity =
      gravity_.empty() ? std::nullopt
                       : std::optional(vector(gravity_, dimension::acceleration, "--gravity"));
  if (path.empty()) throw UsageError("no MODEL is given", "a file, or @name of the gallery");
  Model model = load_model(path, options);
  for (const Diagnostic& warning : model.warnings()) terminal.report(warning);
  terminal.detail(fmt::format(
      "{}: {}, {}, nq {}, nv {}", path, counted(model.named_bodies().size() - 1, "body", "bodies"),
      counted(model.joints().size(), "joint", "joints"), model.nq(), model.nv()));
  if (gravity) return model.with_gravity(*gravity);
  return model;
}

}  // namespace trammel::cli
