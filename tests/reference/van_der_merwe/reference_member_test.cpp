// Chains that carry one member [van der Merwe 1995, section 3.13] (chapter 6 with corrections), on
// ME-4 and ME-5: open chains separately, one system at the load, and back; and the method of the
// author, with cases in which it fails.
#include <functional>
#include <memory>

#include "tests/reference/from_gallery.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/operator_matrices.hpp"

#include "trammel/model/build/parameters.hpp"

namespace trammel::reference_member_test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// One chain alone, from the engine, in the axes of its tip.
struct Chain {
  Chain(const Description& description, const FrameRef& tip, const Vector& q, const Vector& v,
        const Vector& tau)
      : posed(description, list_of(q), list_of(v)) {
    J = posed.J(tip, Axes::body);
    H_inverse = posed.M().partialPivLu().inverse();
    Omega = H_inverse * J.transpose();
    Lambda_inverse = J * Omega;
    bias = posed.bias_forces();
    qdd_open = H_inverse * (tau - bias);
    const std::vector<double> list = list_of(qdd_open);
    const Kinematics moving = posed.moving({.a = list});
    xdd_open = six(acceleration(posed.model, moving, tip, Axes::body));
    X_WT = pose(posed.model, moving, tip);
  }
  Posed posed;
  Matrix J, H_inverse, Omega, Lambda_inverse;
  Vector bias, qdd_open, xdd_open;
  Pose<double> X_WT;
};

// kX_r: twists of the frame of the load shifted to the attachment at the tip, in the axes of the
// tip
Matrix load_to_tip(const Pose<double>& X_WT, const Pose<double>& X_WR) {
  const Pose<double> X_RT = inverse(X_WR) * X_WT;
  Matrix X(6, 6);
  for (int k = 0; k < 6; ++k) X.col(k) = six(to_child(X_RT, motion(Vector6::Unit(k))));
  return X;
}

// A mechanism of chains and a load, as a model and taken apart.
struct Carried {
  // joints and bodies of chain k end in its number or contain its name; `free`: free rows of the
  // tip joints
  Carried(const std::string& file, const Vector& tau_,
          const std::vector<std::vector<std::string>>& parts,
          const std::vector<Eigen::Vector3d>& attachments, const std::vector<int>& held_rows,
          double length, bool is_moving)
      : whole(file), tau(tau_), rows(held_rows), p(attachments) {
    Posed& posed = whole.posed;
    if (is_moving) {
      for (std::size_t k = 0; k < posed.state.v.size(); ++k)
        posed.state.v[k] = 0.4 * std::sin(1.0 + double(k));
      EXPECT_TRUE(assemble(posed.model, posed.state, posed.workspace).ok());
    }
    X_WR = posed.X("load");
    const Kinematics moving = posed.moving();
    twist = six(velocity(posed.model, moving, frame_ref(posed.model, "load"), Axes::body));
    const Description& description = posed.model.description();
    for (const std::vector<std::string>& part : parts) {
      Description alone(description);
      const auto is_part = [&](const std::string& name) {
        return std::ranges::count(part, name) > 0;
      };
      std::erase_if(alone.bodies, [&](const auto& body) { return !is_part(body.name); });
      std::erase_if(alone.joints, [&](const auto& joint) { return !is_part(joint.child); });
      alone.start_positions.clear(), alone.start_velocities.clear(), alone.inputs.clear();
      Vector q(0), v(0), effort(0);
      for (const JointDescription& joint : alone.joints) {
        const NamedJoint& found = posed.model[*posed.model.find_joint(joint.name)];
        const auto add = [&](Vector& list, const Vector& all, int start) {
          const Eigen::Index n = list.size();
          list.conservativeResize(n + found.nv);
          list.tail(found.nv) = all.segment(start, found.nv);
        };
        add(q, vector_of(posed.state.q), found.q_start);
        add(v, vector_of(posed.state.v), found.v_start);
        add(effort, tau, found.v_start);
        dofs.push_back(found.v_start);
      }
      const Model model = build_model(alone);
      FrameRef tip = frame_ref(model, part.back());
      tip.X_UA.p = {length, 0, 0};
      chains.emplace_back(std::make_unique<Chain>(alone, tip, q, v, effort));
      X.push_back(load_to_tip(chains.back()->X_WT, X_WR));
    }
    const Inertia<double>& I =
        posed.model.numbers().own_inertia[std::size_t(index(*posed.model.find_body("load")))];
    const auto& r = I.rotational;
    Eigen::Matrix3d about;
    about << r.xx, r.xy, r.xz, r.xy, r.yy, r.yz, r.xz, r.yz, r.zz;
    const Eigen::Vector3d mc = column(I.first_moment), w = twist.head<3>(),
                          g = matrix(X_WR.R).transpose() * column(posed.model.gravity());
    I_r = Matrix::Zero(6, 6);
    I_r << about, cross_matrix(mc), -cross_matrix(mc), I.mass * Eigen::Matrix3d::Identity();
    load_side = Vector(6);  // g_r - b_r
    load_side << mc.cross(g) - w.cross(about * w), I.mass * g - w.cross(w.cross(mc));
  }
  // rows of the constrained directions
  Matrix held(const Matrix& all) const {
    Matrix out(Eigen::Index(rows.size()), all.cols());
    for (std::size_t k = 0; k < rows.size(); ++k) out.row(Eigen::Index(k)) = all.row(rows[k]);
    return out;
  }
  Matrix B(std::size_t k) const { return held(X[k]); }
  Matrix W(std::size_t k) const {
    return held(held(chains[k]->Lambda_inverse).transpose()).transpose();
  }
  // S_k, for tip joints without a bias of their own: planar ones, or rigid
  Vector S(std::size_t k) const {
    const Eigen::Vector3d w = twist.head<3>();
    Vector centripetal = Vector::Zero(6);
    centripetal.tail<3>() = w.cross(w.cross(p[k]));
    return held(chains[k]->xdd_open - X[k] * centripetal);
  }
  // the saddle-point system: a_r, then the tip forces in the constrained directions
  Vector saddle(Eigen::Index* rank = nullptr) const {
    const Eigen::Index c = Eigen::Index(rows.size()), m = Eigen::Index(chains.size());
    Matrix K = Matrix::Zero(6 + c * m, 6 + c * m);
    Vector rhs(6 + c * m);
    K.topLeftCorner(6, 6) = I_r;
    rhs.head(6) = load_side;
    for (Eigen::Index k = 0; k < m; ++k) {
      K.block(0, 6 + c * k, 6, c) = -B(std::size_t(k)).transpose();
      K.block(6 + c * k, 0, c, 6) = B(std::size_t(k));
      K.block(6 + c * k, 6 + c * k, c, c) = W(std::size_t(k));
      rhs.segment(6 + c * k, c) = S(std::size_t(k));
    }
    Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
    solver.setThreshold(1e-10);
    solver.compute(K);
    if (rank != nullptr) *rank = solver.rank();
    return solver.solve(rhs);
  }
  Vector tip_force(const Vector& solution, std::size_t k) const {
    Vector f = Vector::Zero(6);
    const auto c = Eigen::Index(rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r)
      f[rows[r]] = solution[6 + c * Eigen::Index(k) + Eigen::Index(r)];
    return f;
  }
  Vector load_acceleration(const Vector& a) {
    const std::vector<double> list = list_of(a);
    return six(acceleration(whole.posed.model, whole.posed.moving({.a = list}),
                            frame_ref(whole.posed.model, "load"), Axes::body));
  }

