// Inputs of a simulation over time: efforts, prescribed motions of joints, controllers, motor
// limits, wrenches, and user-defined effort, wrench and contact laws.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "trammel/dynamics/contact_forces.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/prescribed_loop_motion.hpp"
#include "trammel/simulate/inputs/loop_readings.hpp"
#include "trammel/simulate/inputs/signal.hpp"

namespace trammel {

// Torque-speed limit of a motor at its highest voltage. With m = |gear| stall, s = |gear| speed /
// no_load and c clamping to [0, 2], the joint effort is limited to [-m c(1 + s), m c(1 - s)]: it
// falls linearly with speed in the direction of motion and may reach 2 m against it.
struct MotorLimit {
  double gear = 1;                                           // rotor speed / joint speed
  double stall = std::numeric_limits<double>::infinity();    // [N m] at the rotor
  double no_load = std::numeric_limits<double>::infinity();  // [rad/s] at the rotor
  // The joint effort after the limit, at a joint speed.
  double operator()(double effort, double speed) const;
};

// PID controller: effort = p e + i (integral of e) + d e', e = target - position. With
// is_rate_of_joint e' is -velocity, so a jump of the target causes no derivative kick; otherwise e'
// is the rate of the error. `filter` > 0 is the time constant of a first-order low-pass filter of
// e'. The effort saturates at +-`limit`; while saturated the integral does not wind up further.
struct PidGains {
  double p = 0, i = 0, d = 0;
  double filter = 0;  // [s] time constant; 0: none
  bool is_rate_of_joint = false;
  double limit = std::numeric_limits<double>::infinity();
};

// Adds efforts to tau (nv) at a state, which includes the time. Must be smooth between breakpoints.
using EffortFunction = std::function<void(const State& state, std::span<double> tau)>;

// Motion of a body-fixed frame, the argument of a wrench law.
struct MovingPlace {
  const State& state;  // time included
  Pose<double> X_WA;   // pose of the frame
  Motion<double> V;    // its velocity, in world axes [rad/s, m/s]
};
// Wrench (moment, force) acting at that frame, in world axes.
using WrenchLaw = std::function<Force<double>(const MovingPlace& place)>;

// Penetration of a ball into the floor at a contact, the argument of a contact law. World axes.
struct ContactState {
  const State& state;
  double depth;                // [m] > 0: laws are evaluated only while the ball touches
  double sinking;              // [m/s] rate of the depth
  Vec3<double> point, normal;  // deepest point of the ball; unit normal out of the floor
  Vec3<double> sliding;        // [m/s] tangential velocity of the ball relative to the floor
};
// Force of the floor on the ball [N]: component along the normal, and tangential force (friction).
struct ContactLawForce {
  double normal = 0;
  Vec3<double> along = {};
};
using ContactLaw = std::function<ContactLawForce(const ContactState& touch)>;

// Parts of the description to include: all of them, or motor limits alone.
enum class DescribedParts { all, motors };

// All inputs of a run, and their evaluation at a state.
class SimulationInputs {
 public:
  // Inputs of the description. Throws ModelError with all errors found in them.
  explicit SimulationInputs(const Model& model, DescribedParts parts = DescribedParts::all);
  // The same inputs on a model with the same tree. Inputs of joints that are locked there are
  // suspended.
  SimulationInputs(const SimulationInputs& others, const Model& model);
  SimulationInputs(const SimulationInputs&) = default;

  // Each call adds to the inputs present. Throws std::invalid_argument for a dof that does not
  // exist or cannot be driven this way. Indices are dofs of the tree; in functions with _loop, dofs
  // of all loop joints.
  void add_effort(int dof, Signal effort);
  void add_loop_effort(int dof, Signal effort);
  // Prescribes the motion of a joint driven by motion, at most once per dof. The three dofs of a
  // ball joint are yaw, pitch and roll: rotations about z, the new y and the new x; those of a free
  // joint are these and x, y, z. The same holds for loop joints.
  void prescribe(int dof, Signal position);
  void prescribe_loop(int dof, Signal position);
  void add_controller(int dof, const PidGains& gains, Signal target);
  void add_loop_controller(int dof, const PidGains& gains, Signal target);
  // Limits the sum of all efforts on a dof.
  void limit(int dof, const MotorLimit& motor);
  void limit_loop(int dof, const MotorLimit& motor);
  void add_effort_law(EffortFunction effort) { functions_.push_back(std::move(effort)); }
  void add_wrench(const Wrench& wrench);
  // Wrench over time: signals of moment and force along x, y and z.
  void add_wrench(const FrameRef& at, Axes axes, std::array<Signal, 6> moment_and_force);
  // Wrench by a law that depends on the motion of the frame.
  void add_wrench(const FrameRef& at, WrenchLaw law);
  // Replaces the force of a contact of the model by this law; the contact's own stiffness must be
  // 0. Throws std::invalid_argument, with a suggestion, if no contact has that name.
  void set_contact_law(std::string_view contact, ContactLaw law);
  bool pulls() const { return !wrenches_.empty() || has_laws(); }

  // From now on prescribed accelerations are zero, for static analysis: simulate_static() sets the
  // velocities to zero as well.
  void set_static() { is_static_ = true; }
  bool is_static() const { return is_static_; }

