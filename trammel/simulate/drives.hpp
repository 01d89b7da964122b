// What drives a mechanism over time: efforts, plans of joints driven by motion, controllers, and
// whatever else a function can say.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "trammel/dynamics/contact_forces.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/loop_plan.hpp"
#include "trammel/simulate/loop_readings.hpp"
#include "trammel/simulate/signal.hpp"

namespace trammel {

// How a motor's torque falls with its speed: at most stall (1 - speed / no_load) on the side it
// turns to, more on the other, never more than stall (1 + 1) [a motor at its highest voltage].
struct MotorLimit {
  double gear = 1;                                           // rotor to joint
  double stall = std::numeric_limits<double>::infinity();    // [N m] of the rotor
  double no_load = std::numeric_limits<double>::infinity();  // [rad/s] of the rotor
  // What is left of an effort of the joint at its speed.
  double operator()(double effort, double speed) const;
};

// effort = p e + i (integral of e) + d e', e = target - position. The rate is that of the error, or
// only that of the joint (then a target that jumps gives no kick), and passes a filter with the
// time constant `filter` if that is not 0. Beyond `limit` the effort stays there, and the integral
// does not grow further out.
struct PidGains {
  double p = 0, i = 0, d = 0;
  double filter = 0;  // [s]
  bool is_rate_of_joint = false;
  double limit = std::numeric_limits<double>::infinity();
};

// Adds efforts to tau (nv) at a state, its time included. Must be smooth between corners.
using EffortFunction = std::function<void(const State& state, std::span<double> tau)>;

// A place as it moves, for who decides what acts there.
struct MovingPlace {
  const State& state;  // its time included
  Pose<double> X_WA;   // where it is
  Motion<double> V;    // how it turns and moves, in world axes [rad/s, m/s]
};
// A moment and a force at that place, in world axes, as a law of its own says.
using WrenchLaw = std::function<Force<double>(const MovingPlace& place)>;

// The ball of a contact in its floor.
struct Touch {
  const State& state;
  double depth;                // [m] above 0: laws are asked only while it touches
  double sinking;              // [m/s] how fast the depth grows
  Vec3<double> point, normal;  // where the ball is deepest; out of the floor, of length 1
  Vec3<double> sliding;        // [m/s] of the ball along the floor; all in world axes
};
// What the floor does to the ball there [N]: out of the floor, and a force beside it (friction).
struct Push {
  double normal = 0;
  Vec3<double> along = {};
};
using ContactLaw = std::function<Push(const Touch& touch)>;

// Which parts of a description act: all of them, or the limits of motors alone.
enum class DescribedParts { all, motors };

class Drives {
 public:
  // What the description's inputs say. Throws ModelError with all that is wrong with them.
  explicit Drives(const Model& model, DescribedParts parts = DescribedParts::all);
  // The same on a model with the same tree: what drives a joint that is locked there waits.
  Drives(const Drives& others, const Model& model);
  Drives(const Drives&) = default;

  // Each adds to what is there. Throw std::invalid_argument for a freedom that is not there, or
  // not to be driven so. Freedoms are those of the tree, and, of _loop, those of all joints that
  // close loops.
  void push(int freedom, Signal effort);
  void push_loop(int freedom, Signal effort);
  // Of a joint driven by motion. Of a ball the three freedoms are yaw, pitch and roll, turned about
  // z, then the new y, then the new x; of a free body these and x, y, z. So of joints that close
  // loops.
  void plan(int freedom, Signal position);
  void plan_loop(int freedom, Signal position);
  void control(int freedom, const PidGains& gains, Signal target);
  void control_loop(int freedom, const PidGains& gains, Signal target);
  // Of all efforts on a freedom together, so much is left.
  void limit(int freedom, const MotorLimit& motor);
  void limit_loop(int freedom, const MotorLimit& motor);
  void act(EffortFunction effort) { functions_.push_back(std::move(effort)); }
  void pull(const Wrench& wrench);
  // Over time: moment and force, along x, y and z.
  void pull(const At& at, Axes axes, std::array<Signal, 6> moment_and_force);
  // As a law says, that sees how the place moves.
  void pull(const At& at, WrenchLaw law);
  // What a contact of the model does is up to this law alone: its own stiffness has to be 0.
  // Throws std::invalid_argument, with a suggestion, if there is none of that name.
  void touch(std::string_view contact, ContactLaw law);
  bool pulls() const { return !wrenches_.empty() || has_laws(); }

  // From now on planned joints are where their plans have them, and at rest there.
  void hold_still() { are_still_ = true; }
  bool are_still() const { return are_still_; }

