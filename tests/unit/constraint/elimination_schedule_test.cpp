// Elimination schedule of the recursive solver: every row is eliminated once, where all that is
// left of it acts on one body and after everything it depends on. Every schedule is carried out
// once more with sets instead of numbers; stages of known mechanisms are counted by hand.
#include "trammel/constraint/solver/elimination_schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/support/how_many.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "tests/unit/constraint/mechanisms.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/read/gallery.hpp"
#include "trammel/read/load.hpp"

namespace trammel::elimination_schedule_test {
namespace {

using kernel::EliminationSchedule;
using Kind = EliminationSchedule::ConstraintKind;

constexpr ConstraintSolver recursive_solvers[] = {ConstraintSolver::automatic,
                                                  ConstraintSolver::schur, ConstraintSolver::star,
                                                  ConstraintSolver::cluster};

struct Mechanism {
  explicit Mechanism(const Description& description) : Mechanism(build_model(description)) {}
  explicit Mechanism(const Model& of) : model(of), workspace(model) {
    is_assembled = assembled_start(model, workspace, state).ok();
    if (is_assembled) evaluate();
  }
  Mechanism(const Model& of, const State& at) : model(of), workspace(model), state(at) {
    evaluate();
  }
  void evaluate() {
    std::fill(state.v.begin(), state.v.end(), 0.0);
    const Status status = constraint_jacobian(model, state, workspace, J);
    is_assembled = status.ok() && row_basis(model, state, workspace, basis).ok();
  }
  std::optional<Elimination> eliminate(ConstraintSolver solver = ConstraintSolver::automatic) {
    return eliminate_rows(model, basis, SparseRows::of(J), solver);
  }
  int body(const std::string& name) const { return model[*model.find_body(name)].tree_body; }

  Model model;
  Workspace workspace;
  State state;
  Eigen::MatrixXd J;
  RowBasis basis;
  bool is_assembled = false;
};

// Carries the schedule out: `acting` are the bodies that the rows of a group act on.
class Rehearsal {
 public:
  Rehearsal(const Mechanism& mechanism, const Elimination& elimination)
      : model_(mechanism.model),
        J_(mechanism.J),
        elimination_(elimination),
        schedule_(elimination.schedule),
        acting_(schedule_.groups.size()),
        waiting_(schedule_.groups.size()) {
    expect_rows_of(mechanism.basis);
    find_bodies_of_entries();
    int first = 0;
    for (std::size_t g = 0; g < schedule_.groups.size(); ++g) {
      first_row_.push_back(first);
      first += schedule_.groups[g].rows;
      for (int row = 0; row < schedule_.groups[g].rows; ++row) waiting_[g].insert(row);
      if (!waiting_[g].empty()) acting_[g] = first_bodies(int(g));
    }
  }

  void run() {
    std::set<int> visited;
    int entry = 0, stage = 0;
    for (const EliminationSchedule::Visit& visit : schedule_.inward) {
      const Body& body = model_.bodies()[std::size_t(visit.body)];
      EXPECT_TRUE(visited.insert(visit.body).second) << "body " << visit.body << " twice";
      EXPECT_FALSE(visited.contains(body.parent)) << "body " << visit.body << " after its parent";
      // visits take up entries and stages without a gap
      EXPECT_EQ(visit.entry_begin, entry);
      EXPECT_EQ(visit.stage_begin, stage);
      entry = visit.entry_end, stage = visit.stage_end;
      for (int s = visit.stage_begin; s < visit.stage_end; ++s) carry_out(s, visit.body);
      propagate(visit);
      for (int dof = body.v_start; dof < body.v_end; ++dof) passed_.push_back(dof);
    }
    EXPECT_EQ(visited.size() + 1, model_.bodies().size());  // all but ground
    EXPECT_EQ(schedule_.ground_stage_begin, stage);
    for (int s = stage; s < int(schedule_.stages.size()); ++s) carry_out(s, 0);
    for (const std::set<int>& rows : waiting_) EXPECT_TRUE(rows.empty());
    // each gain belongs to one entry and dof, each pair of gains at a dof to one block
    EXPECT_EQ(int(gains_.size()), schedule_.gains);
    EXPECT_TRUE(meetings_.empty());
  }

