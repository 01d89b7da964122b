// Influence of the torques of two arms on all joints, the object and the contact forces: the
// influence matrices of [Rodriguez 1988, section 3.8], computed by recursions; and the recursion
// from base to base.
#include "tests/reference/from_gallery.hpp"
#include "tests/reference/rodriguez/five_stages.hpp"
#include "tests/support/capability.hpp"
#include "trammel/constraint/system/constrained_derivatives.hpp"

namespace trammel::closed_influence_test {
namespace {

// Influence of torques: on the joints by the derivatives of the engine; on the object and the
// contacts by differences between a unit torque on one joint and none.
struct Influence {
  explicit Influence(const std::string& name) : held(name) {
    Posed& posed = held.posed;
    const int n = posed.model.nv();
    OrthogonalComplement basis;
    EXPECT_TRUE(orthogonal_complement(posed.model, posed.state, {}, posed.workspace, basis).ok());
    ConstrainedDerivatives derivatives;
    const Status status =
        constrained_derivatives(posed.model, posed.state, {}, basis, posed.workspace, derivatives);
    EXPECT_TRUE(status.ok()) << status.message();
    W = derivatives.dtau;
    object.resize(6, n);
    contact.resize(12, n);
    const Eigen::VectorXd a = posed.a();
    const Eigen::VectorXd alpha = held.acceleration_of("object", a), x = contacts({});
    for (int k = 0; k < n; ++k) {
      std::vector<double> unit(std::size_t(n), 0.0);
      unit[std::size_t(k)] = 1;
      const Eigen::VectorXd by = posed.a({.tau = unit});
      // against its accelerations
      EXPECT_LT(largest(W.col(k) - (by - a)), 1e-8 * (1 + largest(a)));
      object.col(k) = held.acceleration_of("object", by) - alpha;
      contact.col(k) = contacts(unit) - x;
    }
  }
  // wrenches of the first two arms on the object, at their tips, in world axes
  Eigen::VectorXd contacts(const std::vector<double>& tau) {
    const UniqueReactions carried = held.carried({.tau = tau});
    Eigen::VectorXd x(12);
    for (int i = 0; i < 2; ++i) {
      const std::string number = std::to_string(i + 1);
      const Force<double> F = carried.force[held.joint("grip" + number)];
      const Vec3<double> l = held.posed.X("object").p - held.posed.X("arm" + number + "_tip").p;
      x.segment<6>(6 * i) = column(Force<double>{F.moment + cross(l, F.force), F.force});
    }
    return x;
  }
  FromGallery held;
  Eigen::MatrixXd W, object, contact;
};

// Both arms of R-EX2 in the indexing of [Rodriguez 1988]: joint 1 is the outermost; arms are
// stacked.
struct Sweeps {
  Sweeps() : stages(seed.stages()) {
    for (std::size_t i = 0; i < 2; ++i) {
      const FilterAndSmoother& sweep = stages.sweeps[i];
      std::vector<Eigen::VectorXd> maps(8, Eigen::VectorXd::Zero(6));
      for (std::size_t k = 6; k > 0; --k)
        maps[k] = sweep.psi[k + 1].transpose() * sweep.Lambda[k + 1] * sweep.G[k + 1] -
                  seed.arms[i].h[k] / sweep.D[k];
      H.push_back(maps);
    }
    Omega_inverse = stages.Omega.partialPivLu().inverse();
  }
  // psi(k, j) of arm i
  Eigen::MatrixXd psi(std::size_t i, std::size_t k, std::size_t j) const {
    Eigen::MatrixXd product = Eigen::MatrixXd::Identity(6, 6);
    for (std::size_t l = j + 1; l <= k; ++l) product = stages.sweeps[i].psi[l] * product;
    return product;
  }
  // index of joint k of arm i in the order of the engine
  static Eigen::Index at(std::size_t i, std::size_t k) { return Eigen::Index(6 * i + 6 - k); }

