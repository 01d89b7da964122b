#include "trammel/model/description/description_parameters.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace trammel {

std::string to_string(const NumberLabel& label) {
  const std::string entry = label.k >= 0 ? fmt::format("[{}]", label.k) : "";
  return fmt::format("{}{}{}{}", label.name, entry, label.part.empty() ? "" : ".", label.part);
}

std::vector<Expr> formulas(const Description& description) {
  std::vector<Expr> found;
  const auto keep_from = [&](std::string_view kind, std::string_view name) {
    return [&, kind, name](const NumberLabel& label, const Expr& number) {
      if (number.is_constant()) return;
      if (number.nodes() != &description.graph.nodes())
        throw std::invalid_argument(
            fmt::format("{} '{}': {} is a formula of another description's parameters", kind, name,
                        to_string(label)));
      found.push_back(number);
    };
  };
  each_number(description.gravity, "gravity", keep_from("description", description.name));
  each_item(description, [&](std::string_view kind, const auto& item) {
    each_number(item, keep_from(kind, item.name));
  });
  for (const auto* starts : {&description.start_positions, &description.start_velocities,
                             &description.position_guesses, &description.velocity_guesses})
    for (const StartDescription& start : *starts)
      each_number(start.values, "start", keep_from("joint", start.joint));
  if (description.ground_motion)
    for (const auto* part :
         {&description.ground_motion->position, &description.ground_motion->yaw_pitch_roll})
      if (*part) each_number(**part, keep_from("ground", "motion"));
  if (description.run)
    for (const auto* number : {&description.run->duration, &description.run->step,
                               &description.run->sample, &description.run->tolerance})
      if (*number) keep_from("run", "")(NumberLabel{"run"}, **number);
  return found;
}

Values<double> evaluate_at_nominal(const Description& description) {
  // without nodes there is no formula to look for; Values refuses those of another graph
  if (description.graph.size() == 0)
    return {description.graph, std::span<const double>(), std::span<const Expr>()};
  std::vector<double> nominal;
  for (const ParameterDescription& parameter : description.parameters)
    nominal.push_back(parameter.value);
  return evaluate_numbers<double>(description, nominal);
}

}  // namespace trammel
