// Spatial operators of [Yesiloglu 2007] as dense matrices. Their entries have mixed units: "SI".
#include <fmt/format.h>

#include "quantities.hpp"
#include "trammel/dynamics/operators.hpp"

namespace trammel::cli {

namespace {

using Names = std::vector<std::string>;

// "forearm[0]" to "forearm[5]" for each body.
Names stack_names(const Names& bodies) {
  Names names;
  for (const std::string& body : bodies)
    for (int k = 0; k < 6; ++k) names.push_back(fmt::format("{}[{}]", body, k));
  return names;
}

// The bodies of the tree, each named after the body that its joint moves.
Names tree_names(const Model& model) {
  Names bodies(model.bodies().size() - 1);
  for (const NamedJoint& joint : model.joints())
    if (joint.body > 0)
      bodies[std::size_t(joint.body - 1)] =
          model[joint.is_reversed ? joint.parent : joint.child].name;
  return stack_names(bodies);
}

Names body_names(const Model& model) {
  Names bodies;
  for (const NamedBody& body : model.named_bodies().subspan(1)) bodies.push_back(body.name);
  return stack_names(bodies);
}

Answer matrix(std::string part, Eigen::MatrixXd values, const Names& rows, const Names& columns,
              std::string frame) {
  return {.part = std::move(part),
          .shape = Answer::Shape::table,
          .values = std::move(values),
          .rows = rows,
          .columns = columns,
          .units = {"SI"},
          .frame = std::move(frame)};
}

Answer stack(std::string part, const Eigen::VectorXd& values, const Names& rows,
             std::string frame) {
  return {.part = std::move(part),
          .values = values,
          .rows = rows,
          .units = {"SI"},
          .frame = std::move(frame)};
}

}  // namespace

Answers eval_spatial_operators(EvalRequest& request) {
  SpatialOperators out;
  expect_ok(spatial_operators(request.model, request.state(), request.workspace, out));
  const Names bodies = tree_names(request.model), dofs = dof_names(request.model);
  const auto of = [&](const char* part, const Eigen::MatrixXd& values) {
    return matrix(part, values, bodies, bodies, "world");
  };
  return {matrix("H", out.H, bodies, dofs, "world"),
          of("E_phi", out.E_phi),
          of("Phi", out.Phi),
          of("M", out.M),
          of("P", out.P),
          matrix("D", out.D, dofs, dofs, "world"),
          matrix("G", out.G, bodies, dofs, "world"),
          matrix("K", out.K, dofs, bodies, "world"),
          of("E_psi", out.E_psi),
          of("Psi", out.Psi)};
}

Answers eval_spatial_bias(EvalRequest& request) {
  SpatialBias out;
  expect_ok(spatial_bias(request.model, request.state(), request.workspace, out));
  const Names bodies = tree_names(request.model);
  return {stack("acceleration", out.acceleration, bodies, "world"),
          stack("force", out.force, bodies, "world")};
}

Answers eval_place_operator(EvalRequest& request) {
  const Names bodies = tree_names(request.model);
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(6, std::ptrdiff_t(bodies.size()));
  expect_ok(place_operator(request.model, request.state(), *request.place, request.workspace, out));
  return {matrix("", out, {"wx", "wy", "wz", "vx", "vy", "vz"}, bodies, "world")};
}

Answers eval_transmission_form(EvalRequest& request) {
  TransmissionForm out;
  expect_ok(transmission_form(request.model, request.state(), request.workspace, out));
  const Names bodies = body_names(request.model), dofs = dof_names(request.model);
  const Names six{"vx", "vy", "vz", "wx", "wy", "wz"};
  const char* const own = "each its own";
  return {matrix("G", out.G, bodies, bodies, own),
          matrix("G_0", out.G_0, bodies, six, own),
          matrix("S", out.S, bodies, dofs, own),
          matrix("M", out.M, bodies, bodies, own),
          matrix("A_1", out.A_1, bodies, bodies, own),
          matrix("A_2", out.A_2, bodies, bodies, own),
          stack("V", out.V, bodies, own)};
}

}  // namespace trammel::cli
