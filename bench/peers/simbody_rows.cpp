// Simbody's results, with Debian's library: see bench/serve.hpp for the commands.
#include <Simbody.h>

#include "bench/serve.hpp"

namespace {

using SimTK::Mat33;
using SimTK::Rotation;
using SimTK::SpatialVec;
using SimTK::Transform;
using SimTK::Vec3;
using SimTK::Vector;

Vec3 vector(const std::array<double, 3>& x) { return {x[0], x[1], x[2]}; }
Transform frame(const std::array<double, 9>& R, const std::array<double, 3>& p) {
  return {Rotation(Mat33(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8])), vector(p)};
}

class Subject {
 public:
  explicit Subject(const bench::Robot& robot)
      : robot_(robot), matter_(system_), forces_(system_), efforts_(forces_, matter_) {
    SimTK::Force::UniformGravity(forces_, matter_, vector(robot.gravity));
    for (const bench::RobotBody& body : robot.bodies) append(body);
    for (const bench::RobotLoop& loop : robot.loops) append(loop);
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);
    for (const bench::RobotState& description : robot.states) states_.push_back(told(description));
  }
  std::string memory() const { throw std::runtime_error("not counted"); }

  bench::EvalContext question(const std::string& name) {
    const auto dynamics = [this](std::size_t s) {
      put(states_[s]);
      system_.realize(state_, SimTK::Stage::Acceleration);
    };
    const std::size_t n = states_.size();
    if (name == (robot_.loops.empty() ? "forward" : "closed"))
      return {bench::repeated(n, dynamics), [this, dynamics](std::size_t s) {
                dynamics(s);
                return accelerations(s);
              }};
    if (name == "reactions") {
      const auto ask = [this, dynamics](std::size_t s) {
        dynamics(s);
        matter_.calcMobilizerReactionForces(state_, reactions_);
      };
      return {bench::repeated(n, ask), [this, ask](std::size_t s) {
                ask(s);
                return reactions();
              }};
    }
    throw std::runtime_error("there is no question '" + name + "'");
  }

 private:
  struct Told {
    Vector q, u, tau;
  };
  SimTK::MobilizedBody& tree_body(int i) {
    return i < 0 ? static_cast<SimTK::MobilizedBody&>(matter_.Ground()) : bodies_[std::size_t(i)];
  }
  void append(const bench::RobotBody& body) {
    const auto& [xx, xy, xz, yy, yz, zz] = body.inertia;
    const Vec3 com = vector(body.com);
    const SimTK::Inertia about_com(xx, yy, zz, xy, xz, yz);
    const SimTK::Body::Rigid solid(SimTK::MassProperties(
        body.mass, com, about_com + SimTK::Inertia::pointMassAt(com, body.mass)));
    SimTK::MobilizedBody& parent = tree_body(body.parent);
    const Transform X = frame(body.R, body.p);
    if (body.is_free) {
      bodies_.push_back(SimTK::MobilizedBody::Free(parent, X, solid, Transform()));
      return;
    }
    // its joints move about z, or along x
    const SimTK::CoordinateAxis moving = body.is_prismatic ? SimTK::CoordinateAxis(SimTK::XAxis)
                                                           : SimTK::CoordinateAxis(SimTK::ZAxis);
    const Rotation turn(SimTK::UnitVec3(vector(body.axis)), moving);
    const Transform on_parent(X.R() * turn, X.p()), on_body(turn);
    if (body.is_prismatic)
      bodies_.push_back(SimTK::MobilizedBody::Slider(parent, on_parent, solid, on_body));
    else
      bodies_.push_back(SimTK::MobilizedBody::Pin(parent, on_parent, solid, on_body));
  }
  void append(const bench::RobotLoop& loop) {
    SimTK::MobilizedBody &one = tree_body(loop.body), &other = tree_body(loop.other);
    const Transform here = frame(loop.R, loop.p), there = frame(loop.R_other, loop.p_other);
    if (loop.rows == 6)
      SimTK::Constraint::Weld(one, here, other, there);
    else if (loop.rows == 3)
      SimTK::Constraint::Ball(one, here.p(), other, there.p());
    else
      SimTK::Constraint::PointOnLine(one, here.y(), here.p(), other, there.p());
  }

  // A free base has its velocities in the axes of ground, [angular; linear], the quaternion w
  // first.
  Told told(const bench::RobotState& description) const {
    Told made{Vector(state_.getNQ()), Vector(state_.getNU()), Vector(state_.getNU())};
    const std::size_t q_start = robot_.is_floating() ? 7 : 0,
                      v_start = robot_.is_floating() ? 6 : 0;
    const auto& [q, v, a, tau] = description;
    for (std::size_t k = q_start; k < q.size(); ++k) made.q[int(k)] = q[k];
    for (std::size_t k = v_start; k < v.size(); ++k) {
      made.u[int(k)] = v[k];
      made.tau[int(k)] = tau[k];
    }
    if (!robot_.is_floating()) return made;
    for (int k = 0; k < 7; ++k) made.q[k] = q[std::size_t(k == 0 ? 6 : k < 4 ? k + 2 : k - 4)];
    const Rotation R = base(description);
    for (const auto& [from, to] : {std::pair{&v, &made.u}, {&tau, &made.tau}}) {
      const Vec3 linear = R * Vec3((*from)[0], (*from)[1], (*from)[2]),
                 angular = R * Vec3((*from)[3], (*from)[4], (*from)[5]);
      for (int k = 0; k < 3; ++k) (*to)[k] = angular[k], (*to)[3 + k] = linear[k];
    }
    return made;
  }
  static Rotation base(const bench::RobotState& state) {
    return Rotation(SimTK::Quaternion(state.q[6], state.q[3], state.q[4], state.q[5]));
  }
  void put(const Told& description) {
    state_.updQ() = description.q;
    state_.updU() = description.u;
    efforts_.setAllMobilityForces(state_, description.tau);
  }
  std::vector<double> accelerations(std::size_t s) const {
    const Vector& found = state_.getUDot();
    std::vector<double> a;
    for (int k = 0; k < found.size(); ++k) a.push_back(found[k]);
    if (!robot_.is_floating()) return a;
    const bench::RobotState& state = robot_.states[s];
    const Vec3 w(state.v[3], state.v[4], state.v[5]), v(state.v[0], state.v[1], state.v[2]);
    const Rotation R = base(state);
    const Vec3 angular = ~R * Vec3(a[0], a[1], a[2]);
    const Vec3 linear = ~R * Vec3(a[3], a[4], a[5]) - w % v;
    for (std::size_t k = 0; k < 3; ++k) a[k] = linear[int(k)], a[3 + k] = angular[int(k)];
    return a;
  }
  // Moment and force that each joint transmits to its body, at the joint, in the body's axes.
  std::vector<double> reactions() const {
    std::vector<double> all;
    for (const SimTK::MobilizedBody& body : bodies_) {
      const SpatialVec& found = reactions_[body.getMobilizedBodyIndex()];
      for (int part = 0; part < 2; ++part)
        for (int k = 0; k < 3; ++k) all.push_back((~body.getBodyRotation(state_) * found[part])[k]);
    }
    return all;
  }

  bench::Robot robot_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::Force::DiscreteForces efforts_;
  std::vector<SimTK::MobilizedBody> bodies_;
  SimTK::State state_;
  std::vector<Told> states_;
  SimTK::Vector_<SpatialVec> reactions_;
};

struct Simbody {
  using Subject = ::Subject;
  static std::string about() {
    int major = 0, minor = 0, patch = 0;
    SimTK_version_simbody(&major, &minor, &patch);
    return "Simbody " + std::to_string(major) + "." + std::to_string(minor) + "." +
           std::to_string(patch) + ", Debian's library";
  }
  static long allocations() { return -1; }
};

}  // namespace

int main() { return bench::Server<Simbody>().run(); }
