// The same disk in the engine: a body with a wheel, six lines of a model file.
#pragma once

#include <numbers>

#include "examples/rolling_disk/schemes.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/read/load.hpp"
#include "trammel/simulate/simulate.hpp"

namespace rolling_disk {

inline Vector3d coordinates_of(const trammel::Vec3<double>& x) { return {x.x, x.y, x.z}; }

class Engine {
 public:
  // The model of the gallery, whose joint has Euler angles; or one with a free joint and its
  // quaternion.
  enum class Joint { angles, free };
  explicit Engine(Joint joint)
      : Engine(trammel::load_model("@rolling_disk").description(), joint) {}
  Engine(trammel::Description description, Joint joint)
      : model(trammel::build_model(with(std::move(description), joint))),
        workspace(model),
        run_inputs(model),
        joint_(joint) {}

  trammel::State start(const Start& x) {
    trammel::State state = trammel::neutral_state(model);
    const Matrix3d F = following_frame(x.theta, x.phi), D = fixed_frame(F, x.psi);
    const Vector3d w = rates_in_F(x), v = disk.r * w.cross(Vector3d::UnitY());
    if (joint_ == Joint::angles) {
      const Vector3d v_W = F * v;
      state.q = {0, 0, disk.r * std::cos(x.theta), x.phi, std::numbers::pi / 2 - x.theta, x.psi};
      state.v = {v_W[0], v_W[1], v_W[2], x.phi_rate, -x.theta_rate, x.psi_rate};
    } else {
      const Eigen::Quaterniond turn(D);
      const Vector3d w_D = D.transpose() * F * w, v_D = D.transpose() * F * v;
      state.q = {turn.w(), turn.x(), turn.y(), turn.z(), 0, 0, disk.r * std::cos(x.theta)};
      state.v = {w_D[0], w_D[1], w_D[2], v_D[0], v_D[1], v_D[2]};
    }
    return state;
  }
  Seen seen(const trammel::State& state) {
    trammel::Kinematics now(model);
    trammel::Energy energies;
    note(trammel::kinematics(model, state, {}, workspace, now));
    note(trammel::energy(model, state, workspace, energies));
    const trammel::FrameRef place = trammel::frame_ref(model, "disk");
    const trammel::Pose<double> X = trammel::pose(model, now, place);
    Matrix3d D;
    for (int k = 0; k < 3; ++k) {
      const trammel::Vec3<double> axis{k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
      D.col(k) = coordinates_of(X.R * axis);
    }
    return {D,
            true,
            coordinates_of(trammel::velocity(model, now, place, trammel::Axes::world).angular),
            {X.p.x, X.p.y},
            energies.total()};
  }
  // As `go` of the schemes.
  Work go(
      trammel::State& state, double duration, const Tolerance& tolerance,
      const std::function<bool(double, const trammel::State&)>& watch =
          [](double, const trammel::State&) { return true; }) {
    trammel::RunStatistics statistics;
    const trammel::Status status = trammel::simulate(
        model, state, run_inputs,
        {.duration = duration,
         .relative = tolerance.relative,
         .absolute = tolerance.absolute,
         .step = tolerance.longest},
        workspace,
        [&](const trammel::State& now) {
          if (goes_on_) goes_on_ = watch(now.time, now);
          return trammel::Status();
        },
        statistics);
    goes_on_ = true;
    note(status);
    return {statistics.evaluations, statistics.steps};
  }

  trammel::Model model;
  trammel::Workspace workspace;
  trammel::SimulationInputs run_inputs;
  Disk disk = {};
  std::string trouble = {};  // the first that any question had

 private:
  void note(const trammel::Status& status) {
    if (trouble.empty()) trouble = status.message();
  }
  static trammel::Description with(trammel::Description description, Joint joint) {
    if (joint == Joint::free) {
      trammel::JointDescription& flight = description.joints.front();
      flight.kind = trammel::JointKind::free;
      flight.options.motions.clear();
      description.start_positions.clear();
      description.start_velocities.clear();
    }
    return description;
  }
  Joint joint_;
  bool goes_on_ = true;
};

}  // namespace rolling_disk
