#include "joint_arrays.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "trammel/base/suggest.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"

namespace trammel::python {

namespace {

constexpr std::array<const char*, 5> space_names{"q", "v", "loop_q", "loop_v", "joints"};

bool is_loop(Space space) { return space == Space::loop_q || space == Space::loop_v; }

int joint_nq(const Joint& joint) {
  return std::visit([](const auto& j) { return j.nq(); }, joint);
}
int joint_nv(const Joint& joint) {
  return std::visit([](const auto& j) { return j.nv(); }, joint);
}

Entries closure_entries(const Closure& closure, Space space) {
  const int count = space == Space::loop_q ? joint_nq(closure.joint) : joint_nv(closure.joint);
  return {space == Space::loop_q ? closure.q_start : closure.v_start, count, count == 1};
}
std::string key_of(const Model& model, const Closure& closure) {
  return closure.named ? model[*closure.named].name : closure.name;
}

// Entry "wrist[2]" of a joint with several.
std::optional<int> find_entry(const Model& model, Space space, std::string_view name) {
  const auto find = [&](int count, auto&& name_of) -> std::optional<int> {
    for (int k = 0; k < count; ++k)
      if (name_of(k) == name) return k;
    return std::nullopt;
  };
  if (space == Space::q) return find(model.nq(), [&](int k) { return model.coordinate_name(k); });
  if (space == Space::v) return find(model.nv(), [&](int k) { return model.dof_name(k); });
  if (!is_loop(space)) return std::nullopt;
  const std::vector<std::string> names =
      space == Space::loop_q ? loop_coordinate_names(model) : loop_dof_names(model);
  return find(int(names.size()), [&](int k) { return names[std::size_t(k)]; });
}

// Why a joint of the model has no entry.
[[noreturn]] void refuse_joint(const std::string& begin, const NamedJoint& joint, Space space) {
  using Role = NamedJoint::Role;
  const std::string owner = begin + "joint '" + joint.name + "' ";
  if (joint.role == Role::loop && space == Space::q)
    throw std::invalid_argument(owner +
                                "closes a loop, its position is not in q: loop_motion(model, "
                                "state).q['" +
                                joint.name + "'] has it");
  if (joint.role == Role::loop)
    throw std::invalid_argument(owner +
                                "closes a loop: it is not among the degrees of freedom of the "
                                "tree, which are taken here");
  if (joint.role == Role::tree && is_loop(space))
    throw std::invalid_argument(owner + "closes no loop: its entry is in q or v");
  throw std::invalid_argument(owner + "has no degree of freedom");
}

[[noreturn]] void refuse_name(const std::string& begin, const Model& model, Space space,
                              const std::string& name) {
  std::vector<std::string> known;
  for (const NamedJoint& joint : model.joints()) known.push_back(joint.name);
  const std::optional<std::string> near = suggest(name, known);
  throw std::invalid_argument(
      begin + "the model '" + model.name() + "' has no joint '" + name + "'; " +
      (near ? "did you mean '" + *near + "'?" : "it has " + listed_joints(model, space)));
}

std::vector<double> numbers_of(const std::string& begin, const NamedNumbers& target,
                               const py::handle& given) {
  const std::string what = begin + " of '" + target.name + "' ";
  Array array;
  try {
    array = Array::ensure(given);
  } catch (const py::type_error& error) { throw py::type_error(what + "is " + error.what()); }
  if (!array)
    throw py::type_error(what + "is a " + py::type::of(given).attr("__name__").cast<std::string>() +
                         ": give a number, or a list of them");
  const int count = target.entries.count;
  if (array.ndim() > 1 || array.size() != count)
    throw std::invalid_argument(what + "has " + std::to_string(array.size()) +
                                (array.size() == 1 ? " number" : " numbers") + ", the joint has " +
                                std::to_string(count) +
                                (count == 1 ? " degree of freedom" : " degrees of freedom"));
  return {array.data(), array.data() + array.size()};
}

}  // namespace

Space space_named(std::string_view name) {
  const auto found = std::ranges::find(space_names, name);
  if (found == space_names.end())
    throw std::invalid_argument("JointArray: there is no space '" + std::string(name) + "'");
  return Space(found - space_names.begin());
}

Entries entries_of(const std::string& begin, const Model& model, Space space,
                   const std::string& name) {
  const std::optional<JointId> id = model.find_joint(name);
  if (id && space == Space::joints) return {index(*id), 1, true};
  if (id && is_loop(space)) {
    const int closure = model.closure_of(*id);
    if (closure >= 0) return closure_entries(model.closures()[std::size_t(closure)], space);
  }
  if (id && !is_loop(space) && model[*id].role == NamedJoint::Role::tree) {
    const NamedJoint& joint = model[*id];
    const int count = space == Space::q ? joint.nq : joint.nv;
    return {space == Space::q ? joint.q_start : joint.v_start, count, count == 1};
  }
  if (is_loop(space))
    for (const Closure& closure : model.closures())
      if (closure.name == name) return closure_entries(closure, space);
  if (const std::optional<int> k = find_entry(model, space, name)) return {*k, 1, true};
  if (id) refuse_joint(begin, model[*id], space);
  refuse_name(begin, model, space, name);
}

std::vector<std::string> keys_of(const Model& model, Space space) {
  std::vector<std::string> keys;
  if (is_loop(space)) {
    for (const Closure& closure : model.closures())
      if (closure_entries(closure, space).count > 0) keys.push_back(key_of(model, closure));
    return keys;
  }
  for (const NamedJoint& joint : model.joints())
    if (space == Space::joints || (joint.role == NamedJoint::Role::tree && joint.nv > 0))
      keys.push_back(joint.name);
  return keys;
}

std::string listed_joints(const Model& model, Space space) {
  constexpr std::size_t most = 12;
  const std::vector<std::string> names = keys_of(model, space);
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k)
    text += (k == 0 ? "" : ", ") + names[k];
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text.empty() ? "no joint" : text;
}

