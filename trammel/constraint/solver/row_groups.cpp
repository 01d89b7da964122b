#include "trammel/constraint/solver/row_groups.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace trammel {

namespace {

using kernel::EliminationSchedule;

class RowGrouping {
 public:
  RowGrouping(const Model& model, const RowBasis& basis, int count)
      : model_(model), is_kept_(std::size_t(count), false) {
    for (const int row : basis.rows) is_kept_[std::size_t(row)] = true;
  }

  std::optional<RowGroups> make() {
    if (!make_groups()) return std::nullopt;
    return std::move(out_);
  }

 private:
  static EliminationSchedule::RowGroup group_of(EliminationSchedule::ConstraintKind kind,
                                                int which) {
    EliminationSchedule::RowGroup group;
    group.kind = kind;
    group.which = which;
    return group;
  }
  // One row group per constraint, in the order of the rows.
  bool make_groups() {
    for (const Block& block : constraint_blocks(model_))
      if (!std::visit([&](const auto& b) { return add_block(b); }, block)) return false;
    return row_ == int(is_kept_.size());
  }

  // Every kind: ConstraintRows evaluates the rows, the recursion takes them as given.
  template <ConstraintBlock B> bool add_block(const B& block) {
    std::vector<DirectDof> directs;
    if constexpr (requires { block.directs(model_); }) directs = block.directs(model_);
    add_given(int(block.rows(model_).size()), block.bodies(model_), directs);
    return true;
  }
  // For speed: the recursion evaluates the rows of these kinds itself. False: it cannot, because it
  // would have to monitor a redundant row.
  bool add_block(const LoopJointBlock& block) {
    const Closure& closure = model_.closures()[std::size_t(block.closure)];
    const std::optional<FixedRows> fixed = fixed_rows(closure.joint);
    if (!fixed) return add_block<LoopJointBlock>(block);
    EliminationSchedule::RowGroup group =
        group_of(EliminationSchedule::ConstraintKind::closure, block.closure);
    group.alignment = fixed->alignment;
    for (std::size_t k = 0; k < fixed->row.size(); ++k)
      (is_kept_[std::size_t(row_) + k] ? group.kept : group.watched).push_back(fixed->row[k]);
    GroupRows rows;
    set_ends(closure.parent, closure.child, rows, group);
    keep(int(fixed->row.size()), rows, group);
    return true;
  }
  bool add_block(const DistanceBlock& block) {
    if (!is_kept_[std::size_t(row_)]) return false;
    const Rod& rod = model_.rods()[std::size_t(block.rod)];
    EliminationSchedule::RowGroup group =
        group_of(EliminationSchedule::ConstraintKind::rod, block.rod);
    GroupRows rows;
    set_ends(rod.parent, rod.child, rows, group);
    keep(1, rows, group);
    return true;
  }
  bool add_block(const CouplingBlock& block) {
    if (!is_kept_[std::size_t(row_)]) return false;
    if (!block.bodies(model_).empty()) return add_block<CouplingBlock>(block);
    EliminationSchedule::RowGroup group =
        group_of(EliminationSchedule::ConstraintKind::coupling, block.coupling);
    GroupRows rows;
    rows.directs = block.directs(model_);
    keep(1, rows, group);
    return true;
  }
  bool add_block(const PrescribedDofBlock& block) {
    if (!is_kept_[std::size_t(row_)]) return false;
    EliminationSchedule::RowGroup group =
        group_of(EliminationSchedule::ConstraintKind::dof, block.dof);
    group.is_locked = model_.prescription(block.dof) == Drive::locked;
    GroupRows rows;
    rows.directs = block.directs(model_);
    keep(1, rows, group);
    return true;
  }
  void keep(int count, GroupRows& rows, EliminationSchedule::RowGroup& group) {
    for (int k = 0; k < count; ++k)
      if (is_kept_[std::size_t(row_ + k)]) rows.in_J.push_back(row_ + k);
    row_ += count;
    add(rows, group);
  }
  // Adds rows of the kind `given`, which ConstraintRows evaluates.
  void add_given(int count, const std::vector<BodyId>& ends,
                 const std::vector<DirectDof>& directs) {
    GroupRows rows;
    rows.directs = directs;
    EliminationSchedule::RowGroup group = group_of(EliminationSchedule::ConstraintKind::given, 0);
    for (const BodyId end : ends)
      if (const int body = model_[end].tree_body;
          body > 0 && std::ranges::find(rows.ends, body) == rows.ends.end())
        rows.ends.push_back(body);
    std::vector<int> watched;
    for (int row = row_; row < row_ + count; ++row)
      (is_kept_[std::size_t(row)] ? rows.in_J : watched).push_back(row);
    const int which = int(out_.groups.size());
    int of_group = 0;
    for (const std::vector<int>* list : {&rows.in_J, &watched})
      for (const int row : *list) out_.given.push_back({row, which, of_group++});
    row_ += count;
    add(rows, group);
  }
  void add(GroupRows& rows, EliminationSchedule::RowGroup& group) {
    group.rows = int(rows.in_J.size());
    rows.waiting.resize(rows.in_J.size());
    std::iota(rows.waiting.begin(), rows.waiting.end(), 0);
    out_.in_J.insert(out_.in_J.end(), rows.in_J.begin(), rows.in_J.end());
    out_.rows.push_back(rows);
    out_.groups.push_back(group);
  }
  void set_ends(BodyId from, BodyId to, GroupRows& rows,
                EliminationSchedule::RowGroup& group) const {
    group.parent = model_[from].tree_body;
    group.child = model_[to].tree_body;
    for (const int body : {group.child, group.parent})
      if (body > 0) rows.ends.push_back(body);
  }

  const Model& model_;
  int row_ = 0;  // first row of the next block
  std::vector<bool> is_kept_;
  RowGroups out_;
};

}  // namespace

std::optional<RowGroups> row_groups(const Model& model, const RowBasis& basis, int count) {
  return RowGrouping(model, basis, count).make();
}

}  // namespace trammel
