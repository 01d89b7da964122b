#include "trammel/constraint/kinds/rollers.hpp"

#include "trammel/constraint/kinds/rolling.hpp"
#include "trammel/dynamics/kinematics.hpp"

namespace trammel {

std::vector<std::string> roller_names(const Model& model) {
  std::vector<std::string> names;
  for (const Wheel& wheel : model.wheels())
    if (wheel.roller_radius > 0)
      names.push_back(model.description().wheels[std::size_t(wheel.description)].name);
  return names;
}

namespace {

Status evaluate_rollers(const Model& model, const State& state, const Inputs& inputs,
                        Workspace& workspace, double RollingAt::*what, Eigen::VectorXd& out) {
  Kinematics moving(model);
  if (Status status = kinematics(model, state, inputs, workspace, moving); !status) return status;
  std::vector<double> found;
  for (std::size_t w = 0; w < model.wheels().size(); ++w)
    if (const double radius = model.wheels()[w].roller_radius; radius > 0)
      found.push_back(evaluate_wheel(model, int(w), moving).*what / radius);
  out = Eigen::Map<const Eigen::VectorXd>(found.data(), Eigen::Index(found.size()));
  return {};
}

}  // namespace

Status roller_rates(const Model& model, const State& state, Workspace& workspace,
                    Eigen::VectorXd& out) {
  return evaluate_rollers(model, state, {}, workspace, &RollingAt::roller_speed, out);
}
Status roller_accelerations(const Model& model, const State& state, const Inputs& inputs,
                            Workspace& workspace, Eigen::VectorXd& out) {
  return evaluate_rollers(model, state, inputs, workspace, &RollingAt::roller_acceleration, out);
}

}  // namespace trammel
