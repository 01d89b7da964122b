#include "bench/large.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>
#include <stdexcept>

#include "bench/memory.hpp"
#include "bench/serve.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/build/builder.hpp"

namespace bench {

namespace {

constexpr double mass = 0.2, length = 0.1;  // [kg], [m] of one link

trammel::Model hanging_chain(long bodies) {
  trammel::Description description("hanging chain");
  const double I = mass * length * length / 12;
  std::string parent = "ground";
  for (long i = 0; i < bodies; ++i) {
    const std::string name = "b" + std::to_string(i);
    description.body(
        name, {.mass = mass, .com = {0.0, 0.0, -length / 2}, .inertia = {I, 0.0, 0.0, I, 0.0, I}});
    description.joint("j" + std::to_string(i), trammel::JointKind::revolute, parent, name,
                      {.at = {{0.0, 0.0, i == 0 ? 0.0 : -length}, {}},
                       .axis = i % 2 ? trammel::Vec3<trammel::Expr>{0.0, 1.0, 0.0}
                                     : trammel::Vec3<trammel::Expr>{1.0, 0.0, 0.0}});
    parent = name;
  }
  return build_model(description);
}

void expect(const trammel::Status& status) {
  if (!status) throw std::runtime_error(status.message());
}

template <class Work> double seconds(const Work& work) {
  const double start = nanoseconds_used();
  work();
  return 1e-9 * (nanoseconds_used() - start);
}

}  // namespace

std::string large_chain(long bodies) {
  if (bodies < 1) throw std::runtime_error("large: ask for one body or more");
  std::ostringstream out;
  out << std::setprecision(6);
  const double start = nanoseconds_used();
  const trammel::Model model = hanging_chain(bodies);
  out << 1e-9 * (nanoseconds_used() - start);
  const std::size_t before = bytes_in_use();
  {
    // a copy: the model alone, without temporaries of its construction
    const trammel::Model copy = model;
    out << ' ' << double(bytes_in_use() - before) / double(bodies);
  }
  const std::size_t without = bytes_in_use();
  trammel::Workspace workspace(model);
  out << ' ' << double(bytes_in_use() - without) / double(bodies);

  trammel::State state = neutral_state(model);
  std::vector<double> a(state.v.size()), tau(a), back(a);
  for (std::size_t i = 0; i < a.size(); ++i) {
    state.q[i] = 1e-3 * std::sin(double(i));  // nearly straight
    state.v[i] = 1e-3 * std::cos(double(i));
    tau[i] = 1e-3 * std::sin(2 * double(i));
  }
  const auto inverse = [&] { expect(inverse_dynamics(model, state, {.a = a}, workspace, back)); };
  const auto forward = [&] { expect(forward_dynamics(model, state, {.tau = tau}, workspace, a)); };
  forward();
  inverse();
  double error = 0;
  for (std::size_t i = 0; i < a.size(); ++i) error = std::max(error, std::abs(back[i] - tau[i]));
  const double n = double(bodies), holding = 9.81 * n * mass * n * length / 2;
  out << ' ' << seconds(inverse) << ' ' << seconds(forward) << ' ' << error / holding;
  return out.str();
}

}  // namespace bench