  TwoArmsOnObject seed;
  FiveStages stages;
  std::vector<std::vector<Eigen::VectorXd>> H;  // H~(k) per arm
  Eigen::MatrixXd Omega_inverse;
};

// a condition of 2e4 multiplies rounding
constexpr double lost = 1e-9;

TEST(rodriguez_closed_influence, torques_make_contact_forces_and_move_the_object) {
  shows({"R-54", "constrained_reactions"}, {"R-55", "forward_dynamics"});
  const Sweeps sweeps;
  const Influence engine("r_ex2");
  Eigen::MatrixXd X(12, 12);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 1; j <= 6; ++j) {
      Eigen::VectorXd at_tips = Eigen::VectorXd::Zero(12);
      at_tips.segment<6>(Eigen::Index(6 * i)) = sweeps.psi(i, j, 0).transpose() * sweeps.H[i][j];
      X.col(Sweeps::at(i, j)) = -(sweeps.Omega_inverse * at_tips);
    }
  EXPECT_LT(largest(X - engine.contact), lost * largest(X));
  const Eigen::MatrixXd object = sweeps.seed.object.M().inverse() * (sweeps.stages.A * X);
  EXPECT_LT(largest(object - engine.object), lost * largest(object));
}

TEST(rodriguez_closed_influence, contact_forces_correct_free_accelerations) {
  shows({"R-56", "forward_dynamics"});
  const Sweeps sweeps;
  FromGallery held("r_ex2");
  const Eigen::VectorXd a = held.posed.a({.tau = sweeps.seed.tau});
  const Influence engine("r_ex2");
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t k = 1; k <= 6; ++k) {
      const Eigen::VectorXd x = sweeps.stages.contact(int(i));
      const double free = sweeps.stages.sweeps[i].acceleration[k];
      const double closed = free + sweeps.H[i][k].dot(sweeps.psi(i, k, 0) * x);
      EXPECT_NEAR(closed, a[Sweeps::at(i, k)], lost * (1 + std::abs(free)));
    }
}

TEST(rodriguez_closed_influence, three_sweeps_fill_the_matrix_of_the_closed_chain) {
  shows({"R-57", "constrained_derivatives"}, {"R-58", "constrained_derivatives", "mobility"});
  const Sweeps sweeps;
  const Influence engine("r_ex2");
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(12, 12);
  for (std::size_t i = 0; i < 2; ++i) {  // free: arm by arm
    const FilterAndSmoother& sweep = sweeps.stages.sweeps[i];
    for (std::size_t k = 6; k > 0; --k) {
      W(Sweeps::at(i, k), Sweeps::at(i, k)) =
          1 / sweep.D[k] + sweep.G[k + 1].dot(sweep.Lambda[k + 1] * sweep.G[k + 1]);
      Eigen::VectorXd y = sweeps.H[i][k];
      for (std::size_t j = k - 1; j > 0; --j) {
        W(Sweeps::at(i, j), Sweeps::at(i, k)) = W(Sweeps::at(i, k), Sweeps::at(i, j)) =
            sweep.G[j + 1].dot(y);
        y = sweep.psi[j + 1].transpose() * y;
      }
    }
  }
  EXPECT_NEAR(W.trace(), 4630.160683647, 1e-8);
  // minus the share of the object: S(k) = psi(k, k-1) S(k-1) psi^T(k, k-1), both arms stacked
  Eigen::MatrixXd S = sweeps.Omega_inverse;
  for (std::size_t k = 1; k <= 6; ++k) {
    Eigen::MatrixXd psi = Eigen::MatrixXd::Zero(12, 12);
    for (std::size_t i = 0; i < 2; ++i)
      psi.block<6, 6>(Eigen::Index(6 * i), Eigen::Index(6 * i)) = sweeps.psi(i, k, k - 1);
    S = psi * S * psi.transpose();
    for (std::size_t i = 0; i < 2; ++i) {  // the column of joint k of arm i
      Eigen::VectorXd y = S.middleCols<6>(Eigen::Index(6 * i)) * sweeps.H[i][k];
      for (std::size_t l = k; l <= 6; ++l) {
        for (std::size_t other = 0; other < 2; ++other) {
          const double less = sweeps.H[other][l].dot(y.segment<6>(Eigen::Index(6 * other)));
          W(Sweeps::at(other, l), Sweeps::at(i, k)) -= less;
          if (l > k) W(Sweeps::at(i, k), Sweeps::at(other, l)) -= less;
        }
        if (l == 6) continue;
        for (std::size_t other = 0; other < 2; ++other)
          y.segment<6>(Eigen::Index(6 * other)) =
              sweeps.psi(other, l + 1, l) * y.segment<6>(Eigen::Index(6 * other)).eval();
      }
    }
  }
  EXPECT_LT(largest(W - engine.W), 1e-8 * largest(W));
  // printed values
  EXPECT_NEAR(engine.W.trace(), 48.161512356, 2e-8);
  const double diagonal[] = {0.204025823, 0.276020833,  1.503819222, 10.639682522,
                             3.107643438, 7.522571962,  0.241463397, 0.233254772,
                             1.558344380, 11.571556626, 3.629413014, 7.673716368};
  for (int k = 0; k < 12; ++k) EXPECT_NEAR(engine.W(k, k), diagonal[k], 2e-8);
  const Eigen::MatrixXd symmetric = (engine.W + engine.W.transpose()) / 2;
  EXPECT_LT(largest(symmetric - engine.W), 1e-9);
  // singular values of a positive semidefinite matrix are its eigenvalues
  const Eigen::VectorXd values = symmetric.jacobiSvd().singularValues();
  const double printed[] = {25.204249868, 14.430897644, 6.794075926,
                            1.028592179,  0.393324263,  0.310372476};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(values[k], printed[k], 2e-8);
  EXPECT_NEAR(values.sum(), symmetric.trace(), 1e-9);  // none is negative
  EXPECT_LT(values[6], 1e-9);
  // rank is mobility: 6, with three arms 6, with redundant ones 8
  for (const auto& [name, rank] : {std::pair{"r_ex3", 6}, std::pair{"r_ex4", 8}}) {
    Influence other(name);
    const Eigen::VectorXd sizes = other.W.jacobiSvd().singularValues();
    EXPECT_GT(sizes[rank - 1], 1e-3);
    EXPECT_LT(sizes[rank], 1e-8);
    EXPECT_EQ(other.held.ways().finite, rank);
  }
}

