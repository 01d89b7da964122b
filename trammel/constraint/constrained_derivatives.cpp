#include "trammel/constraint/constrained_derivatives.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "trammel/constraint/elimination.hpp"
#include "trammel/constraint/instant.hpp"
#include "trammel/constraint/sweep_road.hpp"
#include "trammel/dynamics/matrices.hpp"

namespace trammel {

namespace {

constexpr const char* asked = "constrained_derivatives";

Status cannot(const std::string& what) { return Status::failure(std::string(asked) + ": " + what); }

// What J_dot v is for velocities v; of holonomic rows a quadratic form.
class Bending {
 public:
  Bending(const Question& question, Workspace& workspace, Rows& rows)
      : question_(question), workspace_(workspace), rows_(rows) {}

  Eigen::VectorXd operator()(const Eigen::VectorXd& v) {
    kernel::kernels().kinematics({question_.model(), question_.model().numbers()}, question_.q(),
                                 as_span(v), question_.zero(), workspace_, workspace_.kinematics);
    rows_.evaluate(question_.model(), workspace_.kinematics, question_.q(), as_span(v),
                   question_.zero(), {});
    return rows_.acceleration();
  }
  // by polarisation: J_dot along one, times the other
  Eigen::VectorXd operator()(const Eigen::VectorXd& v, const Eigen::VectorXd& w) {
    return 0.25 * ((*this)(v + w) - (*this)(v - w));
  }

 private:
  const Question& question_;
  Workspace& workspace_;
  Rows& rows_;
};

}  // namespace

Status constrained_derivatives(const Model& model, const State& state, const Inputs& inputs,
                               const Complement& complement, Workspace& workspace,
                               ConstrainedDerivatives& out) {
  const Question question(asked, model, state, inputs, workspace, Constraints::honoured,
                          Forces::refused);
  if (!question.ok()) return question.status();
  if (!inputs.wrenches.empty())
    return cannot("wrenches are not differentiated: leave them out of the inputs");
  if (!model.wheels().empty())
    return cannot(model.wheels()[0].name + " rolls, which is not differentiated yet");
  const int ways = int(complement.T.cols());
  if (complement.T.rows() != model.nv())
    return cannot("the complement is of another model: ask complement at this state");

  Rows rows(model);
  look_at_rows(question, workspace, rows);
  const Eigen::MatrixXd J = rows.jacobian();
  const std::optional<Elimination> elimination =
      eliminate_rows(model, complement.plan, J, Road::automatic);
  if (!elimination)
    return cannot("the rows of the loops are too near to dependent: move away from this pose");
  if (!elimination->given.empty())
    return cannot(rows.holder_names()[std::size_t(rows.holder(elimination->given[0].row))] +
                  " has rows that turn with its coordinates (universal, screw, compound), or is "
                  "driven: close the loop by another joint");

  // neighbours: T and the velocities that go with it, then u alone, then efforts
  const Eigen::Index n = model.nv();
  Eigen::MatrixXd q_dot = Eigen::MatrixXd::Zero(model.nq(), 2 * ways);
  Eigen::MatrixXd v_dot = Eigen::MatrixXd::Zero(n, 2 * ways),
                  tau_dot = Eigen::MatrixXd::Zero(n, 2 * ways);
  const Eigen::MatrixXd independent = independent_rows(J, complement.plan);
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(independent);
  const Eigen::VectorXd v = as_vector(question.v());
  Bending bending(question, workspace, rows);
  for (int k = 0; k < ways; ++k) {
    const Eigen::VectorXd along = complement.T.col(k);
    rate(model, question.q(), as_span(along), {q_dot.col(k).data(), std::size_t(model.nq())});
    v_dot.col(ways + k) = along;
    if (complement.plan.rank() == 0) continue;
    const Eigen::VectorXd bent = bending(along, v);
    Eigen::VectorXd wanted(complement.plan.rank());
    for (int r = 0; r < complement.plan.rank(); ++r)
      wanted[r] = -bent[complement.plan.rows[std::size_t(r)]];
    Eigen::VectorXd carried = solver.solve(wanted);
    // u stays: what of it lies along T is taken out again
    if (complement.independent.empty())
      carried -= complement.T * (complement.T.transpose() * carried);
    else
      for (int j = 0; j < ways; ++j) {
        const double moved = carried[complement.independent[std::size_t(j)]];
        carried -= moved * complement.T.col(j);
      }
    v_dot.col(k) = carried;
  }
  Eigen::MatrixXd a_dot(n, 2 * ways);
  const auto span_of_const = [](const Eigen::MatrixXd& x) {
    return MatrixSpan<const double>{x.data(), int(x.rows()), int(x.cols())};
  };
  kernel::closed_slopes(question.unloaded_scene(), question.q(), question.v(), question.tau(),
                        inputs.a, elimination->schedule,
                        {span_of_const(q_dot), span_of_const(v_dot), span_of_const(tau_dot)},
                        span_of(a_dot));
  if (!a_dot.allFinite())
    return cannot("the rows are too near to dependent here: move away from the singular pose");
  out.dq = a_dot.leftCols(ways);
  out.dv = a_dot.rightCols(ways);

  Eigen::MatrixXd M(n, n);
  kernel::kernels().mass_matrix(question.scene(), question.q(), workspace, span_of(M));
  const Eigen::MatrixXd& T = complement.T;
  out.dtau = T * (T.transpose() * M * T).llt().solve(T.transpose());
  return {};
}

}  // namespace trammel