  FromGallery whole;
  Vector tau;
  std::vector<int> rows, dofs;
  std::vector<Eigen::Vector3d> p;
  Pose<double> X_WR;
  Vector twist, load_side;
  std::vector<std::unique_ptr<Chain>> chains;
  std::vector<Matrix> X;
  Matrix I_r;
};

// moments first; the tip joint of ME-4 is free about y
Carried two_links(double left_torque = 0, bool is_moving = false) {
  Vector tau = Vector::Zero(3);
  tau[0] = left_torque;
  return Carried("me_4", tau, {{"left"}, {"right"}}, {{-0.4, 0, 0}, {0.4, 0, 0}}, {0, 2, 3, 4, 5},
                 1.5, is_moving);
}
Carried three_legs(double slide = 0, bool is_moving = false) {
  Vector tau = Vector::Zero(15);
  FromGallery machine("me_5");
  tau[machine.posed.model[*machine.posed.model.find_joint("leg1")].v_start + 2] = slide;
  const double s = 0.05 * std::cos(std::numbers::pi / 6);
  return Carried("me_5", tau, {{"rod1", "foot1"}, {"rod2", "foot2"}, {"rod3", "foot3"}},
                 {{-s, 0, -0.025}, {s, 0, -0.025}, {0, 0, 0.05}}, {0, 1, 2, 3, 4, 5}, 0.1,
                 is_moving);
}

// half a unit of the last printed digit
constexpr double digits7 = 5.1e-8;

