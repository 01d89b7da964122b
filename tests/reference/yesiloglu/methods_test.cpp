// The methods reviewed in [Yesiloglu 2007, section 1.2], each written as by its authors, on the
// same mechanisms: one result. Only the starting terms of each are taken from the engine.
#include "tests/reference/from_gallery.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/maximal_kkt.hpp"
#include "tests/support/operator_matrices.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/constraint/mobility/natural_complement.hpp"
#include "trammel/constraint/mobility/orthogonal_complement.hpp"

namespace trammel::methods_test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

struct Methods {
  explicit Methods(const std::string& name)
      : file(name), posed(file.posed), tree(opened(posed.model), {}) {
    Random random(7);
    for (double& x : posed.state.v) x += 0.3 * random();
    Status status = assemble(posed.model, posed.state, posed.workspace);
    EXPECT_TRUE(status.ok()) << status.message();
    tree.state = posed.state;
    EXPECT_EQ(tree.model.nv(), posed.model.nv());
    for (int k = 0; k < posed.model.nv(); ++k)
      tau.push_back(posed.model.is_prescribed(k) ? 0 : random());
    status = constraint_jacobian(posed.model, posed.state, posed.workspace, J);
    EXPECT_TRUE(status.ok()) << status.message();
    ConstrainedAnswer answer;
    status = constrained_dynamics(posed.model, posed.state, {.tau = tau}, posed.workspace, answer);
    EXPECT_TRUE(status.ok()) << status.message();
    least = answer.basis.least();
    engine = answer.a;
    // J' v: rate of J v for constant v, along a curve that violates the loops by its square only
    const State now = posed.state;
    const Vector v = vector_of(now.v);
    J_dot_v = time_derivative(
        [&](double t) -> Vector {
          State there = now;
          std::vector<double> step = list_of(t * v);
          integrate(posed.model, now.q, step, there.q);
          std::ranges::fill(there.v, 0.0);
          Matrix moved;
          const Status found = constraint_jacobian(posed.model, there, posed.workspace, moved);
          EXPECT_TRUE(found.ok()) << found.message();
          return moved * v;
        },
        1e-4);
  }

  // The same bodies with every loop cut and every lock open.
  static Description opened(const Model& model) {
    Description description = model.description();
    description.constraints.clear(), description.couplings.clear(), description.wheels.clear();
    description.start_positions.clear(), description.start_velocities.clear();
    for (JointDescription& joint : description.joints)
      if (joint.options.drive == Drive::locked) joint.options.drive = Drive::torque;
    std::erase_if(description.joints, [&](const JointDescription& joint) {
      return model[*model.find_joint(joint.name)].role == NamedJoint::Role::loop;
    });
    return description;
  }
  // efforts, springs and dampers
  Vector acting() {
    std::vector<double> passive(tau.size());
    EXPECT_TRUE(passive_forces(tree.model, tree.state, tree.workspace, passive).ok());
    return vector_of(tau) + vector_of(passive);
  }

