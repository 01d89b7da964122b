#include "trammel/constraint/rollers.hpp"

#include "trammel/constraint/rolling.hpp"
#include "trammel/dynamics/kinematics.hpp"

namespace trammel {

std::vector<std::string> roller_names(const Model& model) {
  std::vector<std::string> names;
  for (const Wheel& wheel : model.wheels())
    if (wheel.roller_radius > 0)
      names.push_back(model.description().wheels[std::size_t(wheel.said)].name);
  return names;
}

Status roller_rates(const Model& model, const State& state, Workspace& workspace,
                    Eigen::VectorXd& out) {
  Kinematics moving(model);
  if (Status status = kinematics(model, state, {}, workspace, moving); !status) return status;
  std::vector<double> rates;
  for (std::size_t w = 0; w < model.wheels().size(); ++w)
    if (const double radius = model.wheels()[w].roller_radius; radius > 0)
      rates.push_back(look_at_wheel(model, int(w), moving).roller_speed / radius);
  out = Eigen::Map<const Eigen::VectorXd>(rates.data(), Eigen::Index(rates.size()));
  return {};
}

}  // namespace trammel
