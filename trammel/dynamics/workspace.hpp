// Room for one computation on one model, so that nothing allocates. One per thread. Never a place
// to read an answer from: what is here is valid only inside a call.
#pragma once

#include <memory>
#include <vector>

#include "trammel/dynamics/force_elements.hpp"
#include "trammel/dynamics/kernel/freedom_groups.hpp"
#include "trammel/dynamics/kernel/world_axes.hpp"
#include "trammel/dynamics/scene.hpp"
#include "trammel/dynamics/stages.hpp"

namespace trammel {

namespace kernel {
// What the mass matrix keeps of each freedom: its column, its body's origin, the inertia it moves
// and the force that takes; and its column as it is felt at the point of its group. How a body is
// turned stands at the last freedom of its joint.
template <Scalar S> struct MassRows : RowGroups<S, 40> {
  using RowGroups<S, 40>::RowGroups;
  static constexpr bool is_one_a_group = RowRegister<S>::rows == 1;
  enum { turn = 0, inertia = 9, place = 19, column = 22, force = 28 };
  static constexpr int felt = is_one_a_group ? int(column) : 34;
};
// What limbs side by side keep from sweep to sweep, a group a step: sine, cosine, the acceleration
// that comes of velocity, the force each body asks for, how its joint gives way.
struct LimbRows : RowGroups<double, 19> {
  using RowGroups<double, 19>::RowGroups;
  enum { sine = 0, cosine = 1, across = 2, force = 6, give = 12, given = 18 };
};
}  // namespace kernel

template <Scalar S> struct BasicWorkspace {
  // `lanes`: of the kernels that will work in it.
  explicit BasicWorkspace(const Model& model, int lanes = kernel::RowRegister<S>::rows)
      : X_PB(model.bodies().size(), Pose<S>::identity()),
        V(model.bodies().size()),
        A(model.bodies().size()),
        C(model.bodies().size()),
        F(model.bodies().size()),
        w(model.bodies().size()),
        Omega(model.bodies().size()),
        I_A(model.bodies().size()),
        I_C(model.bodies().size()),
        axes(std::size_t(model.nv())),
        hinge(std::size_t(model.nv())),
        effort(std::size_t(model.nv())),
        turns(model.nq()),
        world(model),
        groups(model, lanes),
        mass_rows(groups.rows()),
        limb_rows(std::same_as<S, double> ? model.numbers().limbs.steps * Limbs::most : 0) {}

  std::vector<Pose<S>> X_PB;               // each body in its parent
  std::vector<Motion<S>> V, A, C;          // velocity, acceleration, velocity-product acceleration
  std::vector<Force<S>> F;                 // force through each body's joint
  std::vector<Vec3<S>> w;                  // angular velocity
  std::vector<Mat3<S>> Omega;              // angular acceleration tensor
  std::vector<ArticulatedInertia<S>> I_A;  // articulated inertia of each body
  std::vector<Inertia<S>> I_C;             // composite inertia of each body
  std::vector<Motion<S>> axes;             // per freedom: columns of joints whose axes are not z
  std::vector<Hinge<S>> hinge;             // per freedom: how it gives way
  std::vector<S> effort;                   // per freedom: actuator and passive effort together
  Turns<S> turns;                          // sines and cosines, where they are made ahead
  kernel::WorldAxes<S> world;              // the tree told in world axes
  kernel::FreedomGroups groups;            // the freedoms, in groups that fill registers
  kernel::MassRows<S> mass_rows;           // what the mass matrix keeps of them
  kernel::LimbRows limb_rows;              // what limbs side by side keep
};

class Constrained;

// What the public calls need on top: the state's kinematics where a question goes through them, and
// outside forces in the sweeps' frames.
struct Workspace : BasicWorkspace<double> {
  explicit Workspace(const Model& model);
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  ~Workspace();

  Kinematics kinematics;
  std::vector<Load<double>> loads;
  std::vector<ElementForce> element_forces;  // of springs and drives between bodies
  std::vector<Force<double>> on_body;        // per named body: a force in its own frame
  std::vector<double> zero;                  // nv of them
  std::vector<double> a, tau;
  int nq;                                    // of the model it was made for
  std::uint64_t tree;                        // and its tree's fingerprint
  std::unique_ptr<Constrained> constrained;  // of a model with loops; none for a tree
};

}  // namespace trammel
