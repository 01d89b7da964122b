#pragma once

#include <array>

#include "trammel/constraint/roads.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// What a model with loops does under inputs.tau: accelerations, and what holds it together.
struct ConstrainedAnswer {
  Eigen::VectorXd a;       // nv
  Eigen::VectorXd lambda;  // one per row, zero for rows that the plan leaves out
  RankPlan plan;
  Road road = Road::automatic;  // the one that was taken
};
// Names of the rows, in the order of lambda.
std::vector<std::string> row_names(const Model& model);

// Joints driven by motion accelerate as inputs.a (those that close loops, as inputs.loop_a) says,
// locked ones stay. The plan is decided at the
// state if none is given; a state that is a little open is closed for that, and only for that.
[[nodiscard]] Status constrained_dynamics(const Model& model, const State& state,
                                          const Inputs& inputs, Workspace& workspace,
                                          ConstrainedAnswer& out, Road road = Road::automatic,
                                          const RankPlan* plan = nullptr);
[[nodiscard]] Status rank_plan(const Model& model, const State& state, Workspace& workspace,
                               RankPlan& out);
// J of the constraints at a state, count of rows x nv.
[[nodiscard]] Status constraint_jacobian(const Model& model, const State& state,
                                         Workspace& workspace, Eigen::MatrixXd& out);

// Which efforts of the drives does the motion inputs.a take? As inverse_dynamics, also where joints
// that close loops are driven, which have no entry in tau.
struct DriveEfforts {
  Eigen::VectorXd tau;       // nv
  Eigen::VectorXd loop_tau;  // closure_nv
  // Per entry: whether the motion determines it. Where several drives could take a share, the
  // shares are one choice of many, the one with the least sum of squares.
  std::vector<bool> is_unique = {}, loop_is_unique = {};
};
[[nodiscard]] Status drive_efforts(const Model& model, const State& state, const Inputs& inputs,
                                   Workspace& workspace, DriveEfforts& out);

// Efforts of joints that are driven by motion or locked; the others have inputs.tau and
// inputs.loop_tau. As hybrid_dynamics, also of joints that close loops. Joints that prescribe the
// same motion share its effort: their efforts are not unique, and have the least sum of squares. A
// share that loops could carry as well is left to the loops.
[[nodiscard]] Status planned_efforts(const Model& model, const State& state, const Inputs& inputs,
                                     Workspace& workspace, DriveEfforts& out);

// What do the drives have to do together for the motion inputs.a? Whoever chooses efforts with
// A efforts = needed moves the mechanism so; drive_efforts chooses the least, allocate_efforts
// the least within limits.
struct DriveDemand {
  Eigen::MatrixXd A;               // ways to move x drives
  Eigen::VectorXd needed;          // ways to move
  std::vector<int> freedoms;       // drives: freedoms of the tree,
  std::vector<int> loop_freedoms;  // then of joints that close loops
  Eigen::MatrixXd T;               // the ways to move, nv x ways
};
[[nodiscard]] Status drive_demand(const Model& model, const State& state, const Inputs& inputs,
                                  Workspace& workspace, DriveDemand& out);
DriveEfforts efforts_of(const Model& model, const DriveDemand& demand,
                        const Eigen::VectorXd& efforts);

// What every joint carries under inputs.tau, loop joints included: as in reactions(), and for each
// component whether it is unique. What is not is a choice, a self-stress that nothing in the motion
// tells: the one with the least sum of w (|force|^2 + |moment|^2 / l^2) over all joints, the same
// wherever loops are cut; what wheels carry counts like joints.
struct StressWeights {
  double length = 0;                // l [m]; 0: stress_length of the model
  std::vector<double> joints = {};  // w per joint of Model::joints(), above 0; none: 1 each
};
struct UniqueReactions {
  std::vector<Force<double>> force;            // per joint of Model::joints()
  std::vector<std::array<bool, 6>> is_unique;  // moment x y z, force x y z
  Road road = Road::automatic;                 // the one that was taken to the accelerations
  double length = 0;                           // l [m]; 0 where nothing was chosen
};
[[nodiscard]] Status constrained_reactions(const Model& model, const State& state,
                                           const Inputs& inputs, Workspace& workspace,
                                           UniqueReactions& out, Road road = Road::automatic,
                                           const StressWeights& weights = {});

}  // namespace trammel