 private:
  // The rows solved for are those of the basis, each in one group.
  void expect_rows_of(const RowBasis& basis) const {
    std::vector<int> found = elimination_.rows, wanted = basis.rows;
    std::ranges::sort(found);
    std::ranges::sort(wanted);
    EXPECT_EQ(found, wanted);
    int rows = 0, monitored = 0;
    for (const EliminationSchedule::RowGroup& group : schedule_.groups) {
      rows += group.rows;
      if (group.kind != Kind::closure) continue;
      EXPECT_EQ(int(group.kept.size()), group.rows);
      monitored += int(group.watched.size());
    }
    EXPECT_EQ(rows, basis.rank());
    // rows left out are monitored: those of loop joints by the recursion, given ones by the caller
    const auto is_left_out = [&](const Elimination::Given& given) {
      return std::ranges::find(basis.rows, given.row) == basis.rows.end();
    };
    monitored += int(std::ranges::count_if(elimination_.given, is_left_out));
    EXPECT_EQ(monitored, basis.redundant());
  }
  // Entries that are propagated at a visit belong to its body.
  void find_bodies_of_entries() {
    for (const EliminationSchedule::Visit& visit : schedule_.inward)
      for (int e = visit.entry_begin; e < visit.entry_end; ++e) body_of_[e] = visit.body;
    for (const EliminationSchedule::Stage& stage : schedule_.stages)
      for (const EliminationSchedule::Part& part : stage.parts)
        if (part.entry >= 0) body_of_.try_emplace(part.entry, stage.place);
  }
  // Bodies that the wrenches of a constraint act on, and those whose coordinates it contains.
  std::set<int> first_bodies(int group) const {
    const EliminationSchedule::RowGroup& rows = schedule_.groups[std::size_t(group)];
    std::set<int> out;
    for (const int body : {rows.parent, rows.child})
      if (body > 0) out.insert(body);
    for (const auto& [body, entry] : rows.ends) out.insert(body);
    for (int e = 0; e < int(schedule_.entries.size()); ++e) {
      const EliminationSchedule::Entry& entry = schedule_.entries[std::size_t(e)];
      if (entry.group == group && entry.direct_end > entry.direct_begin) out.insert(body_of_.at(e));
    }
    EXPECT_FALSE(out.empty()) << "group " << group << " acts on nothing";
    return out;
  }

  void carry_out(int index, int place) {
    const EliminationSchedule::Stage& stage = schedule_.stages[std::size_t(index)];
    EXPECT_EQ(stage.place, place);
    std::set<int> parts, solved, with_them;
    for (const EliminationSchedule::Part& part : stage.parts) {
      EXPECT_TRUE(parts.insert(part.group).second);
      if (!part.pivots.empty()) solved.insert(part.group);
    }
    EXPECT_FALSE(solved.empty());
    // groups that are coupled to a pivot change with its elimination, and no others
    for (std::size_t g = 0; g < waiting_.size(); ++g)
      for (const int pivot : solved)
        if (!waiting_[g].empty() && (int(g) == pivot || coupled_.contains(pair(int(g), pivot))))
          with_them.insert(int(g));
    EXPECT_EQ(parts, with_them);
    for (const EliminationSchedule::Part& part : stage.parts) carry_out(part, place);
    expect_independent();
    use_meetings(stage);
    // elimination couples all that is left of its groups with each other
    for (const int a : parts)
      for (const int b : parts)
        if (a < b && !waiting_[std::size_t(a)].empty() && !waiting_[std::size_t(b)].empty())
          coupled_.insert({a, b});
  }
  void carry_out(const EliminationSchedule::Part& part, int place) {
    std::set<int>& rows = waiting_[std::size_t(part.group)];
    std::set<int>& acting = acting_[std::size_t(part.group)];
    if (!part.pivots.empty()) {
      // all that is left of a pivot acts on the body of the stage; after the last body, on none
      EXPECT_EQ(acting, place > 0 ? std::set<int>{place} : std::set<int>{});
    }
    for (const int row : part.pivots) {
      EXPECT_EQ(rows.erase(row), 1u) << "row " << row << " of group " << part.group << " is gone";
      solved_.push_back(elimination_.rows[std::size_t(first_row_[std::size_t(part.group)] + row)]);
    }
    EXPECT_EQ(rows, std::set<int>(part.rest.begin(), part.rest.end()));
    if (part.entry >= 0) {
      const EliminationSchedule::Entry& entry = schedule_.entries[std::size_t(part.entry)];
      EXPECT_EQ(entry.group, part.group);
    }
    if (rows.empty())
      acting.clear();
    else if (place > 0)
      acting.insert(place);
  }
  // Eliminated rows, restricted to the dofs that the recursion has passed, are independent: a
  // multiplier is never divided by rounding. The schedule demands 1e-3 of each row.
  void expect_independent() const {
    if (passed_.empty() && solved_.empty()) return;
    ASSERT_FALSE(passed_.empty());
    Eigen::MatrixXd rows = J_(solved_, passed_);
    rows.rowwise().normalize();
    ASSERT_LE(rows.rows(), rows.cols());
    const Eigen::VectorXd singular = singular_values(rows);
    EXPECT_GT(singular[singular.size() - 1], 1e-9);
  }
  void use_meetings(const EliminationSchedule::Stage& stage) {
    const std::size_t n = stage.parts.size();
    EXPECT_EQ(stage.blocks.size(), n * (n + 1) / 2);
    for (const EliminationSchedule::Block& block : stage.blocks) {
      const int a = stage.parts[std::size_t(block.a)].group,
                b = stage.parts[std::size_t(block.b)].group;
      for (const auto& [gain_a, gain_b] : block.meetings)
        EXPECT_EQ(meetings_.erase({a, b, gain_a, gain_b}), 1u) << a << " " << b;
      for (const auto& meeting : meetings_)
        EXPECT_FALSE(std::get<0>(meeting) == a && std::get<1>(meeting) == b) << "left behind";
      if (block.from_stage < 0) continue;
      const EliminationSchedule::Stage& from = schedule_.stages[std::size_t(block.from_stage)];
      EXPECT_EQ(from.parts[std::size_t(block.from_a)].group, a);
      EXPECT_EQ(from.parts[std::size_t(block.from_b)].group, b);
      EXPECT_FALSE(from.parts[std::size_t(block.from_a)].rest.empty());
      EXPECT_FALSE(from.parts[std::size_t(block.from_b)].rest.empty());
    }
  }

