#include "trammel/constraint/solver/elimination_schedule.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "trammel/constraint/solver/passed_rows.hpp"
#include "trammel/constraint/solver/row_groups.hpp"
#include "trammel/model/body_of_dof.hpp"

namespace trammel {

namespace {

using kernel::EliminationSchedule;

// Least independent part of a row, relative to its norm, to eliminate it before the end: its
// multiplier then stays accurate at other poses too.
constexpr double strong = 1e-3;

class EliminationScheduler {
 public:
  EliminationScheduler(const Model& model, const RowBasis& chosen, const SparseRows& J,
                       ConstraintSolver solver)
      : model_(model),
        solver_(solver),
        passed_(J, chosen.rows),
        groups_at_(model.bodies().size()) {}

  // None if the recursion cannot take the row groups, or has no stage of the requested kind.
  std::optional<Elimination> make(RowGroups groups) {
    out_.rows = std::move(groups.in_J);
    out_.given = std::move(groups.given);
    schedule().groups = std::move(groups.groups);
    groups_ = std::move(groups.rows);
    coupled_.resize(groups_.size());
    order_bodies();
    for (const int i : order_) visit(i);
    finish();
    out_.solver = n_star_ + n_cluster_ == 0 ? ConstraintSolver::schur
                  : n_star_ >= n_cluster_   ? ConstraintSolver::star
                                            : ConstraintSolver::cluster;
    if (solver_ != ConstraintSolver::automatic && solver_ != out_.solver) return std::nullopt;
    return std::move(out_);
  }

 private:
  EliminationSchedule& schedule() { return out_.schedule; }
  int parent(int body) const { return model_.bodies()[std::size_t(body)].parent; }

  // Trees with many constraints come last: the remaining rows of the others accumulate there.
  void order_bodies() {
    const int n = int(model_.bodies().size());
    std::vector<int> root(static_cast<std::size_t>(n)), load(static_cast<std::size_t>(n));
    for (int i = 1; i < n; ++i)
      root[std::size_t(i)] = parent(i) == 0 ? i : root[std::size_t(parent(i))];
    for (const GroupRows& rows : groups_)
      for (const int body : rows.ends) ++load[std::size_t(root[std::size_t(body)])];
    std::vector<int> roots;
    for (int i = n - 1; i > 0; --i)
      if (parent(i) == 0) roots.push_back(i);
    std::ranges::stable_sort(
        roots, [&](int a, int b) { return load[std::size_t(a)] < load[std::size_t(b)]; });
    std::vector<std::vector<int>> trees(static_cast<std::size_t>(n));
    for (int i = n - 1; i > 0; --i) trees[std::size_t(root[std::size_t(i)])].push_back(i);
    for (const int r : roots)
      order_.insert(order_.end(), trees[std::size_t(r)].begin(), trees[std::size_t(r)].end());

    for (std::size_t b = 0; b < groups_.size(); ++b) {
      GroupRows& rows = groups_[b];
      if (rows.in_J.empty()) continue;
      for (const int body : rows.ends) entry_for(int(b), body);
      for (const auto& [dof, factor] : rows.directs) begin_at(int(b), dof, factor);
      EliminationSchedule::RowGroup& group = schedule().groups[b];
      if (group.kind == EliminationSchedule::ConstraintKind::given)
        for (const int body : rows.ends) group.ends.emplace_back(body, rows.entry_at.at(body));
      if (group.child > 0) group.child_entry = rows.entry_at.at(group.child);
      if (group.parent > 0) group.parent_entry = rows.entry_at.at(group.parent);
    }
  }
  // Entry of a row group at a body, created if there is none.
  int entry_for(int group, int body) {
    GroupRows& rows = groups_[std::size_t(group)];
    const auto [at, is_new] = rows.entry_at.try_emplace(body, int(entries_.size()));
    if (is_new) {
      entries_.emplace_back();
      entries_.back().group = group;
      groups_at_[std::size_t(body)].push_back(group);
    }
    return at->second;
  }

