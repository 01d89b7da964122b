// Random mechanisms from a seed: trees of every kind of joint, fixed and floating, some joints with
// parent and child exchanged, some bodies fixed to others, some with springs. A failing property
// test prints the seed, which is enough to make the robot again.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

struct Random {
  std::mt19937 engine;
  explicit Random(int seed) : engine(unsigned(seed)) {}

  double operator()(double lo = -1, double hi = 1) {
    return std::uniform_real_distribution<double>(lo, hi)(engine);
  }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine); }
  Vec3<double> vector(double size = 1) {
    return {(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)};
  }
  Vec3<double> direction() {
    for (;;) {
      const Vec3<double> a = vector();
      const double length = norm(a);
      if (length > 0.1 && length < 1) return (1 / length) * a;
    }
  }
  std::vector<double> numbers(int n) {
    std::vector<double> x(static_cast<std::size_t>(n));
    for (double& value : x) value = (*this)();
    return x;
  }
};

struct RandomRobotOptions {
  int bodies = 0;         // 0: from 1 to 60, by the seed
  bool symbols = false;   // every number is a symbolic parameter
  bool springs = true;    // some joints have springs and dampers
  bool floating = false;  // the first joint is free, all others are outboard of its body
  bool only_fixed_base = false;
};

// A random robot with a random state and accelerations, for property tests.
struct RandomRobot {
  using Options = RandomRobotOptions;

  explicit RandomRobot(int seed_, const Options& options = {})
      : seed(seed_),
        description(describe(seed_, options)),
        model(build_model(description)),
        workspace(model),
        random(seed_ + 100000),
        state(random_state(model, random)),
        a(random.numbers(model.nv())) {}

  static State random_state(const Model& model, Random& random) {
    State state = neutral_state(model);
    state.v = random.numbers(model.nv());
    // a random tangent from the neutral position leads anywhere, and quaternions stay unit
    std::vector<double> far = random.numbers(model.nv());
    for (double& x : far) x *= 2.5;
    for (const NamedJoint& joint : model.joints())  // a gimbal locks at a quarter turn: stay away
      if (joint.kind == JointKind::compound)
        for (int k = 0; k < joint.nv; ++k) far[std::size_t(joint.v_start + k)] *= 0.4;
    const std::vector<double> start = state.q;
    integrate(model, start, far, state.q);
    return state;
  }

  static Description describe(int seed, const Options& options) {
    Random random(seed);
    Description given("robot of seed " + std::to_string(seed));
    int symbols = 0;
    const auto number = [&](double x) -> Expr {
      return options.symbols ? given.parameter("p" + std::to_string(symbols++), x) : Expr(x);
    };
    const auto vector = [&](const Vec3<double>& x) {
      return Vec3<Expr>{number(x.x), number(x.y), number(x.z)};
    };
    given.gravity = vector({random(), random(), -9.81});

    const int n = options.bodies > 0 ? options.bodies : 1 + (seed * 7) % 60;
    for (int i = 1; i <= n; ++i) {
      const std::string name = "b" + std::to_string(i);
      const double m = random(0.5, 1.5), x = random(0.01, 0.03), y = random(0.01, 0.03);
      const double z = random(std::abs(x - y), x + y);  // satisfies the triangle inequality
      // rotated principal axes, so that products of inertia are not zero
      const SymMat3<double> central =
          rotate(exponential_rotation(random.vector(2)), SymMat3<double>{x, 0, 0, y, 0, z});
      given.body(name, {.mass = number(m),
                        .com = vector(random.vector(0.1)),
                        .inertia = {number(central.xx), number(central.xy), number(central.xz),
                                    number(central.yy), number(central.yz), number(central.zz)}});

      const bool is_root =
          i == 1 && (options.floating || (!options.only_fixed_base && seed % 3 == 0));
      const int parent = is_root ? 0
                         : options.floating || i > 1
                             ? (i == 1 ? 0 : std::max(options.floating ? 1 : 0, random.below(i)))
                             : 0;
      JointKind kind =
          is_root ? JointKind::free : kinds()[std::size_t((i + seed) % int(kinds().size()))];
      if (i == 1 && kind == JointKind::fixed) kind = JointKind::revolute;  // something must move
      JointOptions how;
      how.at = {vector(random.vector(0.3)), vector(random.vector(3))};
      how.child_at = {vector(random.vector(0.1)), vector(random.vector(3))};
      how.axis = axis_of(random, kind);
      how.axis2 = {0.0, 1.0, 0.0};
      if (kind == JointKind::universal) how.axis = {1.0, 0.0, 0.0};
      if (kind == JointKind::screw) how.pitch = number(random(-0.2, 0.2));
      if (kind == JointKind::compound) how.motions = steps(random);
      const bool has_quaternion = kind == JointKind::free || kind == JointKind::spherical;
      if (options.springs && i % 4 == 0 && kind != JointKind::fixed) {
        if (!has_quaternion)
          how.stiffness = {number(random(0.1, 2))}, how.rest = {number(random())};
        how.damping = {number(random(0.1, 1))};
      }
      // every fifth joint has parent and child exchanged; the root does not, so that floating means
      // free
      const std::string parent_name = parent == 0 ? "ground" : "b" + std::to_string(parent);
      if (i % 5 == 0 && !is_root) {
        given.joint("j" + std::to_string(i), kind, name, parent_name, how);
      } else {
        given.joint("j" + std::to_string(i), kind, parent_name, name, how);
      }
    }
    return given;
  }

  static const std::vector<JointKind>& kinds() {
    using enum JointKind;
    static const std::vector<JointKind> list = {revolute, prismatic, universal,   spherical,
                                                fixed,    screw,     cylindrical, revolute,
                                                compound, planar,    free};
    return list;
  }
  static Vec3<Expr> axis_of(Random& random, JointKind kind) {
    const Vec3<double> any = random.direction();
    if (kind == JointKind::planar) return {0.0, 0.0, 1.0};
    switch (random.below(5)) {
      case 0: return {1.0, 0.0, 0.0};
      case 1: return {0.0, -1.0, 0.0};
      case 2: return {0.0, 0.0, 1.0};
      default: return {any.x, any.y, any.z};
    }
  }
  static std::vector<JointStep> steps(Random& random) {
    const Vec3<Expr> x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};
    const Vec3<double> d = random.direction(), e = random.direction();
    const Vec3<Expr> oblique{d.x, d.y, d.z}, other{e.x, e.y, e.z};
    switch (random.below(4)) {
      case 0: return {turn(y), slide(x), turn(z), turn(x)};
      case 1: return {slide(oblique), turn(x)};
      case 2: return {turn(x), turn(y), turn(z), slide(x), slide(y), slide(z)};
      default: return {turn(oblique), slide(z), turn(other)};
    }
  }

  int seed;
  Description description;
  Model model;
  Workspace workspace;
  Random random;
  State state;
  std::vector<double> a;
};

inline std::ostream& operator<<(std::ostream& out, const RandomRobot& robot) {
  return out << "seed " << robot.seed << ", " << robot.model.bodies().size() - 1
             << " bodies, nv = " << robot.model.nv();
}

inline double largest(const std::vector<double>& x) {
  double size = 0;
  for (const double value : x) size = std::max(size, std::abs(value));
  return size;
}
// Largest difference, relative to the largest entry (or to 1, if all are smaller).
inline double difference_of(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() != y.size()) return INFINITY;
  double worst = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double d = std::abs(x[k] - y[k]);
    if (!(d <= worst)) worst = d;  // NaN counts as the largest
  }
  return worst / std::max(1.0, largest(y));
}

}  // namespace trammel