  // Rows that act on this body act on its parent from here on.
  void propagate(const EliminationSchedule::Visit& visit) {
    const Body& body = model_.bodies()[std::size_t(visit.body)];
    const int nv = body.v_end - body.v_start;
    std::map<int, int> gain_of;  // group -> first gain
    for (int e = visit.entry_begin; e < visit.entry_end; ++e) {
      const EliminationSchedule::Entry& entry = schedule_.entries[std::size_t(e)];
      EXPECT_TRUE(gain_of.try_emplace(entry.group, entry.gain).second);
      for (int k = 0; k < nv; ++k)
        EXPECT_TRUE(gains_.insert(entry.gain + k).second) << "gain " << entry.gain + k << " twice";
      EXPECT_EQ(entry.inboard < 0, body.parent == 0);
      if (entry.inboard < 0) continue;
      EXPECT_EQ(schedule_.entries[std::size_t(entry.inboard)].group, entry.group);
      EXPECT_EQ(body_of_.at(entry.inboard), body.parent);
      // the first to write there, unless the constraint or a stage acts there itself
      const bool is_first = written_.insert(entry.inboard).second;
      EXPECT_TRUE(is_first || !entry.inboard_is_new);
      if (entry.inboard_is_new) {
        EXPECT_FALSE(acting_[std::size_t(entry.group)].contains(body.parent));
      }
    }
    for (std::size_t g = 0; g < acting_.size(); ++g) {
      EXPECT_EQ(gain_of.contains(int(g)), acting_[g].contains(visit.body)) << "group " << g;
      if (acting_[g].erase(visit.body) > 0 && body.parent > 0) acting_[g].insert(body.parent);
    }
    if (nv == 0) return;
    for (const auto& [a, gain_a] : gain_of)
      for (const auto& [b, gain_b] : gain_of) {
        if (a > b) continue;
        if (a < b) coupled_.insert({a, b});
        for (int k = 0; k < nv; ++k) meetings_.insert({a, b, gain_a + k, gain_b + k});
      }
  }

  static std::pair<int, int> pair(int a, int b) { return std::minmax(a, b); }