  // A row on coordinates (coupling, prescribed joint) starts at the bodies of its dofs.
  void begin_at(int group, int dof, int factor) {
    const int i = body_of_dof(model_, dof);
    Entry& entry = entries_[std::size_t(entry_for(group, i))];
    entry.is_new = true;
    entry.directs.emplace_back(dof - model_.bodies()[std::size_t(i)].v_start, factor);
  }

  void visit(int i) {
    EliminationSchedule::Visit visit{.body = i};
    const Body& body = model_.bodies()[std::size_t(i)];
    visit.stage_begin = int(schedule().stages.size());
    if (solver_ != ConstraintSolver::schur) solve_at(i);
    visit.stage_end = int(schedule().stages.size());

    // the remaining rows get gains at the dofs of this body, couple there, and are propagated
    // inward
    const std::vector<int> here = waiting_at(i);
    for (const int b : here) {
      Entry& entry = entries_[std::size_t(groups_[std::size_t(b)].entry_at.at(i))];
      entry.is_propagated = true;
      entry.gain = gains_;
      gains_ += body.v_end - body.v_start;
    }
    for (const int a : here)
      for (const int b : here)
        if (a <= b) {
          couple(a, b);
          for (int k = 0; k < body.v_end - body.v_start; ++k)
            meetings_[{a, b}].push_back(
                {entries_[std::size_t(groups_[std::size_t(a)].entry_at.at(i))].gain + k,
                 entries_[std::size_t(groups_[std::size_t(b)].entry_at.at(i))].gain + k});
        }
    for (const int b : here) {
      GroupRows& rows = groups_[std::size_t(b)];
      const int from = rows.entry_at.at(i);
      rows.entry_at.erase(i);
      if (parent(i) > 0) {
        const bool is_new = !rows.entry_at.contains(parent(i));
        const int to = entry_for(b, parent(i));
        entries_[std::size_t(from)].inboard = to;
        entries_[std::size_t(from)].inboard_is_new = is_new;
      }
      visit_entries_.push_back(from);
    }
    visit.entry_begin = entry_count_;
    entry_count_ += int(here.size());
    visit.entry_end = entry_count_;
    schedule().inward.push_back(visit);
    for (int f = body.v_start; f < body.v_end; ++f) passed_.pass(f);
  }

  // Groups with rows left that act on a body, ascending.
  std::vector<int> waiting_at(int body) {
    std::vector<int>& all = groups_at_[std::size_t(body)];
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::vector<int> here;
    for (const int b : all)
      if (!groups_[std::size_t(b)].waiting.empty() &&
          groups_[std::size_t(b)].entry_at.contains(body))
        here.push_back(b);
    return here;
  }
  void couple(int a, int b) {
    coupled_[std::size_t(a)].insert(b);
    coupled_[std::size_t(b)].insert(a);
  }

  bool is_ancestor(int body, int of) const {
    while (of > body) of = parent(of);
    return of == body;
  }

  // Eliminates rows that act on this body only, and not directly on its joint, which is factored
  // later.
  void solve_at(int i) {
    std::vector<int> ready;
    for (const int b : waiting_at(i)) {
      const GroupRows& rows = groups_[std::size_t(b)];
      if (rows.entry_at.size() == 1 && entries_[std::size_t(rows.entry_at.at(i))].directs.empty())
        ready.push_back(b);
    }
    if (ready.empty()) return;
    std::map<int, std::vector<int>> pivots;
    for (const int b : ready) {
      const GroupRows& rows = groups_[std::size_t(b)];
      const bool is_carried =
          std::ranges::all_of(rows.ends, [&](int end) { return is_ancestor(i, end); });
      if (rows.directs.empty() &&
          solver_ == (is_carried ? ConstraintSolver::star : ConstraintSolver::cluster))
        continue;
      std::vector<int> found = strong_rows(rows);
      // eliminating a part of a constraint pays only if several constraints wait at the same body
      if (found.size() < rows.waiting.size() && (is_carried || ready.size() < 2)) continue;
      if (found.empty()) continue;
      for (const int row : found) passed_.eliminate(rows.in_J[std::size_t(row)]);
      if (rows.directs.empty()) (is_carried ? n_cluster_ : n_star_) += int(found.size());
      pivots[b] = std::move(found);
    }
    // one stage per constraint: uncoupled arms are small systems, not one large system
    for (const auto& [b, rows] : pivots) add_stage(i, {{b, rows}});
  }

