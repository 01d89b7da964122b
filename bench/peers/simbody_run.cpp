// Simbody's part: compiled as C++17, the standard of its headers.
#include <Simbody.h>

#include <ctime>

#include "bench/plain_tree.hpp"

namespace bench {

namespace {

SimTK::Vec3 told(const std::array<double, 3>& x) { return {x[0], x[1], x[2]}; }
SimTK::Transform told(const PlainPose& X) {
  const auto& R = X.R;
  const SimTK::Mat33 turn(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]);
  return {SimTK::Rotation(turn), told(X.p)};
}

template <class Integrator>
PlainArrival follow(const SimTK::MultibodySystem& system, const SimTK::State& start,
                    double duration, double accuracy) {
  Integrator integrator(system);
  integrator.setAccuracy(accuracy);
  integrator.setConstraintTolerance(accuracy / 10);
  SimTK::TimeStepper stepper(system, integrator);
  const std::clock_t before = std::clock();
  stepper.initialize(start);
  stepper.stepTo(duration);
  PlainArrival found{{}, {}, double(std::clock() - before) / CLOCKS_PER_SEC};
  const SimTK::State& end = stepper.getState();
  for (int k = 0; k < end.getNU(); ++k) {
    found.q.push_back(end.getQ()[k]);
    found.v.push_back(end.getU()[k]);
  }
  return found;
}

}  // namespace

PlainArrival follow_by_simbody(const PlainTree& tree, double duration, SimbodyMethod method,
                               double accuracy) {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter(system);
  SimTK::GeneralForceSubsystem forces(system);
  SimTK::Force::UniformGravity gravity(forces, matter, told(tree.gravity));
  std::vector<SimTK::MobilizedBody> bodies;
  const auto tree_body = [&](int body) -> SimTK::MobilizedBody& {
    return body < 0 ? matter.Ground() : bodies[std::size_t(body)];
  };
  bodies.reserve(tree.bodies.size());
  for (const PlainBody& body : tree.bodies) {
    const auto& J = body.inertia;
    const SimTK::Body::Rigid solid(SimTK::MassProperties(
        body.mass, told(body.com), SimTK::Inertia(J[0], J[1], J[2], J[3], J[4], J[5])));
    SimTK::MobilizedBody::Pin pin(tree_body(body.parent), told(body.X_PF), solid,
                                  SimTK::Transform());
    const SimTK::MobilizerUIndex only(0);
    if (body.effort != 0) SimTK::Force::MobilityConstantForce(forces, pin, only, body.effort);
    if (body.damping != 0) SimTK::Force::MobilityLinearDamper(forces, pin, only, body.damping);
    bodies.push_back(pin);
  }
  for (const PlainWeld& weld : tree.welds)
    SimTK::Constraint::Weld(tree_body(weld.parent), told(weld.X_PF), tree_body(weld.child),
                            told(weld.X_CM));
  SimTK::State start = system.realizeTopology();
  for (std::size_t k = 0; k < tree.bodies.size(); ++k) {
    start.updQ()[int(k)] = tree.bodies[k].q;
    start.updU()[int(k)] = tree.bodies[k].v;
  }
  return method == SimbodyMethod::runge_kutta_merson
             ? follow<SimTK::RungeKuttaMersonIntegrator>(system, start, duration, accuracy)
             : follow<SimTK::RungeKuttaFeldbergIntegrator>(system, start, duration, accuracy);
}

}  // namespace bench