  // No input of any kind is present.
  bool are_idle() const {
    return efforts_.empty() && loop_efforts_.empty() && prescribed_.empty() &&
           loop_prescribed_.empty() && controllers_.empty() && functions_.empty() && !pulls();
  }
  // User-defined effort functions are present; they may depend on anything in the state.
  bool have_functions() const { return !functions_.empty(); }
  // Size of State::z: states of force elements (Model::nz()), integral and filter state of each
  // controller, and angles of loop joints (whole turns counted). begin() initializes State::z
  // unless it has this size already; states of force elements that are there stay.
  int nz() const { return nz_; }
  void begin(State& state) const;
  // Breakpoints: times at which a signal or one of its derivatives jumps.
  std::vector<double> breakpoints() const;

  // Writes positions and velocities of prescribed joints at `time`.
  void follow(double time, std::span<double> q, std::span<double> v) const;
  // Values of all inputs at a state; the spans of inputs() and prescribed_loop_motion() point here.
  struct Acting {
    explicit Acting(const Model& model);
    std::vector<double> tau, a, loop_tau, loop_a;
    std::vector<Wrench> wrenches;
    // Loop joints: prescribed positions and velocities, and actual ones where an input needs them.
    std::vector<double> prescribed_q, prescribed_v, loop_q, loop_v;
    std::unique_ptr<Workspace> loop_workspace;  // made on first use
    // Contacts that have a law and touch, in the order of Model::contacts(): force by the law, and
    // normal.
    struct ByLaw {
      ContactLawForce push;
      Vec3<double> up;
    };
    std::vector<std::optional<ByLaw>> by_laws;

   private:
    friend class SimulationInputs;
    std::optional<BasicWorkspace<double>> workspace;  // only if laws need the motion of bodies
    std::optional<Kinematics> moving;
  };
  // Evaluates all inputs at a state.
  void evaluate(const State& state, Acting& out) const;
  // Contact forces at a state at which the inputs were evaluated; contacts with a law take its
  // force.
  [[nodiscard]] Status contact_forces(const State& state, const Acting& acting,
                                      Workspace& workspace, std::vector<ContactForce>& out) const;
  Inputs inputs(const Acting& acting) const;
  // Prescribed positions and velocities of loop joints; the values are written to `out`.
  PrescribedLoopMotion prescribed_loop_motion(double time, Acting& out) const;
  // Coordinates and velocities of the loop joints that some input needs, to loop_q and loop_v.
  void read_loops(const State& state, Acting& out) const;
  // Replaces the angles of loop joints in z by those that follow from the tree, exact to rounding.
  void update_revolutions(State& state, Acting& acting) const;
  // dz/dt of controllers and loop joints, after the inputs were evaluated at the state.
  void remember(const State& state, const Acting& acting, std::span<double> z_dot) const;

  // Fails if a joint driven by motion has no prescribed motion, naming the joint.
  [[nodiscard]] Status check() const;
  const Model& model() const { return model_; }

 private:
  struct Driven {
    int dof;
    Signal signal;
  };
  // In place of a coordinate: the dofs of a quaternion joint are prescribed together, by three
  // angles.
  static constexpr int of_quaternion = -1;
  struct Prescribed {
    int dof;
    int coordinate;             // loop joint: the index of its dof
    std::vector<Signal> parts;  // summed
    Signal::Value at(double time) const;
  };
  struct Controller {
    bool is_of_loop;
    int dof, coordinate, z;
    PidGains gains;
    Signal target;
  };
  struct Limited {
    bool is_of_loop;
    int dof;
    MotorLimit motor;
  };
  struct Errors {
    double error, rate, effort, free_effort;  // free_effort: before saturation
  };
  Errors errors(const Controller& controller, const State& state, const Acting& acting) const;
  bool waits(int dof) const { return model_.prescription(dof) == Drive::locked; }
  bool loop_waits(int dof) const { return model_.closure_drive(dof) == Drive::locked; }
  std::optional<int> coordinate_of(int dof) const;
  void expect_dof(const char* call, int dof) const;
  void expect_loop_dof(const char* call, int dof) const;
  // The closure that owns the dof. Throws if its joint has a quaternion instead of single
  // coordinates.
  int expect_loop_coordinate(const char* call, int dof) const;
  int closure_with(int dof) const;
  // A ball or free joint with prescribed motion, in the tree or closing a loop.
  struct Led {
    int v_start, nv, q_start;
  };
  std::vector<Led> led_in_tree() const;
  std::vector<Led> led_in_loops() const;
  void prescribe_accelerations(double time, Acting& out) const;
  void add_described();  // inputs and controllers
  void watch_loop(int closure);

  const Model& model_;
  std::vector<Driven> efforts_, loop_efforts_;
  std::vector<Prescribed> prescribed_, loop_prescribed_;
  std::vector<LoopReading> readings_;
  std::vector<Controller> controllers_;
  std::vector<Limited> limits_;
  std::vector<EffortFunction> functions_;
  struct Pulling {
    FrameRef at;
    Axes axes;
    std::array<Signal, 6> signals;
  };
  std::vector<Pulling> wrenches_;
  struct PullingLaw {
    FrameRef at;
    WrenchLaw law;
  };
  std::vector<PullingLaw> wrench_laws_;
  std::vector<ContactLaw> contact_laws_;  // as Model::contacts(); empty: no contact has a law
  bool has_laws() const { return !wrench_laws_.empty() || !contact_laws_.empty(); }
  void add_laws(const State& state, Acting& out) const;
  int nz_ = 0;
  bool is_static_ = false;
};

}  // namespace trammel
