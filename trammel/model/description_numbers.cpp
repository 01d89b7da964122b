#include "trammel/model/description_numbers.hpp"

namespace trammel {

std::string to_string(const NumberLabel& label) {
  std::string text(label.name);
  if (label.k >= 0) text += "[" + std::to_string(label.k) + "]";
  if (!label.part.empty()) text += "." + std::string(label.part);
  return text;
}

std::vector<Expr> formulas(const Description& description) {
  std::vector<Expr> found;
  if (description.graph.size() == 0) return found;
  const auto keep = [&](const NumberLabel&, const Expr& number) {
    if (!number.is_constant()) found.push_back(number);
  };
  each_number(description.gravity, "gravity", keep);
  each_item(description, [&](std::string_view, const auto& item) { each_number(item, keep); });
  return found;
}

Values<double> evaluate_at_nominal(const Description& description) {
  std::vector<double> nominal;
  for (const ParameterDescription& parameter : description.parameters)
    nominal.push_back(parameter.value);
  return evaluate_numbers<double>(description, nominal);
}

}  // namespace trammel