  const Model& model_;
  const Eigen::MatrixXd& J_;
  const Elimination& elimination_;
  const EliminationSchedule& schedule_;
  std::vector<std::set<int>> acting_;
  std::vector<std::set<int>> waiting_;  // per group: rows not eliminated yet
  std::vector<int> first_row_;          // per group, in Elimination::rows
  std::vector<int> passed_, solved_;    // dofs, rows of J
  std::map<int, int> body_of_;          // entry -> body
  std::set<int> gains_, written_;
  std::set<std::pair<int, int>> coupled_;
  std::set<std::tuple<int, int, int, int>> meetings_;  // groups, gains
};

// Number of pivots at each place.
std::map<int, int> pivots_at(const EliminationSchedule& schedule) {
  std::map<int, int> out;
  for (const EliminationSchedule::Stage& stage : schedule.stages)
    for (const EliminationSchedule::Part& part : stage.parts)
      out[stage.place] += int(part.pivots.size());
  return out;
}
int ground_stages(const EliminationSchedule& schedule) {
  return int(schedule.stages.size()) - schedule.ground_stage_begin;
}
void rehearse(Mechanism& mechanism, int& count) {
  for (const ConstraintSolver solver : recursive_solvers) {
    const std::optional<Elimination> found = mechanism.eliminate(solver);
    if (!found) continue;
    SCOPED_TRACE(mechanism.model.name() + ", " + to_string(solver));
    Rehearsal(mechanism, *found).run();
    if (solver != ConstraintSolver::automatic) { EXPECT_EQ(found->solver, solver); }
    ++count;
  }
}

TEST(EliminationSchedule, eliminates_every_row_of_the_gallery_once_and_in_time) {
  int count = 0, models = 0;
  for (const GalleryModel& entry : gallery()) {
    Mechanism mechanism(load_model("@" + std::string(entry.name)));
    if (!mechanism.model.has_constraints() || !mechanism.is_assembled) continue;
    ++models;
    rehearse(mechanism, count);
  }
  EXPECT_GT(models, 20);
  EXPECT_GT(count, 2 * models);  // most have one of their own, and all rows at ground
}

class EveryClosedTree : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, EveryClosedTree, testing::Range(1, 1 + how_many(60)));

TEST_P(EveryClosedTree, has_every_row_eliminated_once_and_in_time) {
  const RandomClosedRobot robot(GetParam(), GetParam() % 3 == 0);
  Mechanism mechanism(robot.model, robot.state);
  ASSERT_TRUE(mechanism.is_assembled);
  int count = 0;
  rehearse(mechanism, count);
  // rods and couplings that are redundant have none
  if (GetParam() % 4 != 0) { EXPECT_GE(count, 2); }
}

TEST(EliminationSchedule, of_a_four_bar) {
  Mechanism bar(mechanisms::four_bars(1));
  ASSERT_EQ(bar.basis.rank(), 2);
  ASSERT_EQ(bar.basis.redundant(), 3);
  const std::optional<Elimination> found = bar.eliminate();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->solver, ConstraintSolver::star);
  ASSERT_EQ(found->schedule.groups.size(), 1u);
  EXPECT_EQ(found->schedule.groups[0].kept.size(), 2u);
  EXPECT_EQ(found->schedule.groups[0].watched.size(), 3u);
  // two rows need two of the three dofs behind them: the body of the third one is left, crank or
  // rocker
  ASSERT_EQ(found->schedule.stages.size(), 1u);
  const int place = found->schedule.stages[0].place;
  EXPECT_TRUE(place == bar.body("crank0") || place == bar.body("rocker0")) << place;
  EXPECT_FALSE(bar.eliminate(ConstraintSolver::cluster));  // no body carries the loop
}

// Loops on each other's rockers: each is eliminated at the rocker that carries it, the first one at
// ground.
TEST(EliminationSchedule, of_four_bars_on_each_other) {
  Mechanism bars(mechanisms::four_bars(4));
  ASSERT_EQ(bars.basis.rank(), 8);
  const std::optional<Elimination> cluster = bars.eliminate(ConstraintSolver::cluster);
  ASSERT_TRUE(cluster);
  EXPECT_EQ(pivots_at(cluster->schedule), (std::map<int, int>{{bars.body("rocker0"), 2},
                                                              {bars.body("rocker1"), 2},
                                                              {bars.body("rocker2"), 2},
                                                              {0, 2}}));
  EXPECT_EQ(cluster->schedule.stages.size(), 4u);
  // a star cannot have the carried ones: only the loop on ground has a side of its own
  const std::optional<Elimination> star = bars.eliminate(ConstraintSolver::star);
  ASSERT_TRUE(star);
  EXPECT_EQ(pivots_at(star->schedule), (std::map<int, int>{{bars.body("rocker0"), 2}, {0, 6}}));
  // all rows at ground: the rockers couple them, so that they are one system
  const std::optional<Elimination> schur = bars.eliminate(ConstraintSolver::schur);
  ASSERT_TRUE(schur);
  EXPECT_EQ(pivots_at(schur->schedule), (std::map<int, int>{{0, 8}}));
  EXPECT_EQ(ground_stages(schur->schedule), 1);
}