  // Cut joints: equations of the tree with multipliers for the cuts; minimum norm for redundant
  // rows.
  Vector cut_joints() {
    const Matrix M_inverse = tree.M().inverse();
    return constrained(M_inverse, M_inverse * (acting() - tree.bias_forces()));
  }
  // Kane, and the natural orthogonal complement [Saha 1991]: T^T removes the constraint wrenches
  // from the Newton-Euler equations of all bodies. The partial velocities are the columns of T.
  Vector natural() {
    OrthogonalComplement basis;
    Status status = orthogonal_complement(posed.model, posed.state, {}, posed.workspace, basis);
    EXPECT_TRUE(status.ok()) << status.message();
    NaturalComplement all;
    status =
        natural_complement(posed.model, posed.state, {.tau = tau}, basis, posed.workspace, all);
    EXPECT_TRUE(status.ok()) << status.message();
    const Vector u_dot =
        (all.T.transpose() * all.M * all.T)
            .ldlt()
            .solve(all.T.transpose() * (all.working - all.gyroscopic - all.M * all.T_dot_u));
    return basis.T * u_dot + basis.T_dot_u;
  }
  // Decoupled complement: T of the tree is Phi H, so M^-1 is a product of triangular factors, and
  // the bias one outward and one inward recursion; cuts by multipliers.
  Vector decoupled() {
    const SpatialOperators O = operators_of(tree.model, tree.state, tree.workspace);
    const SpatialBias bias = bias_of(tree.model, tree.state, tree.workspace);
    Vector falling(O.M.rows());  // gravity as an upward acceleration of the world
    for (Eigen::Index k = 0; k < falling.size(); k += 6)
      falling.segment<6>(k) << Eigen::Vector3d::Zero(), -column(tree.model.gravity());
    const Vector h = O.H.transpose() * O.Phi.transpose() *
                     (O.M * (O.Phi * bias.acceleration + falling) + bias.force);
    const Matrix M_inverse = O.mass_matrix_inverse();
    return constrained(M_inverse, M_inverse * (acting() - h));
  }
  // Velocity transformation: a null-space basis of the cut constraints, here by an SVD of J.
  Vector velocity_transformation() {
    const Eigen::JacobiSVD<Matrix> svd(J, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Vector& singular = svd.singularValues();
    const Eigen::Index rank = (singular.array() > 1e-9 * singular[0]).count();
    const Matrix R = svd.matrixV().rightCols(J.cols() - rank);
    const Vector particular = -svd.matrixV().leftCols(rank) *
                              singular.head(rank).cwiseInverse().asDiagonal() *
                              (svd.matrixU().leftCols(rank).transpose() * J_dot_v);
    const Matrix M = tree.M();
    const Vector right = acting() - tree.bias_forces() - M * particular;
    return particular + R * (R.transpose() * M * R).ldlt().solve(R.transpose() * right);
  }
  // As in ROAMS, by recursions over articulated bodies: free accelerations of the tree, then the
  // response to the cut forces, each column to a unit force by the same recursions.
  Vector recursive() {
    const Vector free = tree.a({.tau = tau});
    Matrix M_inverse(free.size(), free.size());
    ArticulatedInertias factors(tree.model);
    EXPECT_TRUE(articulated_inertias(tree.model, tree.state, tree.workspace, factors).ok());
    EXPECT_TRUE(mass_matrix_inverse(tree.model, factors, tree.workspace, M_inverse).ok());
    return constrained(M_inverse, free);
  }
  Vector maximal() { return MaximalKkt(posed.model, posed.state, {.tau = tau}, posed.workspace).a; }

  // free + M^-1 J^T lambda with J a = -J' v
  Vector constrained(const Matrix& M_inverse, const Vector& free) const {
    Eigen::CompleteOrthogonalDecomposition<Matrix> Omega;
    Omega.setThreshold(1e-9);
    Omega.compute(J * M_inverse * J.transpose());
    return free - M_inverse * J.transpose() * Omega.solve(J * free + J_dot_v);
  }

  FromGallery file;
  Posed& posed;
  Posed tree;
  std::vector<double> tau;
  Matrix J;
  Vector J_dot_v, engine;
  double least = 1;
};

TEST(yesiloglu_methods, reviewed_methods_come_to_one_answer) {
  shows({"Y-72", "constrained_dynamics", "natural_complement", "spatial_operators"});
  // two arms on a free platform, the underactuated pair, a parallelogram with redundant rows, three
  // arms, a linkage, three legs, and a rolling vehicle
  for (const char* name : {"e_02", "e_05", "e_03", "r_ex3", "four_bar", "me_5", "s_t03"}) {
    SCOPED_TRACE(name);
    Methods methods(name);
    // rounding times the square of the condition; derivatives of J by differences have about 1e-11
    const double tolerance =
        std::max(1e-8, 1e-14 / (methods.least * methods.least)) * (1 + largest(methods.engine));
    EXPECT_LT(largest(methods.maximal() - methods.engine), tolerance);
    EXPECT_LT(largest(methods.cut_joints() - methods.engine), tolerance);
    EXPECT_LT(largest(methods.natural() - methods.engine), tolerance);
    EXPECT_LT(largest(methods.decoupled() - methods.engine), tolerance);
    EXPECT_LT(largest(methods.velocity_transformation() - methods.engine), tolerance);
    EXPECT_LT(largest(methods.recursive() - methods.engine), tolerance);
    EXPECT_GT(largest(methods.engine), 0.1);
  }
}

}  // namespace
}  // namespace trammel::methods_test