TEST(van_der_merwe_reference_member, chains_of_me_4_have_the_printed_numbers) {
  shows({"M-63", "to_child", "pose"});
  const Carried load = two_links();
  for (std::size_t k = 0; k < 2; ++k) {
    const Chain& chain = *load.chains[k];
    EXPECT_NEAR(chain.posed.model.nv(), 1, 0);
    EXPECT_NEAR(1 / chain.H_inverse(0, 0), 0.8125, 1e-15);
    expect_near(chain.J, {0, 1, 0, 0, 0, -1.5}, 1e-15, "J");
    expect_near(chain.Omega.transpose(), {0, 1.2307692, 0, 0, 0, -1.8461538}, digits7, "Omega");
    EXPECT_NEAR(chain.Lambda_inverse(5, 5), 2.7692308, digits7);
    EXPECT_NEAR(chain.bias[0], -5.3033009, digits7);
    EXPECT_NEAR(chain.qdd_open[0], 6.5271395, digits7);
    expect_near(chain.xdd_open, {0, 6.5271395, 0, 0, 0, -9.7907093}, digits7, "open");
    // kX_r: a rotation of 45 degrees about y, and the lever of the attachment
    const Matrix& X = load.X[k];
    const double sign = k == 0 ? 1 : -1;
    EXPECT_NEAR(X(3, 1), -sign * 0.2828427, digits7);
    EXPECT_NEAR(X(5, 1), sign * 0.2828427, digits7);
    EXPECT_NEAR(X(4, 2), -sign * 0.4, 1e-15);
    const double c = std::sqrt(0.5);
    EXPECT_NEAR(X(0, 0), c, 1e-15);
    EXPECT_NEAR(std::abs(X(0, 2)), c, 1e-15);
    EXPECT_NEAR(X(4, 4), 1, 1e-15);
    expect_near(load.W(k).diagonal(), {0, 0, 0, 0, 2.7692308}, digits7, "W");
    expect_near(load.S(k), {0, 0, 0, 0, -9.7907093}, digits7, "S");
  }
}

TEST(van_der_merwe_reference_member, load_feels_the_mechanism_as_one_inertia) {
  const Carried load = two_links();
  Matrix effective = load.I_r;
  for (std::size_t k = 0; k < 2; ++k) {
    Eigen::CompleteOrthogonalDecomposition<Matrix> W;
    W.setThreshold(1e-10);
    W.compute(load.W(k));
    effective += load.B(k).transpose() * W.solve(load.B(k));
  }
  EXPECT_NEAR(effective(1, 1), 0.5577778, digits7);
  EXPECT_NEAR(effective(3, 3), 5.3611111, digits7);
  EXPECT_NEAR(effective(5, 5), 5.3611111, digits7);
  EXPECT_NEAR(effective(3, 5), 0.3611111, digits7);
}

TEST(van_der_merwe_reference_member, chains_and_load_together_move_as_the_engine_says) {
  shows({"M-56", "forward_dynamics"}, {"M-58", "forward_dynamics", "acceleration"},
        {"M-59", "forward_dynamics", "acceleration"});
  const std::function<Carried()> cases[] = {
      [] { return two_links(); },        [] { return two_links(-45 * std::sqrt(0.5)); },
      [] { return two_links(3, true); }, [] { return three_legs(); },
      [] { return three_legs(10); },     [] { return three_legs(10, true); }};
  for (const auto& make : cases) {
    Carried load = make();
    Eigen::Index rank = 0;
    const Vector solution = load.saddle(&rank);
    const bool is_pair = load.chains.size() == 2;
    EXPECT_EQ(rank, is_pair ? 13 : 24);
    const std::vector<double> tau = list_of(load.tau);
    const Vector a = load.whole.posed.a({.tau = tau});
    const Vector a_r = solution.head(6);
    const double size = 1 + largest(a);
    // light feet: the inverse inertia of a chain at its tip reaches 3826, which multiplies rounding
    EXPECT_LT(largest(a_r - load.load_acceleration(a)), 1e-9 * size);
    std::size_t dof = 0;
    Vector wrench = Vector::Zero(6);
    for (std::size_t k = 0; k < load.chains.size(); ++k) {
      const Chain& chain = *load.chains[k];
      const Vector f = load.tip_force(solution, k);
      const Vector qdd = chain.qdd_open - chain.Omega * f;
      Eigen::Index at = 0;
      for (const JointDescription& joint : chain.posed.model.description().joints) {
        const int nv = chain.posed.model[*chain.posed.model.find_joint(joint.name)].nv;
        const int start = load.dofs[dof++];
        EXPECT_LT(largest(qdd.segment(at, nv) - a.segment(start, nv)), 1e-8 * size) << joint.name;
        at += nv;
      }
      wrench += load.X[k].transpose() * f;
      // tip and attachment accelerate alike
      const Vector left = load.W(k) * load.held(f) - load.S(k) + load.B(k) * a_r;
      EXPECT_LT(largest(left), 1e-8 * size);
    }
    // F_r = sum of the chains = I_r a_r + b_r - g_r
    EXPECT_LT(largest(wrench - load.I_r * a_r + load.load_side), 1e-9 * (1 + largest(wrench)));
  }
}

