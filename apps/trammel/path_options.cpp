#include "path_options.hpp"

#include <CLI/CLI.hpp>
#include <stdexcept>

#include <fmt/format.h>

#include "numbers.hpp"
#include "state_options.hpp"
#include "trammel/read/toml/load_path.hpp"
#include "trammel/simulate/path/described_path.hpp"

namespace trammel::cli {

namespace {

// [path.NAME] of the model, points in a file, or the keys of a path
PathDescription path_described(const Model& model, const std::string& path) {
  const Description& description = model.description();
  Diagnostics found;
  std::optional<PathDescription> read;
  if (path.ends_with(".csv")) {
    if (std::optional<PointsWay> points = read_path_points(path, found))
      read = PathDescription{.way = std::move(*points)};
  } else if (path.find('=') != std::string::npos) {
    read = read_path(description, "--path", path, found);
  } else {
    read = find_path(description, path, found);
  }
  if (!read) throw ModelError(std::move(found));
  return *std::move(read);
}

}  // namespace

void PathOptions::offer(CLI::App& app) {
  app.add_option("--path", path_,
                 "a [path.NAME] of the model, points in a file (.csv: t, x, y, yaw), or keys: "
                 "'circle = { radius = 5, angle = \"90 deg\", over = 20 }'")
      ->type_name("PATH");
  app.add_option("--at", at_, "body or frame that follows it, unless the path names one")
      ->type_name("PLACE");
  app.add_option("--forward", forward_,
                 "angle from its x axis to its forward direction, unless the path gives one")
      ->type_name("ANGLE");
}

ChosenPath PathOptions::choose(const Model& model) const {
  const std::vector<std::string> names = path_names(model.description());
  if (path_.empty() && names.size() != 1)
    throw UsageError("no --path is given",
                     names.empty() ? "a file of points, or keys: --path 'straight = { y = 4, over "
                                     "= 60 }'; the model has none"
                                   : fmt::format("the model has {}", fmt::join(names, ", ")));
  const std::string name = path_.empty() ? names[0] : path_;
  PathDescription description = path_described(model, name);
  if (!forward_.empty()) description.forward = number(forward_, "--forward", dimension::angle);
  const std::string& place_name = at_.empty() ? description.place : at_;
  if (place_name.empty())
    throw UsageError(fmt::format("the path '{}' names no body or frame that follows it", name),
                     "add --at BODY or --at FRAME");
  const FrameRef at = place(model, place_name, "--at");
  try {
    ChosenPath chosen{name, place_name, at, planar_path(description), description.forward};
    if (const auto* points = std::get_if<PointsWay>(&description.way))
      chosen.rounded = rounded_corners(points->times, points->x, points->y);
    return chosen;
  } catch (const std::invalid_argument& error) {
    throw WorkFailed(fmt::format("path '{}': {}", name, error.what()));
  }
}

}  // namespace trammel::cli
