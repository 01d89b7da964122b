// Arms like those of R-EX2 and R-EX3 [Rodriguez 1988] that grasp one object, any number of them.
#pragma once

#include "tests/reference/posed.hpp"
#include "tests/reference/rodriguez/arms.hpp"
#include "tests/support/placement_of.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"

namespace trammel {

// Welded to the object in their present poses.
struct HeldObject {
  // In the poses and motion of the reference; from the fourth on they stand at the places of the
  // first three, bent a little more.
  explicit HeldObject(int arms, bool cut_at_last_weld = true)
      : HeldObject(seed_angles(arms), seed_twist(), cut_at_last_weld) {}

  HeldObject(const std::vector<std::vector<double>>& angles, const Vector6& twist,
             bool cut_at_last_weld = true)
      : NA(int(angles.size())) {
    const std::vector<double> torques[] = {{3, -150, -55, 1, -12, 0.5},
                                           {-2, -145, -50, 0.5, -11.5, -0.3},
                                           {1, -148, -52, -0.8, -11, 0.2}};
    description = Description("arms and object");
    description.gravity = {0.0, 0.0, -9.81};
    for (int i = 1; i <= NA; ++i) {
      const std::vector<double>&angle = angles[std::size_t(i - 1)], &torque = torques[(i - 1) % 3];
      GenericArm::add_to(description, (i - 1) % 3 + 1, false, prefix(i));
      q.insert(q.end(), angle.begin(), angle.end());
      tau.insert(tau.end(), torque.begin(), torque.end());
    }
    Posed open(description, q);
    for (int i = 1; i <= NA; ++i) C = C + (1.0 / NA) * open.X(prefix(i) + "tip").p;
    C.z += 0.05;
    description.body("object", {.mass = 10.0, .inertia = {0.2, 0.0, 0.0, 0.3, 0.0, 0.25}});
    for (int i = 1; i <= NA; ++i) {
      const std::string hand = prefix(i) + "link 6";
      const Pose<double> X_HO = inverse(open.X(hand)) * Pose<double>{Mat3<double>::identity(), C};
      description.joint(prefix(i) + "weld", JointKind::fixed, hand, "object",
                        {.at = placement_of(X_HO), .cut = cut_at_last_weld && i > 1});
      // rates consistent with the object
      const Vec3<double> tip = open.X(prefix(i) + "tip").p;
      const Eigen::MatrixXd J = open.J(prefix(i) + "tip", Axes::world).middleCols(6 * (i - 1), 6);
      const Eigen::VectorXd rates = J.partialPivLu().solve(twist_shift(three(tip - C)) * twist);
      v.insert(v.end(), rates.begin(), rates.end());
    }
  }
  static std::string prefix(int i) { return "arm " + std::to_string(i) + " "; }
  static std::vector<std::vector<double>> seed_angles(int arms) {
    const std::vector<double> three_arms[] = {{0.2, -0.5, 0.9, 0.3, 0.6, -0.4},
                                              {-0.1, -0.6, 1.0, -0.2, 0.5, 0.3},
                                              {0.15, -0.55, 0.95, 0.1, 0.55, 0.2}};
    std::vector<std::vector<double>> all;
    for (int i = 0; i < arms; ++i) {
      all.push_back(three_arms[i % 3]);
      for (double& angle : all.back()) angle += 0.04 * (i / 3);
    }
    return all;
  }
  static Vector6 seed_twist() { return (Vector6() << 0.1, -0.2, 0.3, 0.05, 0.1, -0.08).finished(); }
  // wrench of arm i on the object at its tip, in world axes
  static Vector6 contact(Posed& posed, const UniqueReactions& reactions, int i) {
    const Model& model = posed.model;
    const JointId weld = *model.find_joint(prefix(i) + "weld");
    const Pose<double> X_WO = posed.X("object");
    // at the frame of the object
    const Force<double> F = reactions.force[std::size_t(index(weld))];
    const Vec3<double> n = X_WO.R * F.moment, f = X_WO.R * F.force;
    const Vec3<double> tip = posed.X(prefix(i) + "tip").p;
    const Vec3<double> at_tip = n + cross(X_WO.p - tip, f);
    Vector6 x;
    x << at_tip.x, at_tip.y, at_tip.z, f.x, f.y, f.z;
    return x;
  }

  int NA;
  Description description;
  std::vector<double> q, v, tau;
  Vec3<double> C;
};

}  // namespace trammel
