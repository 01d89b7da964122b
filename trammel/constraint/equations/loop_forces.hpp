// Forces of springs, dampers and drives of loop joints along their own dofs.
//
// An effort along a dof is applied as a wrench between the joint's two frames that does the same
// work on this dof and none on the joint's other dofs. Its components along the constrained
// directions are arbitrary; the reaction compensates for them.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "trammel/constraint/kinds/closure.hpp"
#include "trammel/dynamics/force_elements.hpp"

namespace trammel {

// Evaluates a loop joint, with angles chosen within half a turn of the rest position of its
// springs.
template <Scalar S>
BasicClosureAt<S> evaluate_near_rest(const Model& model, int closure,
                                     const BasicKinematics<S>& kinematics);

// Force between bodies of a unit effort along a loop dof (index below loop_nv).
ElementForce unit_effort(const Model& model, const Kinematics& kinematics, int dof);
// The same as efforts on the tree; equally the Jacobian row of the dof's rate. Its entries, by dof:
// at the joints between the two bodies and their lowest common ancestor.
struct EffortEntry {
  int dof;
  double effort;
};
std::vector<EffortEntry> effort_entries_of_loop(const Model& model, const Kinematics& kinematics,
                                                int dof);
Eigen::VectorXd effort_of_loop(const Model& model, const Kinematics& kinematics, int dof);
// Dofs of the tree on which a loop joint's coordinates depend, ascending.
std::vector<int> dofs_of_loop(const Model& model, int closure);
// effort_of_loop at these dofs only: `out` has one entry per dof of dofs_of_loop.
void write_effort_of_loop(const Model& model, const Kinematics& kinematics, int dof,
                          std::span<const int> dofs, std::span<double> out);

// Adds the forces of springs, dampers and drives (loop_tau) of all loop joints. Angles are taken
// within half a turn of the rest position of their spring: the state does not determine the number
// of turns of a loop joint. Fails at a pose where the joint's motions are dependent.
template <Scalar S>
Status add_loop_forces(const char* context, const Model& model,
                       const BasicKinematics<S>& kinematics, std::span<const double> loop_tau,
                       std::vector<BasicElementForce<S>>& out);
// Elastic energy of the loop joints' springs.
double loop_energy(const Model& model, const Kinematics& kinematics);

}  // namespace trammel