// Loops that share no body are systems of their own.
TEST(EliminationSchedule, of_four_bars_side_by_side) {
  Mechanism bars(mechanisms::four_bars(3, true));
  const std::optional<Elimination> schur = bars.eliminate(ConstraintSolver::schur);
  ASSERT_TRUE(schur);
  EXPECT_EQ(ground_stages(schur->schedule), 3);
  for (const EliminationSchedule::Stage& stage : schur->schedule.stages) {
    ASSERT_EQ(stage.parts.size(), 1u);
    EXPECT_EQ(stage.parts[0].pivots.size(), 2u);
  }
}

// Three rows of each arm are eliminated at the object, which all of them hold; the three rows that
// stop it out of the plane move no joint of an arm, and remain until the object has been passed.
TEST(EliminationSchedule, of_arms_on_an_object) {
  for (const bool object_first : {true, false})
    for (const int n : {2, 3}) {
      Mechanism arms(mechanisms::planar_arms(n, object_first));
      ASSERT_TRUE(arms.is_assembled);
      ASSERT_EQ(arms.basis.rank(), 3 * n + 3);
      ASSERT_EQ(arms.basis.redundant(), 3 * (n - 1));
      const std::optional<Elimination> found = arms.eliminate();
      ASSERT_TRUE(found);
      EXPECT_EQ(found->solver, ConstraintSolver::star);
      EXPECT_EQ(pivots_at(found->schedule),
                (std::map<int, int>{{arms.body("object"), 3 * n}, {0, 3}}));
    }
}

TEST(EliminationSchedule, of_a_linkage_of_Sarrus) {
  Mechanism linkage(mechanisms::sarrus());
  ASSERT_EQ(linkage.basis.rank(), 4);
  ASSERT_EQ(linkage.basis.redundant(), 1);
  const std::optional<Elimination> found = linkage.eliminate();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->solver, ConstraintSolver::star);
  // four rows need four of the five hinges behind them
  ASSERT_EQ(found->schedule.stages.size(), 1u);
  const int place = found->schedule.stages[0].place;
  EXPECT_TRUE(place == linkage.body("left_shank") || place == linkage.body("right_shank")) << place;
}

// No row of the second hinge is independent: nothing is eliminated, all five rows are monitored.
TEST(EliminationSchedule, of_a_door_on_two_hinges) {
  Mechanism door(mechanisms::door());
  ASSERT_EQ(door.basis.rank(), 0);
  ASSERT_EQ(door.basis.redundant(), 5);
  const std::optional<Elimination> found = door.eliminate();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->solver, ConstraintSolver::schur);
  EXPECT_TRUE(found->schedule.stages.empty());
  EXPECT_TRUE(found->schedule.entries.empty());
  EXPECT_TRUE(found->rows.empty());
  ASSERT_EQ(found->schedule.groups.size(), 1u);
  EXPECT_EQ(found->schedule.groups[0].watched.size(), 5u);
}

// Rows on coordinates: a gear acts on two dofs, a prescribed or locked joint on one.
TEST(EliminationSchedule, of_couplings_and_prescribed_joints) {
  Description bars = mechanisms::four_bars(2, true);
  bars.joints[0].options.drive = Drive::motion;
  bars.joints[4].options.drive = Drive::locked;
  Mechanism driven(bars);
  ASSERT_EQ(driven.basis.rank(), 6);  // no degree of freedom is left
  const std::optional<Elimination> found = driven.eliminate(ConstraintSolver::schur);
  ASSERT_TRUE(found);
  int locked = 0, prescribed = 0;
  for (const EliminationSchedule::RowGroup& group : found->schedule.groups)
    if (group.kind == Kind::dof) (group.is_locked ? locked : prescribed) += 1;
  EXPECT_EQ(locked, 1);
  EXPECT_EQ(prescribed, 1);
  EXPECT_EQ(found->schedule.directs.size(), 2u);
  EXPECT_EQ(ground_stages(found->schedule), 2);  // one per four-bar, with its joint

  Description gears = mechanisms::four_bars(2, true);
  gears.couplings.push_back(
      {.name = "gears", .terms = {{"motor0", 1.0}, {"motor1", -2.0}}, .offset = -1.1});
  Mechanism geared(gears);
  ASSERT_EQ(geared.basis.rank(), 5);
  const std::optional<Elimination> together = geared.eliminate(ConstraintSolver::schur);
  ASSERT_TRUE(together);
  EXPECT_EQ(together->schedule.directs.size(), 2u);
  EXPECT_EQ(ground_stages(together->schedule), 1);  // the gear couples the loops
}

}  // namespace
}  // namespace trammel::elimination_schedule_test
