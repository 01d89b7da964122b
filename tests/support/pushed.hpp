// External wrenches act in forward and inverse dynamics alike, with every kernel.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "tests/support/random_robot.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"

namespace trammel {

// Under an external wrench on the body and zero efforts, inverse dynamics of the accelerations from
// forward dynamics returns zero efforts, to `tolerance` [Nm]; without the wrench it does not.
inline void expect_pushes_are_felt(const Model& model, const std::string& body, Random& random,
                                   double tolerance) {
  Workspace workspace(model);
  const State state = RandomRobot::random_state(model, random);
  const Wrench push{.at = frame_ref(model, body), .F = {{1, 2, 3}, {4, 5, 6}}};
  Inputs inputs;
  inputs.wrenches = {&push, 1};
  Eigen::VectorXd a(model.nv()), tau(model.nv());
  const auto span = [](Eigen::VectorXd& x) { return std::span(x.data(), std::size_t(x.size())); };
  ASSERT_TRUE(forward_dynamics(model, state, inputs, workspace, span(a)).ok());
  inputs.a = span(a);
  ASSERT_TRUE(inverse_dynamics(model, state, inputs, workspace, span(tau)).ok());
  EXPECT_LT(tau.cwiseAbs().maxCoeff(), tolerance);
  inputs.wrenches = {};
  ASSERT_TRUE(inverse_dynamics(model, state, inputs, workspace, span(tau)).ok());
  EXPECT_GT(tau.cwiseAbs().maxCoeff(), 0.1);
}

}  // namespace trammel
