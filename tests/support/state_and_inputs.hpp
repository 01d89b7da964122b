// A state with all external inputs, for tests of derivatives.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/read/gallery.hpp"
#include "trammel/read/load.hpp"

namespace trammel {

struct StateAndInputs {
  explicit StateAndInputs(Model model_)
      : model(std::move(model_)), workspace(model), state(start_state(model)) {
    for (int k = 0; k < model.nv(); ++k) {
      tau.push_back(std::sin(2.0 + k));
      // prescribed motions accelerate
      a.push_back(model.prescription(k) == Drive::motion ? 0.3 + 0.1 * k : 0);
    }
    for (int k = 0; k < model.loop_nv(); ++k) {
      loop_tau.push_back(0.2 * std::cos(1.0 + k));
      loop_a.push_back(model.closure_drive(k) == Drive::motion ? 0.4 : 0);
    }
  }
  // Closed, with consistent velocities, away from singular poses.
  void start() {
    Status status = assembled_start(model, workspace, state);
    ASSERT_TRUE(status.ok()) << status.message();
    for (std::size_t k = 0; k < state.v.size(); ++k)
      state.v[k] += 0.3 * std::cos(1.0 + 3.0 * double(k));
    std::vector<double> away(state.v.size());
    for (std::size_t k = 0; k < away.size(); ++k) away[k] = 0.03 * std::cos(2.0 + 1.7 * double(k));
    const std::vector<double> from = state.q;
    integrate(model, from, away, state.q);
    close();
  }
  void close() {
    for (int k = 0; k < model.nv(); ++k)
      if (model.prescription(k) == Drive::locked) state.v[std::size_t(k)] = 0;
    const Status status = assemble(model, state, workspace);
    ASSERT_TRUE(status.ok()) << status.message();
  }

  Inputs inputs() const {
    return {.tau = tau,
            .a = a,
            .wrenches = wrenches,
            .ground = ground,
            .loop_tau = loop_tau,
            .loop_a = loop_a};
  }
  Eigen::VectorXd accelerations(const State& there) {
    Eigen::VectorXd out(model.nv());
    const Status status =
        forward_dynamics(model, there, inputs(), workspace, {out.data(), std::size_t(out.size())});
    EXPECT_TRUE(status.ok()) << status.message();
    return out;
  }

  Model model;
  Workspace workspace;
  State state;
  std::vector<double> tau, a, loop_tau, loop_a;
  std::vector<Wrench> wrenches;
  Support ground;
};

inline std::vector<std::string> gallery_names() {
  std::vector<std::string> list;
  for (const GalleryModel& model : gallery()) list.emplace_back(model.name);
  return list;
}

}  // namespace trammel
