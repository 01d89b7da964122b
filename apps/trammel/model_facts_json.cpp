#include "model_facts.hpp"
#include "quantities.hpp"
#include "trammel/model/units.hpp"
#include "trammel/write/model/topology.hpp"

namespace trammel::cli {

namespace {

Json numbers_json(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double value : values) out.push_back(number_json(value));
  return out;
}

Json vector_json(const Vec3<double>& x, const char* unit, const char* frame) {
  const double values[] = {x.x, x.y, x.z};
  return answer_json(list_answer({"x", "y", "z"}, values, {unit}, frame));
}

Json bodies_json(const Model& model) {
  Json out = Json::array();
  for (std::size_t k = 1; k < model.named_bodies().size(); ++k) {
    const NamedBody& body = model.named_bodies()[k];
    const Inertia<double>& inertia = model.inertia(BodyId(int(k)));
    Json com = nullptr;
    if (inertia.mass > 0)
      com = vector_json((1 / inertia.mass) * inertia.first_moment, "m", body.name.c_str());
    out.push_back({{"name", body.name},
                   {"joint", body.inboard ? Json(model[*body.inboard].name) : Json(nullptr)},
                   {"mass", answer_json(list_answer({"mass"}, {&inertia.mass, 1}, {"kg"}))},
                   {"com", com}});
  }
  return out;
}

Json joint_json(const Model& model, const NamedJoint& joint) {
  const BasicJointLimits<double>& limits = joint.limits;
  Json out{{"name", joint.name},
           {"kind", to_string(joint.kind)},
           {"role", to_string(joint.role)},
           {"parent", model[joint.parent].name},
           {"child", model[joint.child].name},
           {"reversed", joint.is_reversed},
           {"drive", to_string(joint.drive)}};
  const bool moves = joint.role == NamedJoint::Role::tree;
  out["q"] = moves ? Json{{"start", joint.q_start}, {"count", joint.nq}} : Json(nullptr);
  out["v"] = moves ? Json{{"start", joint.v_start}, {"count", joint.nv}} : Json(nullptr);
  out["limits"] = {{"lower", numbers_json(limits.lower)},
                   {"upper", numbers_json(limits.upper)},
                   {"velocity", numbers_json(limits.velocity)},
                   {"effort", numbers_json(limits.effort)}};
  return out;
}

}  // namespace

Json statistics_json(const Model& model, const Structure& structure) {
  const double mass = total_mass(model);
  Json out{{"model", model.name()},
           {"topology", topology_class(model)},
           {"nq", model.nq()},
           {"nv", model.nv()},
           {"mass", answer_json(list_answer({"mass"}, {&mass, 1}, {"kg"}))},
           {"gravity", vector_json(model.gravity(), "m/s^2", "world")},
           {"positions", {{"names", coordinate_names(model)}, {"unit", position_units(model)}}},
           {"velocities", {{"names", dof_names(model)}, {"unit", velocity_units(model)}}},
           {"bodies", bodies_json(model)}};
  for (const char* list : {"joints", "tree", "cut", "frames", "parameters", "warnings"})
    out[list] = Json::array();
  for (const NamedJoint& joint : model.joints()) {
    out["joints"].push_back(joint_json(model, joint));
    if (joint.role == NamedJoint::Role::loop) out["cut"].push_back(joint.name);
  }
  for (const JointId id : model.outward_joints()) out["tree"].push_back(model[id].name);
  for (const NamedFrame& frame : model.frames())
    out["frames"].push_back({{"name", frame.name}, {"body", model[frame.body].name}});
  for (const ParameterDescription& parameter : model.parameters())
    out["parameters"].push_back(
        {{"name", parameter.name}, {"value", number_json(parameter.value)}});
  out["graph"] = graph_json(model, structure);
  out["mobility"] = structure.mobility ? mobility_json(structure) : Json(nullptr);
  out["actuation"] = structure.actuation ? actuation_json(*structure.actuation) : Json(nullptr);
  out["arms"] = arms_json(structure.arms);
  for (const Diagnostic& warning : model.warnings()) out["warnings"].push_back(to_string(warning));
  return out;
}

}  // namespace trammel::cli