// NA = 2 without a system of twelve rows: the object is one link of a chain from base to base.
TEST(rodriguez_closed_influence, sweep_from_base_to_base_ends_where_the_others_do) {
  shows({"R-61", "forward_dynamics"});
  TwoArmsOnObject seed;
  FromGallery held("r_ex2");
  const Eigen::VectorXd a = held.posed.a({.tau = seed.tau});
  // released from the second base: eleven joints in series, the last link is the first of that base
  Description description = held.posed.model.description();
  std::erase_if(description.joints, [](const auto& joint) { return joint.name == "arm2_joint1"; });
  for (JointDescription& joint : description.joints) joint.options.cut = false;
  std::erase_if(description.start_positions,
                [](const auto& start) { return start.joint == "arm2_joint1"; });
  std::erase_if(description.start_velocities,
                [](const auto& start) { return start.joint == "arm2_joint1"; });
  std::erase_if(description.inputs, [](const auto&) { return true; });
  Posed chain(description, {});
  chain.state = start_state(chain.model);
  ASSERT_EQ(chain.model.nv(), 11);
  ASSERT_FALSE(chain.model.has_constraints());
  // the second base, relative to the link attached to it
  FrameRef base = frame_ref(chain.model, "arm2_link1");
  const TipToBase doc(chain.model, chain.state, base, chain.workspace);
  std::vector<double> torques(11), expected(11);
  for (const NamedJoint& joint : chain.model.joints()) {
    if (joint.role != NamedJoint::Role::tree) continue;
    const int there = held.posed.model[*held.posed.model.find_joint(joint.name)].v_start;
    torques[std::size_t(joint.v_start)] = seed.tau[std::size_t(there)];
    expected[std::size_t(joint.v_start)] = a[there];
  }
  const FilterAndSmoother sweep(doc, doc.from_base_to_tip(torques));
  // wrench of the last link on the second base: all but a moment about z, which is the known torque
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(6, 5);
  B(0, 0) = B(1, 1) = B(3, 2) = B(4, 3) = B(5, 4) = 1;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(6);
  x[2] = -seed.tau[6];
  const Eigen::MatrixXd reduced = B.transpose() * sweep.Lambda[0] * B;
  x += B * reduced.partialPivLu().solve(B.transpose() * (sweep.lambda[0] - sweep.Lambda[0] * x));
  // and back
  std::vector<double> innovation = sweep.epsilon, acceleration(doc.size());
  Vector6 dz = x, lambda = Vector6::Zero();
  for (std::size_t k = 1; k <= 11; ++k) {
    dz = sweep.psi[k] * dz;
    innovation[k] -= doc.h[k].dot(dz);
  }
  for (std::size_t k = 11; k > 0; --k) {
    acceleration[k] = innovation[k] / sweep.D[k] - sweep.G[k + 1].dot(lambda);
    lambda = doc.phi[k + 1].transpose() * lambda + doc.h[k] * acceleration[k] + doc.eta[k];
  }
  EXPECT_LT(largest(doc.to_base_to_tip(acceleration) - vector_of(expected)), lost * largest(a));
}

}  // namespace
}  // namespace trammel::closed_influence_test
