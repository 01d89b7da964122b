// Partition of a mechanism into pieces that share no joint and no constraint: whole trees on ground
// and the row groups on them. Passes over different pieces are independent. The partition depends
// on the schedule alone; a small mechanism, or one that is connected, is one piece.
#pragma once

#include <numeric>
#include <vector>

#include "trammel/dynamics/kernel/loops/elimination_schedule.hpp"
#include "trammel/model/tree_partition.hpp"

namespace trammel::kernel {

struct SchedulePiece {
  std::vector<BodyRun> bodies;  // outward
  std::vector<int> groups;
  std::vector<int> visits;         // indices in EliminationSchedule::inward
  std::vector<int> ground_stages;  // in the order of elimination
};

class SchedulePartition {
 public:
  SchedulePartition(const Model& model, const EliminationSchedule& schedule)
      : root_(model.bodies().size() + schedule.groups.size()), n_(int(model.bodies().size())) {
    std::iota(root_.begin(), root_.end(), 0);
    connect(model, schedule);
    place();
    for (int i = 1; i < n_; ++i) append(i, piece_of(i).bodies);
    for (int b = 0; b < int(schedule.groups.size()); ++b) piece_of(n_ + b).groups.push_back(b);
    for (int k = 0; k < int(schedule.inward.size()); ++k)
      piece_of(schedule.inward[k].body).visits.push_back(k);
    for (int s = schedule.ground_stage_begin; s < int(schedule.stages.size()); ++s)
      if (!schedule.stages[s].parts.empty())
        piece_of(n_ + schedule.stages[s].parts[0].group).ground_stages.push_back(s);
  }
  std::vector<SchedulePiece> pieces;

 private:
  // nodes: bodies, then row groups
  int find(int k) {
    while (root_[k] != k) k = root_[k] = root_[root_[k]];
    return k;
  }
  void unite(int a, int b) {
    const int x = find(a), y = find(b);
    root_[std::max(x, y)] = std::min(x, y);  // the first body
  }
  SchedulePiece& piece_of(int node) { return pieces[piece_[find(node)]]; }

  void connect(const Model& model, const EliminationSchedule& schedule) {
    for (int i = 1; i < n_; ++i)
      if (const int parent = model.bodies()[i].parent; parent > 0) unite(i, parent);
    const auto join_stage = [&](int s, int body) {
      const EliminationSchedule::Stage& stage = schedule.stages[s];
      for (const EliminationSchedule::Part& part : stage.parts)
        unite(body > 0 ? body : n_ + stage.parts[0].group, n_ + part.group);
    };
    for (const EliminationSchedule::Visit& visit : schedule.inward) {
      for (int e = visit.entry_begin; e < visit.entry_end; ++e)
        unite(visit.body, n_ + schedule.entries[e].group);
      for (int s = visit.stage_begin; s < visit.stage_end; ++s) join_stage(s, visit.body);
    }
    for (int s = schedule.ground_stage_begin; s < int(schedule.stages.size()); ++s)
      join_stage(s, 0);
    for (int b = 0; b < int(schedule.groups.size()); ++b) {
      const EliminationSchedule::RowGroup& group = schedule.groups[b];
      for (const int body : {group.child, group.parent})
        if (body > 0) unite(body, n_ + b);
      for (const auto& [body, entry] : group.ends)
        if (body > 0) unite(body, n_ + b);
    }
  }

  // Consecutive components, up to the size of a piece.
  void place() {
    piece_.assign(root_.size(), 0);
    std::vector<int> size(root_.size(), 0);
    for (int k = 1; k < int(root_.size()); ++k) ++size[find(k)];
    const int most = n_ < fewest_divided ? int(root_.size()) : bodies_of_piece(n_);
    int filled = 0;
    for (int k = 1; k < int(root_.size()); ++k) {
      if (find(k) != k) continue;
      if (pieces.empty() || filled + size[k] > most) pieces.emplace_back(), filled = 0;
      filled += size[k];
      piece_[k] = int(pieces.size()) - 1;
    }
    if (pieces.empty()) pieces.emplace_back();
  }

  std::vector<int> root_, piece_;
  int n_;
};

}  // namespace trammel::kernel