TEST(van_der_merwe_reference_member, attachment_points_have_a_bias_of_their_own) {
  shows({"M-65", "acceleration"});
  Carried load = three_legs(10, true);
  const std::vector<double> tau = list_of(load.tau);
  const Vector a = load.whole.posed.a({.tau = tau}), a_r = load.load_acceleration(a);
  const std::vector<double> list = list_of(a);
  const Kinematics moving = load.whole.posed.moving({.a = list});
  const Eigen::Vector3d w = load.twist.head<3>();
  EXPECT_GT(w.norm(), 0.01);
  for (std::size_t k = 0; k < 3; ++k) {
    FrameRef tip = frame_ref(load.whole.posed.model, "foot" + std::to_string(k + 1));
    tip.X_UA.p = {0.1, 0, 0};
    const Vector there = six(acceleration(load.whole.posed.model, moving, tip, Axes::body));
    Vector centripetal = Vector::Zero(6);
    centripetal.tail<3>() = w.cross(w.cross(load.p[k]));
    EXPECT_LT(largest(there - load.X[k] * (a_r + centripetal)), 1e-10 * (1 + largest(there)));
    EXPECT_GT(largest(there - load.X[k] * a_r), 1e-6);  // without it the loop would drift
  }
}

// Pseudo-inverses and a projected force: right only where symmetry hides both errors.
Vector by_the_author(const Carried& load) {
  Matrix effective = load.I_r, reach = Matrix::Zero(6, 6);
  Vector force = load.load_side;
  for (std::size_t k = 0; k < load.chains.size(); ++k) {
    Eigen::CompleteOrthogonalDecomposition<Matrix> W;
    W.setThreshold(1e-10);
    W.compute(load.W(k));
    const Matrix R = load.B(k).transpose() * W.solve(load.B(k));
    effective += R;
    reach += R;
    force += load.B(k).transpose() * W.solve(load.S(k));
  }
  const Eigen::JacobiSVD<Matrix> svd(reach, Eigen::ComputeFullU);
  Eigen::Index rank = 0;
  while (rank < 6 && svd.singularValues()[rank] > 1e-9 * svd.singularValues()[0]) ++rank;
  const Matrix b = svd.matrixU().leftCols(rank);
  return effective.partialPivLu().solve(b * (b.transpose() * force));
}

TEST(van_der_merwe_reference_member, authors_method_fails_where_nothing_is_symmetric) {
  shows({"M-62", "forward_dynamics"});
  // ME-4 itself: both are right
  Carried even = two_links();
  expect_near(by_the_author(even), {0, 0, 0, -5.2427184, 0, -5.2427184}, digits7, "ME-4, author");
  expect_near(even.saddle().head(6), {0, 0, 0, -5.2427184, 0, -5.2427184}, digits7, "ME-4");
  // MX-2: a torque on one link does not rotate the load, but it does in the author's method
  Carried uneven = two_links(-45 * std::sqrt(0.5));
  EXPECT_NEAR(std::abs(by_the_author(uneven)[1]), 10.757, 5.1e-4);
  const Vector a = uneven.whole.posed.a({.tau = list_of(uneven.tau)});
  expect_near(uneven.load_acceleration(a), {0, 0, 0, -2.6213592, 0, -2.6213592}, digits7, "MX-2");
  expect_near(uneven.saddle().head(6), {0, 0, 0, -2.6213592, 0, -2.6213592}, digits7, "MX-2");
  // MX-4: its accelerations violate the closure of the legs
  Carried legs = three_legs(10);
  const Vector ours = legs.load_acceleration(legs.whole.posed.a({.tau = list_of(legs.tau)}));
  EXPECT_GT(largest(by_the_author(legs) - ours), 0.1);
  EXPECT_LT(largest(legs.saddle().head(6) - ours), 1e-9 * (1 + largest(ours)));
}

TEST(van_der_merwe_reference_member, legs_may_be_driven_at_the_ground_or_at_the_load) {
  shows({"M-57", "forward_dynamics"});
  // type 0: driven at the base, passive at the load; type 1: the reverse
  FromGallery pair("me_4");
  const auto turned_by = [&](const std::string& joint) {
    const Vector with = pair.posed.a({.tau = pair.effort(joint, {2})}), without = pair.posed.a();
    return (with - without).eval();
  };
  // links and load move as one: 12.875 kg m^2; a torque between link and load turns the link back
  expect_near(turned_by("left"), {2 / 12.875, 2 / 12.875, -2 / 12.875}, 1e-13, "type 0");
  expect_near(turned_by("left_tip"), {-2 / 12.875, -2 / 12.875, 2 / 12.875}, 1e-13, "type 1");
}

}  // namespace
}  // namespace trammel::reference_member_test
