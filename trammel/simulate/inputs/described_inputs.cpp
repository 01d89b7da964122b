#include "trammel/simulate/inputs/described_inputs.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/constraint/kinds/closure.hpp"
#include "trammel/model/build/names.hpp"
#include "trammel/model/description/description_parameters.hpp"

namespace trammel {

namespace {

// Parameters of one input at the nominal values.
class InputNumbers {
 public:
  InputNumbers(const InputDescription& input, const Values<double>& value, Diagnostics& found)
      : input_(input), found_(found) {
    for (const auto& [name, expressions] : input.numbers) {
      std::vector<double> numbers;
      for (const Expr& expression : expressions) numbers.push_back(value(expression));
      named_.emplace_back(name, std::move(numbers));
    }
  }

  // value for dof k of n; a single value counts for all
  double of(std::string_view name, int k, double otherwise = 0) const {
    for (const auto& [given, numbers] : named_)
      if (given == name && !numbers.empty())
        return numbers.size() == 1 ? numbers[0] : numbers[std::size_t(k)];
    return otherwise;
  }
  const std::vector<double>& all(std::string_view name) const {
    static const std::vector<double> none;
    for (const auto& [given, numbers] : named_)
      if (given == name) return numbers;
    return none;
  }

  Signal signal(int k, int n) const {
    const std::string_view profile = input_.profile;
    if (profile == "constant") return Signal::constant(of("value", k));
    if (profile == "step") return Signal::step(of("from", k), of("to", k), of("at", 0));
    if (profile == "sine")
      return Signal::sine(of("amplitude", k), of("frequency", 0), of("phase", 0), of("offset", k));
    if (profile == "speed") return Signal::speed(of("rate", k), of("from", k));
    if (profile == "random") return noise(k);
    if (profile == "table" || profile == "spline") return through_points(k, n);
    const double over = of("over", 0);
    if (!(over > 0)) {
      complain(fmt::format("{}.over", profile), fmt::format("lasts {} s", over),
               "give a time above 0, or a step");
      return {};
    }
    if (profile == "pulse") return Signal::pulse(of("from", k), of("to", k), of("at", 0), over);
    if (profile == "cubic")
      return Signal::rest_to_rest(of("from", k), of("to", k), of("start", 0), over);
    return Signal::ramp(of("from", k), of("to", k), of("start", 0), over);
  }

 private:
  // Degrees of freedom of one joint have different noise.
  Signal noise(int k) const {
    const double low = of("low", 0), high = of("high", 0), seed = of("seed", 0);
    if (!(low >= 0 && low < high)) {
      complain("random.high", fmt::format("has a band from {} Hz to {} Hz", low, high),
               "give low of 0 or more, and high above it");
      return {};
    }
    constexpr double largest_seed = 1e15;
    if (!(seed >= 0 && seed <= largest_seed && seed == std::floor(seed))) {
      complain("random.seed", fmt::format("has the seed {}", seed),
               "a seed is a whole number, 0 or more");
      return {};
    }
    return Signal::noise(of("rms", k), low, high, of("offset", k),
                         std::uint64_t(seed) * 6 + std::uint64_t(k));
  }
  Signal through_points(int k, int n) const {
    const std::vector<double>& times = all("times");
    const std::vector<double>& values = all("values");
    if (times.empty() || values.size() != times.size() * std::size_t(n)) {
      complain(input_.profile,
               fmt::format("has {} times and {} values", times.size(), values.size()),
               "give a value for each time, and at least one");
      return {};
    }
    for (std::size_t i = 0; i + 1 < times.size(); ++i)
      if (!(times[i] < times[i + 1])) {
        complain(fmt::format("{}.times", input_.profile),
                 fmt::format("goes from {} s to {} s", times[i], times[i + 1]),
                 "put the times in order, each only once");
        return {};
      }
    std::vector<double> mine;
    for (std::size_t i = 0; i < times.size(); ++i)
      mine.push_back(values[i * std::size_t(n) + std::size_t(k)]);
    return input_.profile == "table" ? Signal::table(times, mine) : Signal::spline(times, mine);
  }
  void complain(const std::string& key, const std::string& fact, const std::string& hint) const {
    found_.error(input_.place.of(key), fmt::format("input '{}' {}", input_.name, fact), hint);
  }

  const InputDescription& input_;
  Diagnostics& found_;
  std::vector<std::pair<std::string, std::vector<double>>> named_;
};

// The dofs of a joint, in the tree or in a loop.
struct Dofs {
  Dofs(const Model& model, JointId id) {
    const NamedJoint& joint = model[id];
    const int closure = model.closure_of(id);
    first = {joint.v_start, closure >= 0};
    count = joint.nv;
    has_quaternion = joint.nq != joint.nv;
    if (closure < 0) return;
    const Closure& what = model.closures()[std::size_t(closure)];
    first.dof = what.v_start;
    count = std::visit([](const auto& kind) { return int(kind.nv()); }, what.joint);
    has_quaternion = count > 0 && !has_single_coordinates(what.joint);
  }
  DrivenDof operator[](int k) const { return {first.dof + k, first.is_of_loop}; }