  // Waiting rows of a group that are independent of each other and of all eliminated rows on the
  // passed dofs.
  std::vector<int> strong_rows(const GroupRows& rows) {
    std::vector<int> candidates, found;
    for (const int row : rows.waiting) candidates.push_back(rows.in_J[std::size_t(row)]);
    for (const int k : passed_.independent(candidates, strong))
      found.push_back(rows.waiting[std::size_t(k)]);
    return found;
  }

  void finish() {
    schedule().ground_stage_begin = int(schedule().stages.size());
    // one stage per set of coupled groups
    for (int b = int(groups_.size()) - 1; b >= 0; --b) {
      if (groups_[std::size_t(b)].waiting.empty()) continue;
      std::vector<int> coupled{b};
      std::set<int> is_found{b};
      for (std::size_t k = 0; k < coupled.size(); ++k)
        for (const int other : coupled_[std::size_t(coupled[k])])
          if (!groups_[std::size_t(other)].waiting.empty() && are_coupled(coupled[k], other) &&
              is_found.insert(other).second)
            coupled.push_back(other);
      std::map<int, std::vector<int>> pivots;
      for (const int one : coupled) pivots[one] = groups_[std::size_t(one)].waiting;
      add_stage(0, pivots);
    }
    // entries that are propagated, in the order of the visits; then those where a group only
    // arrives
    std::vector<int> place(entries_.size(), -1);
    std::vector<int> in_order = visit_entries_;
    for (std::size_t e = 0; e < entries_.size(); ++e)
      if (!entries_[e].is_propagated) in_order.push_back(int(e));
    for (std::size_t k = 0; k < in_order.size(); ++k) place[std::size_t(in_order[k])] = int(k);
    const auto placed = [&](int entry) { return entry < 0 ? -1 : place[std::size_t(entry)]; };
    for (const int e : in_order) {
      const Entry& entry = entries_[std::size_t(e)];
      EliminationSchedule::Entry written{.group = entry.group,
                                         .inboard = placed(entry.inboard),
                                         .inboard_is_new = entry.inboard_is_new,
                                         .is_new = entry.is_new,
                                         .gain = entry.is_propagated ? entry.gain : gains_};
      written.direct_begin = int(schedule().directs.size());
      for (const auto& [k, factor] : entry.directs)
        schedule().directs.push_back({written.gain + k, factor});
      written.direct_end = int(schedule().directs.size());
      schedule().entries.push_back(written);
    }
    for (EliminationSchedule::RowGroup& group : schedule().groups) {
      group.child_entry = placed(group.child_entry);
      group.parent_entry = placed(group.parent_entry);
      for (auto& [body, entry] : group.ends) entry = placed(entry);
    }
    for (EliminationSchedule::Stage& stage : schedule().stages)
      for (EliminationSchedule::Part& part : stage.parts) part.entry = placed(part.entry);
    schedule().gains = gains_;
  }

  bool are_coupled(int a, int b) const {
    const auto pair = std::minmax(a, b);
    const auto found = meetings_.find(pair);
    return (found != meetings_.end() && !found->second.empty()) || left_by_.contains(pair);
  }