py::array joint_array(const SharedModel& model, Space space, const py::array& numbers) {
  // leaked: it outlives the interpreter's own order of destruction
  static const auto* const type =
      new py::object(py::module_::import("trammel._arrays").attr("JointArray"));
  static const auto* const names = [] {
    auto* const all = new std::array<py::str, 5>;
    for (std::size_t k = 0; k < all->size(); ++k) (*all)[k] = py::str(space_names[k]);
    return all;
  }();
  const auto& api = py::detail::npy_api::get();
  std::vector<Py_intptr_t> shape(numbers.shape(), numbers.shape() + numbers.ndim());
  std::vector<Py_intptr_t> strides(numbers.strides(), numbers.strides() + numbers.ndim());
  py::dtype number_type = numbers.dtype();
  auto named = py::reinterpret_steal<py::array>(api.PyArray_NewFromDescr_(
      reinterpret_cast<PyTypeObject*>(type->ptr()), number_type.release().ptr(),
      int(numbers.ndim()), shape.data(), strides.data(), const_cast<void*>(numbers.data()),
      numbers.flags() & py::detail::npy_api::NPY_ARRAY_WRITEABLE_, nullptr));
  if (!named) throw py::error_already_set();
  api.PyArray_SetBaseObject_(named.ptr(), numbers.inc_ref().ptr());
  named.attr("_model") = model.object();
  named.attr("_space") = (*names)[std::size_t(space)];
  return named;
}

std::vector<NamedNumbers> numbers_by_name(const std::string& begin, const Model& model,
                                          const py::handle& mapping, Loops loops) {
  std::vector<NamedNumbers> all;
  for (const py::handle key : mapping) {
    if (!py::isinstance<py::str>(key))
      throw py::type_error(begin + " has the key " + py::repr(key).cast<std::string>() +
                           ": its keys are names of joints");
    NamedNumbers one{.name = key.cast<std::string>()};
    const std::optional<JointId> id = model.find_joint(one.name);
    one.is_of_loop = loops == Loops::alone ||
                     (loops == Loops::too && id && model[*id].role == NamedJoint::Role::loop);
    one.entries =
        entries_of(begin + ": ", model, one.is_of_loop ? Space::loop_v : Space::v, one.name);
    one.numbers = numbers_of(begin, one, mapping[key]);
    all.push_back(std::move(one));
  }
  return all;
}

Array batch_numbers(const char* function, const char* what, const Model& model, py::ssize_t states,
                    const JointNumbers& given) {
  if (!given.is_by_name()) return given.array;
  const std::string begin = std::string(function) + ": " + what;
  const py::ssize_t nv = model.nv();
  py::array_t<double> all({states, nv});
  double* const out = all.mutable_data();
  std::fill_n(out, all.size(), 0.0);
  for (const py::handle key : given.by_name) {
    const auto name = py::str(key).cast<std::string>();
    const Entries entries = entries_of(begin + ": ", model, Space::v, name);
    const Array numbers = Array::ensure(given.by_name[key]);
    const py::ssize_t count = entries.count;
    const bool is_shared = numbers && numbers.size() == count && numbers.ndim() <= 1;
    const bool is_each = numbers && numbers.size() == count * states && numbers.ndim() > 0 &&
                         numbers.shape(0) == states;
    if (!is_shared && !is_each)
      throw std::invalid_argument(begin + " of '" + name + "' is not " + std::to_string(count) +
                                  (count == 1 ? " number" : " numbers") +
                                  ", nor as many for each of " + std::to_string(states) +
                                  " states");
    for (py::ssize_t s = 0; s < states; ++s)
      std::copy_n(numbers.data() + (is_each ? s * count : 0), count, out + s * nv + entries.start);
  }
  return py::reinterpret_borrow<Array>(all);
}

}  // namespace trammel::python
