// A motion compared with MuJoCo: a seven-axis arm, by its Runge-Kutta method of order 4. Prints
// Markdown. (Loops are soft constraints there: two arms on one object would be another mechanism.)
#include <mujoco/mujoco.h>

#include <memory>

#include "bench/motion_beside.hpp"

namespace trammel::bench {
namespace {

using ::bench::PlainBody;

template <class ModelParameters> std::string text(const ModelParameters& numbers) {
  return fmt::format("{:.17g}", fmt::join(numbers, " "));
}

std::string body_text(const ::bench::PlainTree& tree, int i) {
  const PlainBody& body = tree.bodies[std::size_t(i)];
  const auto& R = body.X_PF.R;
  const auto& [x, y, z] = body.com;
  const auto& [xx, yy, zz, xy, xz, yz] = body.inertia;
  const double m = body.mass;
  // theirs is about the center of mass
  const std::array central{xx - m * (y * y + z * z), yy - m * (x * x + z * z),
                           zz - m * (x * x + y * y), xy + m * x * y,
                           xz + m * x * z,           yz + m * y * z};
  std::string xml = fmt::format(
      "<body pos='{}' xyaxes='{}'><joint axis='0 0 1' damping='{:.17g}'/>"
      "<inertial pos='{}' mass='{:.17g}' fullinertia='{}'/>",
      text(body.X_PF.p), text(std::array{R[0], R[3], R[6], R[1], R[4], R[7]}), body.damping,
      text(body.com), m, text(central));
  for (int child = i + 1; child < int(tree.bodies.size()); ++child)
    if (tree.bodies[std::size_t(child)].parent == i) xml += body_text(tree, child);
  return xml + "</body>";
}

struct Free {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
  void operator()(mjSpec* spec) const { mj_deleteSpec(spec); }
};

void beside(const Task& task) {
  const ::bench::PlainTree& tree = task.told;
  if (!tree.welds.empty()) throw std::runtime_error(task.name + " has loops, which are soft there");
  std::string xml = fmt::format(
      "<mujoco><compiler angle='radian' inertiafromgeom='false'/>"
      "<option gravity='{}' integrator='RK4'><flag constraint='disable'/></option><worldbody>",
      text(tree.gravity));
  for (int i = 0; i < int(tree.bodies.size()); ++i)
    if (tree.bodies[std::size_t(i)].parent < 0) xml += body_text(tree, i);
  xml += "</worldbody></mujoco>";
  std::array<char, 1000> description{};
  const std::unique_ptr<mjSpec, Free> spec(
      mj_parseXMLString(xml.c_str(), nullptr, description.data(), int(description.size())));
  const std::unique_ptr<mjModel, Free> model(spec ? mj_compile(spec.get(), nullptr) : nullptr);
  if (!model) throw std::runtime_error(fmt::format("MuJoCo says {}", description.data()));
  const std::unique_ptr<mjData, Free> data(mj_makeData(model.get()));

  std::vector<Outcome> outcomes;
  for (const double step : {1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4}) {
    model->opt.timestep = step;
    mj_resetData(model.get(), data.get());
    for (std::size_t k = 0; k < tree.bodies.size(); ++k) {
      data->qpos[k] = tree.bodies[k].q;
      data->qvel[k] = tree.bodies[k].v;
      data->qfrc_applied[k] = tree.bodies[k].effort;
    }
    const std::clock_t before = std::clock();
    for (long k = std::lround(task.duration / step); k > 0; --k) mj_step(model.get(), data.get());
    const double seconds = double(std::clock() - before) / CLOCKS_PER_SEC;
    const std::span<const double> q(data->qpos, tree.bodies.size()), v(data->qvel, q.size());
    outcomes.push_back({fmt::format("RK4 of {} s", step), task.error(q, v), seconds});
  }
  print_beside(task, fmt::format("MuJoCo {}", mj_versionString()), outcomes);
}

}  // namespace
}  // namespace trammel::bench

int main() {
  using namespace trammel::bench;
  try {
    print_header();
    beside(Task("seven_axis_arm", 10));
  } catch (const std::exception& mistake) {
    fmt::print(stderr, "mujoco_motion: {}\n", mistake.what());
    return 1;
  }
  return 0;
}
