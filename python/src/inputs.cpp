#include "inputs.hpp"

#include "bindings.hpp"
#include "call.hpp"
#include "trammel/constraint/assembly/start_velocities.hpp"

namespace trammel::python {

namespace {

std::string text_of(const Vec3<double>& a) {
  return py::repr(py::make_tuple(a.x, a.y, a.z)).cast<std::string>();
}
std::string text_of(const Motion<double>& V) {
  return py::repr(to_array(V).attr("tolist")()).cast<std::string>();
}
py::object place_object(const Where& where) {
  if (const std::string* const name = std::get_if<std::string>(&where)) return py::str(*name);
  return py::cast(std::get<FrameRef>(where));
}
Motion<double> motion_or_zero(const char* what, const py::object& given) {
  return given.is_none() ? Motion<double>() : to_motion(what, given);
}

// Values of the degrees of freedom of loop joints: in order, or by the names of joints.
std::vector<double> loop_numbers(const char* function, const char* what, const Model& model,
                                 const py::object& given) {
  if (given.is_none()) return {};
  const std::string begin = std::string(function) + ": " + what;
  if (!py::isinstance<py::dict>(given)) {
    const Array array = Array::ensure(given);
    if (!array) throw py::type_error(begin + " is no array of numbers and no dict");
    if (array.ndim() != 1 || array.size() != model.loop_nv())
      throw std::invalid_argument(begin + " has " + std::to_string(array.size()) +
                                  " entries, the loop joints have " +
                                  std::to_string(model.loop_nv()) + " degrees of freedom");
    return {array.data(), array.data() + array.size()};
  }
  std::vector<double> numbers(std::size_t(model.loop_nv()), 0.0);
  for (const NamedNumbers& one : numbers_by_name(begin, model, given, Loops::alone))
    std::ranges::copy(one.numbers, numbers.begin() + one.entries.start);
  return numbers;
}

// Writes the numbers of one joint to those of the tree, or of the loops (nothing yet: zeros).
void put(const Model& model, const NamedNumbers& one, std::vector<double>& tree,
         std::vector<double>& loops) {
  if (one.is_of_loop && loops.empty()) loops.resize(std::size_t(model.loop_nv()), 0.0);
  std::ranges::copy(one.numbers, (one.is_of_loop ? loops : tree).begin() + one.entries.start);
}

// A vector with one number per degree of freedom; a wrong size is refused with the joints' names.
std::span<const double> dof_numbers(const char* function, const char* what, const Model& model,
                                    const Array& given) {
  const std::span<const double> x = vector_in(function, what, given, model.nv());
  if (int(x.size()) == model.nv()) return x;
  throw std::invalid_argument(std::string(function) + ": " + what + " has " +
                              std::to_string(x.size()) + " entries, the model has nv = " +
                              std::to_string(model.nv()) + ": " + listed_joints(model, Space::v));
}

void bind_frame_ref(py::module_& module) {
  Class<FrameRef> frame(
      module, "FrameRef",
      "A frame on a body: the body's index in model.bodies, and a Pose in its frame.");
  frame.def(py::init([](int body, const py::object& X_UA) {
              return FrameRef{BodyId{body}, X_UA.is_none() ? Pose<double>::identity()
                                                           : to_pose("FrameRef: X_UA", X_UA)};
            }),
            py::arg("body"), py::arg("X_UA") = py::none(),
            "The body's own frame, or a Pose in it.");
  frame
      .field(
          "body", [](const FrameRef& ref) { return index(ref.body); },
          "Index of its body in model.bodies.")
      .field(
          "X_UA", [](const FrameRef& ref) { return to_python(ref.X_UA); },
          "The pose of the place in its body's frame.")
      .repr([](const FrameRef& ref) {
        return "<FrameRef body " + std::to_string(index(ref.body)) + ", " + text_of(ref.X_UA.p) +
               ">";
      });
  define(
      module, "frame_ref",
      parameters(parameter<std::string>("body_or_frame"), parameter<py::object>("xyz", None())),
      [](Call& call, const std::string& name, const py::object& xyz) {
        FrameRef ref = frame_ref(call.model(), name);
        if (!xyz.is_none()) ref.X_UA.p = ref.X_UA * to_vec3("frame_ref: xyz", xyz);
        return ref;
      },
      "The place of a named body or frame, or a point xyz [m] in it. ValueError with a suggestion "
      "if no body or frame has that name.");
}

void bind_wrench(py::module_& module) {
  Class<WrenchAt> wrench(module, "Wrench", "An external moment and force, acting at a place.");
  wrench.def(
      py::init(
          [](const Where& where, const py::object& moment, const py::object& force, Axes axes) {
            return WrenchAt{
                where, {to_vec3("Wrench: moment", moment), to_vec3("Wrench: force", force)}, axes};
          }),
      py::arg("at"), py::kw_only(), py::arg("moment") = py::make_tuple(0.0, 0.0, 0.0),
      py::arg("force") = py::make_tuple(0.0, 0.0, 0.0), py::arg("axes") = "world",
      "At a FrameRef, or a body or frame by name: moment [N m] and force [N] in the axes of the "
      "world, or of the place itself ('body').");
  wrench
      .field(
          "at", [](const WrenchAt& w) { return place_object(w.at); }, "Place where it acts.")
      .field(
          "moment", [](const WrenchAt& w) { return to_array(w.F.moment); },
          "Its moment at the place [N m].")
      .field(
          "force", [](const WrenchAt& w) { return to_array(w.F.force); }, "Its force [N].")
      .field(
          "axes", [](const WrenchAt& w) { return w.axes; },
          "Axes in which it is expressed: 'world' or 'body'.")
      .repr([](const WrenchAt& w) {
        return "Wrench(" + py::repr(place_object(w.at)).cast<std::string>() +
               ", moment=" + text_of(w.F.moment) + ", force=" + text_of(w.F.force) + ", axes='" +
               word(w.axes) + "')";
      });
}

void bind_support(py::module_& module) {
  Class<Support> support(module, "Support",
                         "Motion of ground, in its own axes: [omega; v] and the acceleration of "
                         "its origin, [alpha; a].");
  support.def(py::init([](const py::object& velocity, const py::object& acceleration) {
                return Support{motion_or_zero("Support: velocity", velocity),
                               motion_or_zero("Support: acceleration", acceleration)};
              }),
              py::kw_only(), py::arg("velocity") = py::none(), py::arg("acceleration") = py::none(),
              "Six numbers each, angular first; zero if not given.");
  support
      .field(
          "velocity", [](const Support& ground) { return to_array(ground.velocity); },
          "[omega; v] of its origin [rad/s, m/s].")
      .field(
          "acceleration", [](const Support& ground) { return to_array(ground.acceleration); },
          "[alpha; a] of its origin [rad/s^2, m/s^2].")
      .repr([](const Support& ground) {
        return "Support(velocity=" + text_of(ground.velocity) +
               ", acceleration=" + text_of(ground.acceleration) + ")";
      });
}

// Workspaces of the caller, each made for one model.
void bind_workspaces(py::module_& module) {
  Class<OwnWorkspace> workspace(
      module, "Workspace",
      "Workspace of one model, for one caller at a time. Calls without one use a workspace of the "
      "model; it holds no results. With several threads, branches of a large tree and mechanisms "
      "that share no joint are computed side by side; results are the same to the last bit for "
      "any number of threads.");
  workspace.def(py::init([](const SharedModel& model, int threads) {
                  auto own = std::make_unique<OwnWorkspace>(*model);
                  own->space.set_threads(*model, threads);
                  return own;
                }),
                py::arg("model"), py::kw_only(), py::arg("threads") = 1,
                "A workspace for this model, and this number of threads (0: one per core).");
  workspace
      .field(
          "threads", [](const OwnWorkspace& own) { return own.space.threads(); },
          "Number of threads for one state, the caller included.")
      .repr([](const OwnWorkspace&) { return "<Workspace>"; });
  Class<OwnDerivativeWorkspace> derivatives(
      module, "DerivativeWorkspace",
      "Workspace for derivatives of one model, for one thread at a time.");
  derivatives.def(py::init([](const SharedModel& model) {
                    return std::make_unique<OwnDerivativeWorkspace>(*model);
                  }),
                  py::arg("model"), "A workspace for this model.");
  derivatives.repr([](const OwnDerivativeWorkspace&) { return "<DerivativeWorkspace>"; });
  Class<OwnBatchWorkspace> batch(
      module, "BatchWorkspace",
      "Workspace for batch calls on one model, for one caller at a time. With several threads a "
      "batch is shared among them; results are the same to the last bit for any number of "
      "threads.");
  batch.def(py::init([](const SharedModel& model, int threads) {
              return std::make_unique<OwnBatchWorkspace>(*model, threads);
            }),
            py::arg("model"), py::arg("threads") = 1,
            "A workspace for this model, and this number of threads (0: one per core).");
  batch
      .field(
          "threads", [](const OwnBatchWorkspace& own) { return own.space.threads(); },
          "Number of threads that share a batch, the caller included.")
      .repr([](const OwnBatchWorkspace&) { return "<BatchWorkspace>"; });
}

}  // namespace

CallInputs::CallInputs(const char* function, const Model& model, const InputArguments& given) {
  loop_tau_ = loop_numbers(function, "loop_tau", model, given.loop_tau);
  loop_a_ = loop_numbers(function, "loop_a", model, given.loop_a);
  if (given.tau && given.tau->is_by_name())
    take_efforts(std::string(function) + ": tau", model, given);
  else if (given.tau)
    inputs_.tau = dof_numbers(function, "tau", model, given.tau->array);
  if (given.a && given.a->is_by_name())
    take_accelerations(std::string(function) + ": a", model, given);
  else if (given.a)
    inputs_.a = dof_numbers(function, "a", model, given.a->array);
  for (const WrenchAt& wrench : given.wrenches.list) wrenches_.push_back(resolve(model, wrench));
  inputs_.wrenches = wrenches_;
  if (given.ground) inputs_.ground = *given.ground;
  inputs_.loop_tau = loop_tau_;
  inputs_.loop_a = loop_a_;
}

void CallInputs::take_efforts(const std::string& begin, const Model& model,
                              const InputArguments& given) {
  tau_.resize(std::size_t(model.nv()), 0.0);
  const Loops loops = given.takes_loop_tau ? Loops::too : Loops::none;
  for (const NamedNumbers& one : numbers_by_name(begin, model, given.tau->by_name, loops))
    put(model, one, tau_, loop_tau_);
  inputs_.tau = tau_;
}

void CallInputs::take_accelerations(const std::string& begin, const Model& model,
                                    const InputArguments& given) {
  a_.resize(std::size_t(model.nv()), 0.0);
  const bool is_motion = given.a_of == AccelerationsOf::motion;
  const Loops loops = given.takes_loop_a ? Loops::too : Loops::none;
  for (const NamedNumbers& one : numbers_by_name(begin, model, given.a->by_name, loops)) {
    for (int k = 0; k < one.entries.count; ++k) {
      const int dof = one.entries.start + k;
      const Drive drive = one.is_of_loop ? model.closure_drive(dof) : model.prescription(dof);
      if ((one.is_of_loop || !is_motion) && drive != Drive::motion)
        throw std::invalid_argument(begin + " names joint '" + one.name +
                                    "', which is not driven by motion: its acceleration is a "
                                    "result here");
      if (!one.is_of_loop) given_a_.push_back(dof);
    }
    put(model, one, a_, loop_a_);
  }
  inputs_.a = a_;
  has_to_follow_ = is_motion && model.has_constraints();
}

void CallInputs::follow(const Model& model, const State& state, Workspace& workspace) {
  if (!has_to_follow_ || int(state.q.size()) != model.nq() || int(state.v.size()) != model.nv())
    return;  // a state of wrong size: refused by the function
  follow_accelerations(model, state, given_a_, loop_a_, workspace, a_);
  inputs_.a = a_;
}

std::vector<JointId> joints_of(const std::string& what, const Model& model,
                               const std::vector<std::string>& names) {
  std::vector<JointId> ids;
  for (const std::string& name : names) {
    const auto id = model.find_joint(name);
    if (!id) entries_of(what + ": ", model, Space::joints, name);  // throws with the nearest name
    ids.push_back(*id);
  }
  return ids;
}

void bind_inputs(py::module_& module) {
  bind_frame_ref(module);
  bind_wrench(module);
  bind_support(module);
  bind_workspaces(module);
}

}  // namespace trammel::python

namespace pybind11::detail {

bool type_caster<trammel::python::Wrenches>::load(handle given, bool convert) {
  using namespace trammel::python;
  if (!PyDict_Check(given.ptr())) {
    make_caster<std::vector<WrenchAt>> list;
    if (!list.load(given, convert)) return false;
    value.list = cast_op<std::vector<WrenchAt>&&>(std::move(list));
    return true;
  }
  for (const auto& [key, six] : reinterpret_borrow<dict>(given)) {
    if (!isinstance<str>(key))
      throw type_error("wrenches has the key " + repr(key).cast<std::string>() +
                       ": its keys are names of bodies or frames");
    const auto place = key.cast<std::string>();
    const std::string what = "wrenches of '" + place + "', [moment; force] in world axes,";
    const trammel::Motion<double> F = to_motion(what.c_str(), six);
    value.list.push_back({place, {F.angular, F.linear}});
  }
  return true;
}

}  // namespace pybind11::detail