  void add_stage(int place, const std::map<int, std::vector<int>>& pivots) {
    std::set<int> taking_part;
    for (const auto& [b, rows] : pivots) taking_part.insert(b);
    // groups coupled to the pivots are updated with them
    for (const auto& [b, rows] : pivots)
      for (const int other : coupled_[std::size_t(b)])
        if (!groups_[std::size_t(other)].waiting.empty() && are_coupled(b, other))
          taking_part.insert(other);

    const int stage_index = int(schedule().stages.size());
    EliminationSchedule::Stage stage{.place = place, .parts = {}, .blocks = {}};
    const std::vector<int> parts(taking_part.begin(), taking_part.end());
    for (const int b : parts) {
      GroupRows& rows = groups_[std::size_t(b)];
      EliminationSchedule::Part part{.group = b, .entry = -1, .pivots = {}, .rest = {}};
      if (const auto solved = pivots.find(b); solved != pivots.end()) part.pivots = solved->second;
      for (const int row : rows.waiting)
        if (std::ranges::find(part.pivots, row) == part.pivots.end()) part.rest.push_back(row);
      if (place > 0) {
        const bool is_new = !rows.entry_at.contains(place);
        if (!is_new || !part.rest.empty()) part.entry = entry_for(b, place);
        if (is_new && part.entry >= 0) entries_[std::size_t(part.entry)].is_new = true;
      }
      rows.waiting = part.rest;
      if (rows.waiting.empty()) rows.entry_at.clear();
      stage.parts.push_back(std::move(part));
    }
    for (std::size_t a = 0; a < parts.size(); ++a)
      for (std::size_t b = a; b < parts.size(); ++b) {
        const std::pair<int, int> pair{parts[a], parts[b]};
        EliminationSchedule::Block block{.a = int(a), .b = int(b), .meetings = {}};
        if (const auto found = meetings_.find(pair); found != meetings_.end()) {
          block.meetings = std::move(found->second);
          meetings_.erase(found);
        }
        if (const auto before = left_by_.find(pair); before != left_by_.end()) {
          const EliminationSchedule::Stage& from = schedule().stages[std::size_t(before->second)];
          block.from_stage = before->second;
          for (std::size_t p = 0; p < from.parts.size(); ++p) {
            if (from.parts[p].group == pair.first) block.from_a = int(p);
            if (from.parts[p].group == pair.second) block.from_b = int(p);
          }
          left_by_.erase(before);
        }
        if (!stage.parts[a].rest.empty() && !stage.parts[b].rest.empty())
          couple(parts[a], parts[b]), left_by_[pair] = stage_index;
        stage.blocks.push_back(std::move(block));
      }
    schedule().stages.push_back(std::move(stage));
  }

  struct Entry {
    int group = 0, inboard = -1, gain = 0;
    bool inboard_is_new = false, is_new = false, is_propagated = false;
    std::vector<std::pair<int, int>> directs;  // dof within the body, factor
  };

  const Model& model_;
  ConstraintSolver solver_;
  PassedRows passed_;
  Elimination out_;
  std::vector<GroupRows> groups_;
  std::vector<Entry> entries_;
  std::vector<int> order_, visit_entries_;
  std::vector<std::vector<int>> groups_at_;  // per body: groups that have or had an entry there
  std::vector<std::set<int>> coupled_;       // per group: groups that are or were coupled to it
  // per pair of groups: gains at common dofs that no stage has used yet, and the last stage that
  // left rows of both
  std::map<std::pair<int, int>, std::vector<EliminationSchedule::Meeting>> meetings_;
  std::map<std::pair<int, int>, int> left_by_;
  int gains_ = 0, entry_count_ = 0, n_star_ = 0, n_cluster_ = 0;
};

}  // namespace

std::optional<Elimination> eliminate_rows(const Model& model, const RowBasis& chosen,
                                          const SparseRows& J, ConstraintSolver solver) {
  std::optional<RowGroups> groups = row_groups(model, chosen, J.rows());
  if (!groups) return std::nullopt;
  return EliminationScheduler(model, chosen, J, solver).make(std::move(*groups));
}

}  // namespace trammel
