// MuJoCo's results, with its wheel's library (plain C, so that its compiler does not matter): see
// bench/serve.hpp for the commands.
#include <mujoco/mujoco.h>

#include "bench/serve.hpp"

namespace {

using Vector = std::array<double, 3>;

template <class Range> std::string text(const Range& numbers) {
  std::ostringstream out;
  out << std::setprecision(17);
  for (const double x : numbers) out << x << ' ';
  return out.str();
}

std::string joint(const bench::RobotBody& body) {
  if (body.is_free) return "<freejoint/>";
  return "<joint type='" + std::string(body.is_prismatic ? "slide" : "hinge") + "' axis='" +
         text(body.axis) + "'/>";
}

std::string site(const std::string& name, const std::array<double, 9>& R, const Vector& p) {
  return "<site name='" + name + "' pos='" + text(p) + "' xyaxes='" +
         text(Vector{R[0], R[3], R[6]}) + text(Vector{R[1], R[4], R[7]}) + "'/>";
}

// one body and its subtree; the frames of its loops are sites
void append(const bench::Robot& robot, int i, std::string& xml) {
  const bench::RobotBody& body = robot.bodies[std::size_t(i)];
  const auto& [xx, xy, xz, yy, yz, zz] = body.inertia;
  const Vector x{body.R[0], body.R[3], body.R[6]}, y{body.R[1], body.R[4], body.R[7]};
  xml += "<body pos='" + text(body.p) + "' xyaxes='" + text(x) + text(y) + "'>";
  xml += joint(body);
  xml += "<inertial pos='" + text(body.com) + "' mass='" + text(std::array{body.mass}) +
         "' fullinertia='" + text(std::array{xx, yy, zz, xy, xz, yz}) + "'/>";
  for (std::size_t k = 0; k < robot.loops.size(); ++k) {
    const bench::RobotLoop& loop = robot.loops[k];
    if (loop.body == i) xml += site("a" + std::to_string(k), loop.R, loop.p);
    if (loop.other == i) xml += site("b" + std::to_string(k), loop.R_other, loop.p_other);
  }
  for (int child = i + 1; child < int(robot.bodies.size()); ++child)
    if (robot.bodies[std::size_t(child)].parent == i) append(robot, child, xml);
  xml += "</body>";
}

// Loops as soft equality constraints, as stiff as MuJoCo allows; a pin in the plane is a ball
// joint.
std::string equalities(const bench::Robot& robot) {
  std::string xml = "<equality>";
  for (std::size_t k = 0; k < robot.loops.size(); ++k)
    xml += std::string(robot.loops[k].rows == 6 ? "<weld" : "<connect") + " site1='a" +
           std::to_string(k) + "' site2='b" + std::to_string(k) +
           "' solimp='0.9999 0.9999 0.001 0.5 2'/>";
  return xml + "</equality>";
}

// Contacts and limits are off; constraints, too, if there are no loops. Massless bodies and thin
// rods get inertias too small to count.
mjModel* build(const bench::Robot& robot) {
  std::string xml =
      "<mujoco><compiler angle='radian' inertiafromgeom='false' boundmass='1e-9' "
      "boundinertia='1e-12'/>";
  if (!robot.loops.empty()) xml += "<size memory='4G'/>";
  xml += "<option timestep='0.001' jacobian='sparse' gravity='" + text(robot.gravity) +
         "'><flag contact='disable' limit='disable'" +
         (robot.loops.empty() ? " constraint='disable'" : "") + "/></option><worldbody>";
  for (int i = 0; i < int(robot.bodies.size()); ++i)
    if (robot.bodies[std::size_t(i)].parent < 0) append(robot, i, xml);
  xml += "</worldbody>" + (robot.loops.empty() ? "" : equalities(robot)) + "</mujoco>";
  std::array<char, 1000> message{};
  mjSpec* const spec = mj_parseXMLString(xml.c_str(), nullptr, message.data(), int(message.size()));
  mjModel* const model = spec != nullptr ? mj_compile(spec, nullptr) : nullptr;
  if (spec != nullptr && model == nullptr) throw std::runtime_error(mjs_getError(spec));
  if (model == nullptr) throw std::runtime_error(message.data());
  mj_deleteSpec(spec);
  return model;
}

// Depth first, as MuJoCo orders its joints: the file's body of each.
void outward(const bench::Robot& robot, int parent, std::vector<std::size_t>& order) {
  for (int i = 0; i < int(robot.bodies.size()); ++i)
    if (robot.bodies[std::size_t(i)].parent == parent) {
      order.push_back(std::size_t(i));
      outward(robot, i, order);
    }
}

Vector cross(const double* a, const double* b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

class Subject {
 public:
  explicit Subject(const bench::Robot& robot)
      : has_loops_(!robot.loops.empty()),
        floating_(robot.is_floating() ? 5 : 0),
        model_(build(robot)),
        data_(mj_makeData(model_.get())) {
    outward(robot, -1, order_);
    for (const bench::RobotState& description : robot.states)
      states_.push_back(converted(description));
  }
  std::string memory() const { throw std::runtime_error("not counted"); }

  bench::EvalContext question(const std::string& name) {
    const bool is_inverse = name == "inverse";
    if (name == "step") return step();
    // loops are part of the model
    if (!is_inverse && name != (has_loops_ ? "closed" : "forward"))
      throw std::runtime_error("there is no question '" + name + "'");
    mjData& d = *data_;
    const auto inverse = [this, &d](std::size_t s) {
      put(states_[s]);
      mju_copy(d.qacc, states_[s].a.data(), int(model_->nv));
      mj_inverse(model_.get(), &d);
    };
    const auto forward = [this, &d](std::size_t s) {
      put(states_[s]);
      mju_copy(d.qfrc_applied, states_[s].tau.data(), int(model_->nv));
      mj_forward(model_.get(), &d);
    };
    const auto answer = [this, &d, inverse, forward, is_inverse](std::size_t s) {
      is_inverse ? inverse(s) : forward(s);
      return is_inverse ? told(s, d.qfrc_inverse, false) : told(s, d.qacc, true);
    };
    const std::size_t n = states_.size();
    return {is_inverse ? bench::repeated(n, inverse) : bench::repeated(n, forward), answer};
  }

 private:
  // semi-implicit Euler, its default
  bench::EvalContext step() {
    mjData& d = *data_;
    const auto ask = [this, &d](std::size_t s) {
      put(states_[s]);
      mju_copy(d.qfrc_applied, states_[s].tau.data(), int(model_->nv));
      mj_step(model_.get(), &d);
    };
    return {bench::repeated(states_.size(), ask), [this, &d, ask](std::size_t s) {
              ask(s);
              std::vector<double> mean = told(d.qpos, d.qvel);
              const std::vector<double> before = told(states_[s].q.data(), states_[s].v.data());
              for (std::size_t k = 0; k < mean.size(); ++k)
                mean[k] = (mean[k] - before[k]) / model_->opt.timestep;
              return mean;
            }};
  }
  void put(const bench::RobotState& state) {
    mju_copy(data_->qpos, state.q.data(), int(model_->nq));
    mju_copy(data_->qvel, state.v.data(), int(model_->nv));
  }

  // MuJoCo has the linear velocity of a free base in world axes, and the quaternion w first.
  bench::RobotState converted(const bench::RobotState& description) const {
    bench::RobotState made = description;
    const std::size_t base = floating_ + (floating_ > 0);
    for (std::size_t k = floating_ ? 1 : 0; k < order_.size(); ++k) {
      made.q[base + k] = description.q[base + order_[k]];
      for (auto part : {&bench::RobotState::v, &bench::RobotState::a, &bench::RobotState::tau})
        (made.*part)[floating_ + k] = (description.*part)[floating_ + order_[k]];
    }
    if (floating_ == 0) return made;
    made.q[3] = description.q[6];
    for (std::size_t k = 0; k < 3; ++k) made.q[4 + k] = description.q[3 + k];
    // classical acceleration of the origin
    const Vector turning = cross(&description.v[3], &description.v[0]);
    for (std::size_t k = 0; k < 3; ++k) made.a[k] += turning[k];
    for (auto part : {&made.v, &made.a, &made.tau}) {
      const Vector linear{(*part)[0], (*part)[1], (*part)[2]};
      mju_rotVecQuat(part->data(), linear.data(), &made.q[3]);
    }
    return made;
  }
  // Velocities or efforts at a position in the file's order and axes.
  std::vector<double> told(const double* q, const double* x) const {
    std::vector<double> made(x, x + model_->nv);
    for (std::size_t k = floating_ ? 1 : 0; k < order_.size(); ++k)
      made[floating_ + order_[k]] = x[floating_ + k];
    if (floating_ == 0) return made;
    std::array<double, 4> back{};
    mju_negQuat(back.data(), &q[3]);
    mju_rotVecQuat(made.data(), x, back.data());
    return made;
  }
  std::vector<double> told(std::size_t s, const double* x, bool is_acceleration) const {
    const bench::RobotState& state = states_[s];
    std::vector<double> made = told(state.q.data(), x);
    if (is_acceleration && floating_ > 0) {
      const std::vector<double> v = told(state.q.data(), state.v.data());
      const Vector turning = cross(&state.v[3], v.data());
      for (std::size_t k = 0; k < 3; ++k) made[k] -= turning[k];
    }
    return made;
  }

  struct Free {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  bool has_loops_;
  std::size_t floating_;  // degrees of freedom of a free base in addition to one
  std::unique_ptr<mjModel, Free> model_;
  std::unique_ptr<mjData, Free> data_;
  std::vector<std::size_t> order_;
  std::vector<bench::RobotState> states_;
};

struct MuJoCo {
  using Subject = ::Subject;
  static std::string about() {
    return std::string("MuJoCo ") + mj_versionString() + ", its wheel's library";
  }
  static long allocations() { return -1; }
};

}  // namespace

int main() { return bench::Server<MuJoCo>().run(); }
