// One state of a robot evaluated by two kernels: the one that the public functions select on this
// machine, and the generic one (two numbers per register), which works body by body.
#pragma once

#include <Eigen/Core>
#include <string>

#include "tests/support/random_robot.hpp"
#include "trammel/dynamics/workspace.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/spatial/conventions.hpp"

namespace trammel {

struct TwoSolvers {
  const Model& model;
  State state;
  Inputs inputs;  // with a moving ground
  Workspace workspace;
  KernelInput<double, double> input;
  BasicWorkspace<double> one_by_one;

  TwoSolvers(const Model& model_, Random& random)
      : model(model_),
        state(RandomRobot::random_state(model, random)),
        inputs(on_moving_ground(random)),
        workspace(model),
        input{model,
              model.numbers(),
              {inputs.ground.velocity,
               spatial_acceleration(inputs.ground.acceleration, inputs.ground.velocity)}},
        one_by_one(model) {}

 private:
  static Inputs on_moving_ground(Random& random) {
    Inputs inputs;
    inputs.ground.velocity = {random.vector(), random.vector()};
    inputs.ground.acceleration = {random.vector(), random.vector()};
    return inputs;
  }
};

// Adds a body with a random inertia; returns a random place and axis of a joint to it.
inline JointOptions random_body(Description& description, const std::string& name, double mass,
                                Random& random) {
  const double x = random(0.01, 0.03), y = random(0.01, 0.03);
  const SymMat3<double> I = rotate(exponential_rotation(random.vector(2)),
                                   SymMat3<double>{x, 0, 0, y, 0, random(std::abs(x - y), x + y)});
  const Vec3<double> com = random.vector(0.2), at = random.vector(0.4), turn = random.vector(3),
                     axis = random.direction();
  description.body(name, {.mass = mass,
                          .com = {com.x, com.y, com.z},
                          .inertia = {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz}});
  JointOptions how;
  how.at = {{at.x, at.y, at.z}, {turn.x, turn.y, turn.z}};
  how.axis = {axis.x, axis.y, axis.z};
  return how;
}

inline std::span<double> span(Eigen::VectorXd& x) { return {x.data(), std::size_t(x.size())}; }

}  // namespace trammel
