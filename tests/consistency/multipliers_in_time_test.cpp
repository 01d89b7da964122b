// Independent integration of the motion: IDA of SUNDIALS [Hindmarsh et al. 2005] solves the
// equations with multipliers (DAE of index 1),
//
//   q' = v ,   M v' + h = f + J^T lambda ,   J v' = -dJ/dt v
//
// on the independent rows of the RowBasis. It uses no integrator of Trammel, no projection and no
// constrained forward dynamics.
#ifdef TRAMMEL_HAS_SUNDIALS

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <Eigen/LU>

#include "tests/support/motion_of.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::multipliers_in_time_test {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// The mechanism without its loop joints and constraints.
Model tree_of(const Model& model) {
  Description description = model.description();
  description.constraints.clear();
  std::erase_if(description.joints, [&](const JointDescription& joint) {
    return model[*model.find_joint(joint.name)].role == NamedJoint::Role::loop;
  });
  return build_model(description);
}

// Terms of the equations at [q | v], from functions of the tree and from J alone.
struct Terms {
  Matrix M, J;
  Vector load, gamma;  // f - h, -dJ/dt v
};
class Equations {
 public:
  explicit Equations(MotionOf& motion)
      : motion_(motion), tree_(tree_of(motion.model)), workspace_(tree_), n_(motion.model.nv()) {
    EXPECT_FALSE(tree_.has_constraints());
    for (int k = 0; k < n_; ++k) EXPECT_EQ(tree_.dof_name(k), motion.model.dof_name(k));
    EXPECT_EQ(motion.model.nq(), n_) << "q' = v is for joints whose coordinates add";
    EXPECT_TRUE(row_basis(motion.model, motion.state, motion.workspace, basis_).ok());
  }
  int dofs() const { return n_; }
  int rows() const { return basis_.rank(); }

  Terms at(const Vector& q, const Vector& v) {
    Terms terms;
    const State state = state_of(q, v);
    terms.M.resize(n_, n_);
    EXPECT_TRUE(mass_matrix(tree_, state, workspace_, terms.M).ok());
    std::vector<double> h(static_cast<std::size_t>(n_)), f(h);
    EXPECT_TRUE(bias(tree_, state, {}, workspace_, h).ok());
    EXPECT_TRUE(passive_forces(tree_, state, workspace_, f).ok());
    terms.load = Eigen::Map<Vector>(f.data(), n_) - Eigen::Map<Vector>(h.data(), n_);
    terms.J = jacobian_at(q);
    // by differences over a time in which nothing moves far
    const double dt = 1e-5 / (1 + v.cwiseAbs().maxCoeff());
    terms.gamma = -(jacobian_at(q + dt * v) - jacobian_at(q - dt * v)) * v / (2 * dt);
    return terms;
  }

 private:
  State state_of(const Vector& q, const Vector& v) const {
    State state = motion_.state;
    state.q.assign(q.begin(), q.end());
    state.v.assign(v.begin(), v.end());
    return state;
  }
  Matrix jacobian_at(const Vector& q) {
    Matrix all;
    const Status status =
        constraint_jacobian(motion_.model, state_of(q, Vector::Zero(n_)), motion_.workspace, all);
    EXPECT_TRUE(status.ok()) << status.message();
    return independent_rows(all, basis_);
  }

  MotionOf& motion_;
  Model tree_;
  Workspace workspace_;
  int n_;
  RowBasis basis_;
};

Eigen::Map<Vector> seen(N_Vector y) { return {NV_DATA_S(y), NV_LENGTH_S(y)}; }

// y = [q | v | lambda]
int residual(double, N_Vector y_, N_Vector y_dot_, N_Vector out_, void* data) {
  Equations& equations = *static_cast<Equations*>(data);
  const int n = equations.dofs(), m = equations.rows();
  const auto y = seen(y_), y_dot = seen(y_dot_);
  auto out = seen(out_);
  const Terms terms = equations.at(y.head(n), y.segment(n, n));
  out.head(n) = y_dot.head(n) - y.segment(n, n);
  out.segment(n, n) = terms.M * y_dot.segment(n, n) - terms.load - terms.J.transpose() * y.tail(m);
  out.tail(m) = terms.J * y_dot.segment(n, n) - terms.gamma;
  return 0;
}

// State that IDA reaches after a duration.
Vector by_ida(MotionOf& motion, double duration) {
  Equations equations(motion);
  const int n = equations.dofs(), m = equations.rows(), size = 2 * n + m;
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  N_Vector y = N_VNew_Serial(size, context), y_dot = N_VClone(y), is_differential = N_VClone(y);
  const Eigen::Map<Vector> q(motion.state.q.data(), n), v(motion.state.v.data(), n);
  // accelerations and multipliers at the start solve both equations at once
  const Terms terms = equations.at(q, v);
  Matrix both = Matrix::Zero(n + m, n + m);
  both << terms.M, -terms.J.transpose(), terms.J, Matrix::Zero(m, m);
  Vector right(n + m);
  right << terms.load, terms.gamma;
  const Vector start = both.fullPivLu().solve(right);
  seen(y) << q, v, start.tail(m);
  seen(y_dot) << v, start.head(n), Vector::Zero(m);
  seen(is_differential) << Vector::Ones(2 * n), Vector::Zero(m);

  void* ida = IDACreate(context);
  SUNMatrix matrix = SUNDenseMatrix(size, size, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
  EXPECT_EQ(IDAInit(ida, residual, 0, y, y_dot), IDA_SUCCESS);
  EXPECT_EQ(IDASetUserData(ida, &equations), IDA_SUCCESS);
  EXPECT_EQ(IDASStolerances(ida, 1e-9, 1e-10), IDA_SUCCESS);
  EXPECT_EQ(IDASetLinearSolver(ida, solver, matrix), IDA_SUCCESS);
  EXPECT_EQ(IDASetId(ida, is_differential), IDA_SUCCESS);
  EXPECT_EQ(IDASetSuppressAlg(ida, SUNTRUE), IDA_SUCCESS);
  EXPECT_EQ(IDASetMaxNumSteps(ida, 100000), IDA_SUCCESS);
  double reached = 0;
  EXPECT_EQ(IDASolve(ida, duration, &reached, y, y_dot, IDA_NORMAL), IDA_SUCCESS);
  const Vector found = seen(y).head(2 * n);
  IDAFree(&ida);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  for (N_Vector each : {y, y_dot, is_differential}) N_VDestroy(each);
  SUNContext_Free(&context);
  return found;
}

TEST(multipliers_in_time, ida_comes_to_the_same_place) {
  for (const char* name : {"four_bar", "me_3b"}) {
    MotionOf motion(name);
    ASSERT_TRUE(motion.model.has_constraints());
    const double duration = 0.5;
    const Vector found = by_ida(motion, duration);
    ASSERT_TRUE(motion.go(duration).ok());
    const int n = motion.model.nv();
    for (int k = 0; k < n; ++k) {
      // some hundred steps with errors of 1e-9; the loops drift apart at the same rate
      EXPECT_NEAR(found[k], motion.state.q[std::size_t(k)], 1e-6) << name << " " << k;
      EXPECT_NEAR(found[n + k], motion.state.v[std::size_t(k)], 1e-5) << name << " " << k;
    }
  }
}

}  // namespace
}  // namespace trammel::multipliers_in_time_test

#endif
