#include "trammel/model/description_numbers.hpp"

#include <stdexcept>

namespace trammel {

std::string to_string(const NumberLabel& label) {
  std::string text(label.name);
  if (label.k >= 0) text += "[" + std::to_string(label.k) + "]";
  if (!label.part.empty()) text += "." + std::string(label.part);
  return text;
}

std::vector<Expr> formulas(const Description& description) {
  std::vector<Expr> found;
  const auto keep_from = [&](std::string_view kind, std::string_view name) {
    return [&, kind, name](const NumberLabel& label, const Expr& number) {
      if (number.is_constant()) return;
      if (number.nodes() != &description.graph.nodes())
        throw std::invalid_argument(std::string(kind) + " '" + std::string(name) +
                                    "': " + to_string(label) +
                                    " is a formula of another description's parameters");
      found.push_back(number);
    };
  };
  each_number(description.gravity, "gravity", keep_from("description", description.name));
  each_item(description, [&](std::string_view kind, const auto& item) {
    each_number(item, keep_from(kind, item.name));
  });
  return found;
}

Values<double> evaluate_at_nominal(const Description& description) {
  std::vector<double> nominal;
  for (const ParameterDescription& parameter : description.parameters)
    nominal.push_back(parameter.value);
  return evaluate_numbers<double>(description, nominal);
}

}  // namespace trammel