  // Whether nothing was said to act.
  bool are_idle() const {
    return efforts_.empty() && loop_efforts_.empty() && plans_.empty() && loop_plans_.empty() &&
           controllers_.empty() && functions_.empty() && !pulls();
  }
  // Whether functions act, which may ask anything of a state.
  bool have_functions() const { return !functions_.empty(); }
  // Controllers remember, and turns of joints that close loops are counted: so many numbers of
  // State::z. Those of a state that has none begin here.
  int nz() const { return nz_; }
  void begin(State& state) const;
  // Times at which something jumps.
  std::vector<double> corners() const;

  // Of planned joints: where they are and how fast at `time`.
  void follow(double time, std::span<double> q, std::span<double> v) const;
  // What acts at a state; the spans of inputs() and loop_plan() point here.
  struct Acting {
    explicit Acting(const Model& model);
    std::vector<double> tau, a, loop_tau, loop_a;
    std::vector<Wrench> wrenches;
    // Of joints that close loops: where they are to be, if they are planned; and where they are, if
    // something asks for it.
    std::vector<double> plan_q, plan_v, loop_q, loop_v;
    std::unique_ptr<Workspace> loop_room;  // made when something asks
    // Of contacts that have a law and touch, in the order of Model::contacts(): what it says, and
    // which way the normal is.
    struct ByLaw {
      Push push;
      Vec3<double> up;
    };
    std::vector<std::optional<ByLaw>> by_laws;

   private:
    friend class Drives;
    std::optional<BasicWorkspace<double>> room;  // only where laws ask how bodies move
    std::optional<Kinematics> moving;
  };
  void look(const State& state, Acting& out) const;
  // What contacts do at a state that was looked at, those with laws as these say.
  [[nodiscard]] Status contact_forces(const State& state, const Acting& acting,
                                      Workspace& workspace, std::vector<ContactForce>& out) const;
  Inputs inputs(const Acting& acting) const;
  // The same of planned joints that close loops; the numbers are written to `out`.
  LoopPlan loop_plan(double time, Acting& out) const;
  // Where joints that close loops stand, of those that something asks for: loop_q and loop_v.
  void read_loops(const State& state, Acting& out) const;
  // Their turns in z, as the tree says them to the last bit.
  void settle_turns(State& state, Acting& room) const;
  // How z changes, after a look at the state.
  void remember(const State& state, const Acting& acting, std::span<double> z_dot) const;

  // Fails where a joint driven by motion has no plan, naming it.
  [[nodiscard]] Status check() const;
  const Model& model() const { return model_; }

 private:
  struct Driven {
    int freedom;
    Signal signal;
  };
  // Instead of a coordinate: the freedoms of a ball are planned together, by three angles.
  static constexpr int of_quaternion = -1;
  struct Planned {
    int freedom;
    int coordinate;             // of a joint that closes a loop, its freedom again
    std::vector<Signal> parts;  // which add up
    Signal::Value at(double time) const;
  };
  struct Controller {
    bool is_of_loop;
    int freedom, coordinate, z;
    PidGains gains;
    Signal target;
  };
  struct Limited {
    bool is_of_loop;
    int freedom;
    MotorLimit motor;
  };
  struct Errors {
    double error, rate, effort, free_effort;  // the last before the limit
  };
  Errors errors(const Controller& controller, const State& state, const Acting& acting) const;
  bool waits(int freedom) const { return model_.prescription(freedom) == Drive::locked; }
  bool loop_waits(int freedom) const { return model_.closure_drive(freedom) == Drive::locked; }
  std::optional<int> coordinate_of(int freedom) const;
  void expect_freedom(const char* call, int freedom) const;
  void expect_loop_freedom(const char* call, int freedom) const;
  // The closure whose freedom it is. Throws where that has no coordinates of its own.
  int expect_loop_coordinate(const char* call, int freedom) const;
  int closure_with(int freedom) const;
  // A ball or a free body that is planned, of the tree or closing a loop.
  struct Led {
    int v_start, nv, q_start;
  };
  std::vector<Led> led_in_tree() const;
  std::vector<Led> led_in_loops() const;
  void plan_accelerations(double time, Acting& out) const;
  void add_described();  // inputs and controllers
  void watch_loop(int closure);

  const Model& model_;
  std::vector<Driven> efforts_, loop_efforts_;
  std::vector<Planned> plans_, loop_plans_;
  std::vector<LoopReading> readings_;
  std::vector<Controller> controllers_;
  std::vector<Limited> limits_;
  std::vector<EffortFunction> functions_;
  struct Pulling {
    At at;
    Axes axes;
    std::array<Signal, 6> signals;
  };
  std::vector<Pulling> wrenches_;
  struct PullingLaw {
    At at;
    WrenchLaw law;
  };
  std::vector<PullingLaw> wrench_laws_;
  std::vector<ContactLaw> contact_laws_;  // as Model::contacts(); empty: none has one
  bool has_laws() const { return !wrench_laws_.empty() || !contact_laws_.empty(); }
  void add_laws(const State& state, Acting& out) const;
  int nz_ = 0;
  bool are_still_ = false;
};

}  // namespace trammel
