// Buffers of a workspace: BasicWorkspace for the kernels, for any scalar type; WorkspaceBuffers,
// which Workspace owns; those of BatchWorkspace and DerivativeWorkspace. Their layout depends on
// the instruction set and is no part of the interface.
#pragma once

#include <memory>
#include <vector>

#include "trammel/base/workers.hpp"
#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/force_elements.hpp"
#include "trammel/dynamics/kernel/batch.hpp"
#include "trammel/dynamics/kernel/simd/dof_groups.hpp"
#include "trammel/dynamics/kernel/simd/world_axes.hpp"
#include "trammel/dynamics/kernel_input.hpp"
#include "trammel/dynamics/stages.hpp"
#include "trammel/dynamics/threads.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

namespace kernel {
// Rows of the mass matrix kernel, one per degree of freedom: its axis, its body's origin, the
// composite inertia it moves and the force I^c S; and its axis shifted to the reference point of
// its group. The rotation of a body is stored at the last degree of freedom of its joint.
template <Scalar S> struct MassRows : RowGroups<S, 40> {
  using RowGroups<S, 40>::RowGroups;
  static constexpr bool is_one_a_group = RowRegister<S>::rows == 1;
  enum { turn = 0, inertia = 9, place = 19, column = 22, force = 28 };
  static constexpr int shifted = is_one_a_group ? int(column) : 34;
};
// Values that the SIMD packed chains keep from pass to pass, one group per step: sine, cosine,
// velocity-product acceleration, bias force of each body, joint factor.
struct PackedChainRows : RowGroups<double, 19> {
  using RowGroups<double, 19>::RowGroups;
  enum { sine = 0, cosine = 1, across = 2, force = 6, W = 12, w = 18 };
};
}  // namespace kernel

// Buffers of the kernels for one scalar type.
template <Scalar S> struct BasicWorkspace {
  // `lanes`: SIMD lanes of the kernels that use this workspace.
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
        joint_factor(std::size_t(model.nv())),
        effort(std::size_t(model.nv())),
        sin_cos_cache(model.nq()),
        world(model),
        groups(model, lanes),
        mass_rows(groups.rows()),
        packed_chain_rows(std::same_as<S, double>
                              ? model.numbers().packed_chains.steps * PackedChains::most
                              : 0) {}

  std::vector<Pose<S>> X_PB;               // pose of each body in its parent
  std::vector<Motion<S>> V, A, C;          // velocity, acceleration, velocity-product acceleration
  std::vector<Force<S>> F;                 // force through each body's joint
  std::vector<Vec3<S>> w;                  // angular velocity
  std::vector<Mat3<S>> Omega;              // angular acceleration tensor
  std::vector<ArticulatedInertia<S>> I_A;  // articulated inertia of each body
  std::vector<Inertia<S>> I_C;             // composite inertia of each body
  std::vector<Motion<S>> axes;             // per dof: axes of joints whose axes are not z
  std::vector<JointFactor<S>> joint_factor;   // per dof: factor of the joint (ABA)
  std::vector<S> effort;                      // per dof: actuator and passive effort together
  SinCosCache<S> sin_cos_cache;               // sines and cosines, where they are precomputed
  kernel::WorldAxes<S> world;                 // the tree in world axes
  kernel::DofGroups groups;                   // degrees of freedom in groups that fill registers
  kernel::MassRows<S> mass_rows;              // of the mass matrix, per degree of freedom
  kernel::PackedChainRows packed_chain_rows;  // of the packed chains
};

namespace internal {

// Additional buffers of the public functions: the kinematics of the state where a function needs
// them, and external forces in the frames of the kernels.
struct WorkspaceBuffers : BasicWorkspace<double> {
  explicit WorkspaceBuffers(const Model& model);

  Kinematics kinematics;
  std::vector<ExternalForce<double>> external_forces;
  std::vector<ElementForce> element_forces;  // of force elements and loop joints
  std::vector<Force<double>> on_body;        // per named body: a force in its own frame
  std::vector<double> zero;                  // nv zeros
  std::vector<double> a, tau;
  int nq;                                    // of the model it was made for
  std::uint64_t tree;                        // and its tree's fingerprint
  std::unique_ptr<Threads> threads;          // null: one thread
  std::unique_ptr<Constrained> constrained;  // for models with constraints; null for a tree
};

// Input of the kernels without loads.
inline KernelInput<double, double> unloaded_input(const Model& model, const Workspace& workspace) {
  return {model, model.numbers(), {}, {}, workspace->threads.get()};
}

// Buffers of a batch: one set per worker.
struct BatchBuffers {
  BatchBuffers(const Model& model, int threads);

  // For models with loops, or with prescribed or locked joints: the workspace for evaluating states
  // singly, and flags of the states already solved.
  struct Alone {
    explicit Alone(const Model& model) : workspace(model) {}
    Workspace workspace;
    std::vector<char> is_sure;
  };

  void* of_worker(int worker) const { return sealed[std::size_t(worker)].get(); }

  std::vector<kernel::SealedWorkspace> sealed;  // one per worker
  std::vector<Alone> alone;                     // one per worker, for such models only
  std::unique_ptr<Workers> workers;
  int nq, nv;  // nq, nv and tree of the model it was made for
  std::uint64_t tree;
};

// Buffers of the derivatives.
struct DerivativeBuffers {
  explicit DerivativeBuffers(const Model& model);

  kernel::SealedWorkspace sealed;
  int nq, nv;  // nq, nv and tree of the model it was made for
  std::uint64_t tree;
};

}  // namespace internal

}  // namespace trammel