  DrivenDof first;
  int count = 0;
  bool has_quaternion = false;
};

}  // namespace

std::vector<DescribedInput> described_inputs(const Model& model) {
  const Description& description = model.description();
  std::vector<DescribedInput> inputs;
  if (description.inputs.empty()) return inputs;
  const Values<double> value = evaluate_at_nominal(description);
  Diagnostics found;
  for (const InputDescription& input : description.inputs) {
    const auto complain = [&](const std::string& fact, const std::string& hint) {
      found.error(
          input.place.of("joint"),
          fmt::format("input '{}' drives joint '{}', which {}", input.name, input.joint, fact),
          hint);
    };
    const std::optional<JointId> id = model.find_joint(input.joint);
    if (!id) continue;  // reported by the builder
    const NamedJoint& joint = model[*id];
    const Dofs dofs(model, *id);
    if (joint.drive == Drive::locked) {
      complain("is locked", "leave the input out, or give the joint another drive");
      continue;
    }
    if (joint.role == NamedJoint::Role::fixed || dofs.count == 0) {
      complain("is fixed", "drive a joint that can move");
      continue;
    }
    const InputNumbers numbers(input, value, found);
    for (int k = 0; k < dofs.count; ++k) inputs.push_back({dofs[k], numbers.signal(k, dofs.count)});
  }
  if (found.has_errors()) throw ModelError(std::move(found));
  return inputs;
}

std::vector<DescribedController> described_controllers(const Model& model) {
  const Description& description = model.description();
  std::vector<DescribedController> controllers;
  if (description.controllers.empty()) return controllers;
  const Values<double> value = evaluate_at_nominal(description);
  Diagnostics found;
  for (const ControllerDescription& what : description.controllers) {
    const CoordinateName controlled = coordinate_named(what.joint, description);
    const std::optional<JointId> id = model.find_joint(controlled.joint);
    if (!id) continue;  // reported by the builder
    const NamedJoint& joint = model[*id];
    const auto complain = [&](const std::string& fact, const std::string& hint) {
      found.error(
          what.place.of("joint"),
          fmt::format("controller '{}' controls joint '{}', which {}", what.name, what.joint, fact),
          hint);
    };
    const Dofs dofs(model, *id);
    if (joint.role == NamedJoint::Role::fixed || dofs.count == 0 || dofs.has_quaternion) {
      complain(dofs.has_quaternion ? "has a quaternion, not a coordinate" : "is fixed",
               "control joints that turn or slide along single coordinates");
      continue;
    }
    if (joint.drive == Drive::motion || joint.drive == Drive::locked) {
      complain("is locked or driven by motion", "give it the drive torque or none");
      continue;
    }
    if (controlled.k >= dofs.count) {
      complain(fmt::format("has {} coordinates", dofs.count),
               "the first coordinate is [0]; without a number it controls all of them");
      continue;
    }
    const InputNumbers target(what.target, value, found);
    PidGains gains{.p = value(what.p),
                   .i = value(what.i),
                   .d = value(what.d),
                   .filter = value(what.filter),
                   .is_rate_of_joint = what.is_rate_of_joint};
    if (what.limit) gains.limit = value(*what.limit);
    if (controlled.k >= 0)
      controllers.push_back({dofs[controlled.k], gains, target.signal(0, 1)});
    else
      for (int k = 0; k < dofs.count; ++k)
        controllers.push_back({dofs[k], gains, target.signal(k, dofs.count)});
  }
  if (found.has_errors()) throw ModelError(std::move(found));
  return controllers;
}

std::vector<DescribedWrench> described_wrenches(const Model& model) {
  const Description& description = model.description();
  std::vector<DescribedWrench> wrenches;
  if (description.wrenches.empty()) return wrenches;
  const Values<double> value = evaluate_at_nominal(description);
  Diagnostics found;
  for (const WrenchDescription& what : description.wrenches) {
    DescribedWrench wrench{
        frame_ref(model, what.at), what.is_in_own_axes ? Axes::body : Axes::world, {}};
    const auto add = [&](const std::optional<InputDescription>& part, std::size_t first) {
      if (!part) return;
      const InputNumbers numbers(*part, value, found);
      for (int k = 0; k < 3; ++k) wrench.signals[first + std::size_t(k)] = numbers.signal(k, 3);
    };
    add(what.moment, 0);
    add(what.force, 3);
    wrenches.push_back(std::move(wrench));
  }
  if (found.has_errors()) throw ModelError(std::move(found));
  return wrenches;
}

std::vector<DescribedMotor> described_motors(const Model& model) {
  const Description& description = model.description();
  std::vector<DescribedMotor> motors;
  if (description.motors.empty()) return motors;
  const Values<double> value = evaluate_at_nominal(description);
  for (const MotorDescription& what : description.motors) {
    const std::optional<JointId> id = model.find_joint(what.joint);
    if (!id || !what.stall_torque) continue;
    MotorLimit limit{.gear = value(what.gear), .stall = value(*what.stall_torque)};
    if (what.no_load_speed) limit.no_load = value(*what.no_load_speed);
    motors.push_back({Dofs(model, *id)[0], limit});
  }
  return motors;
}

}  // namespace trammel
