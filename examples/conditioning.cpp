// Two arms welded to one object: how accurately the wrenches of their hands follow from the motion,
// pose by pose. The condition number of Omega = A^T M^-1 A + Lambda, the matrix of the linear
// system for these wrenches (docs/theory/conditioning.md has the table that this prints).
#include <Eigen/Dense>
#include <cstdio>
#include <iostream>
#include <numbers>

#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/read/load.hpp"

using namespace trammel;
using Angles = std::vector<double>;

// One arm at these angles: pose of its tip, its Jacobian, its inverse operational-space inertia.
struct Hand {
  Eigen::Vector3d p;
  Eigen::MatrixXd J = Eigen::MatrixXd(6, 6), Lambda = J;
};
void require(const Status& status) {
  if (status.ok()) return;
  std::cerr << status.message() << "\n";
  std::exit(1);
}
// The base of the arm is at (x, 0, 0), rotated by 0 or by half a turn about z.
Hand hand(const Model& arm, const Angles& q, double x, bool is_turned) {
  Workspace workspace(arm);
  State state = neutral_state(arm);
  state.q = q;
  Kinematics where(arm);
  ArticulatedInertias factors(arm);
  const FrameRef tip = frame_ref(arm, "tip");
  Hand out;
  require(kinematics(arm, state, {}, workspace, where));
  require(jacobian(arm, where, tip, Axes::world, out.J));
  require(articulated_inertias(arm, state, workspace, factors));
  require(operational_space_inertia_inverse(arm, state, factors, tip, Axes::world, workspace,
                                            out.Lambda));
  const Vec3<double> p = pose(arm, where, tip).p;
  const double side = is_turned ? -1 : 1;
  Eigen::VectorXd turn(6);
  turn << side, side, 1, side, side, 1;
  out.p = {x + side * p.x, side * p.y, p.z};
  out.J = turn.asDiagonal() * out.J;
  out.Lambda = turn.asDiagonal() * out.Lambda * turn.asDiagonal();
  return out;
}
double condition(const Eigen::MatrixXd& matrix) {
  const Eigen::VectorXd singular = Eigen::JacobiSVD<Eigen::MatrixXd>(matrix).singularValues();
  return singular[0] / singular[singular.size() - 1];
}

// Both hands on an object of 10 kg, 5 cm below its center: a line of the table.
double tell(const char* pose, const Model& arm, const Angles& left, const Angles& right) {
  const Hand hands[] = {hand(arm, left, -1.1, false), hand(arm, right, 1.1, true)};
  const Eigen::Vector3d C = (hands[0].p + hands[1].p) / 2 + Eigen::Vector3d(0, 0, 0.05);
  Eigen::VectorXd M(6);
  M << 0.2, 0.3, 0.25, 10, 10, 10;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(6, 12), Omega = Eigen::MatrixXd::Zero(12, 12);
  for (int i = 0; i < 2; ++i) {
    // a wrench at the hand, shifted to C
    const Eigen::Vector3d l = hands[i].p - C;
    auto block = A.middleCols<6>(6 * i);
    block.setIdentity();
    block.topRightCorner<3, 3>() << 0, -l.z(), l.y(), l.z(), 0, -l.x(), -l.y(), l.x(), 0;
    Omega.block<6, 6>(6 * i, 6 * i) = hands[i].Lambda;
  }
  Omega += A.transpose() * M.cwiseInverse().asDiagonal() * A;
  // known wrenches, and their error after a solve
  const Eigen::VectorXd x = Eigen::VectorXd::Ones(12);
  const double error = (Omega.ldlt().solve(Omega * x) - x).cwiseAbs().maxCoeff();
  const double condition_of_Omega = condition(Omega);
  std::printf("| %-25s | %8.1f | %8.1f | %10.2e | %6.1e |\n", pose, condition(hands[0].J),
              condition(hands[1].J), condition_of_Omega, error);
  return condition_of_Omega;
}
// Elbow bent by an angle, the hand level: stretched at 0.
Angles bent(double degrees) {
  const double x = degrees * std::numbers::pi / 180;
  return {0, -x, 2 * x, 0, -x, 0};
}

int main() {
  const Model arm = load_model("@r_ex2_arm");
  std::printf("| pose                      |  cond J1 |  cond J2 | cond Omega |  error |\n");
  std::printf("|---|---|---|---|---|\n");
  tell("R-EX2", arm, {0.2, -0.5, 0.9, 0.3, 0.6, -0.4}, {-0.1, -0.6, 1.0, -0.2, 0.5, 0.3});
  double one = 0, both = 0;
  for (const auto& [name, degrees] : {std::pair{"left bent by 60 deg", 60.0},
                                      {"left bent by 10 deg", 10.0},
                                      {"left bent by 1 deg", 1.0},
                                      {"left bent by 0.1 deg", 0.1}})
    one = tell(name, arm, bent(degrees), bent(60));
  for (const auto& [name, degrees] : {std::pair{"both bent by 10 deg", 10.0},
                                      {"both bent by 1 deg", 1.0},
                                      {"both bent by 0.1 deg", 0.1}})
    both = tell(name, arm, bent(degrees), bent(degrees));
  // one stretched arm costs little; two that lose the same direction make the system singular
  return one < 1e6 && both > 1e8 ? 0 : 1;
}
