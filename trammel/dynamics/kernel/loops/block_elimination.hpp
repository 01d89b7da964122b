// Elimination stage of many row groups of which few are coupled: block sparse L D L^T.
//
// Arms that meet pairwise (a ladder: cranks on the ground, couplers between neighbors) leave one
// large stage on ground, whose matrix L has a block per pair of groups that act on a common joint.
// The groups are eliminated in the order of minimum degree [George, Liu 1989]; each keeps a panel
// of its rows in the columns of itself and of its later neighbors, fill included. Cost: the sum of
// rows times width^2 over the panels, linear in the number of groups of a ladder. L is positive
// definite for independent rows, so that any order is stable.
#pragma once

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "trammel/dynamics/kernel/loops/row_updates.hpp"

namespace trammel::kernel {

// Order and fill of a stage, in parts.
struct BlockPattern {
  std::vector<int> order;                   // parts, in the order of elimination
  std::vector<std::vector<int>> neighbors;  // per part: later parts its panel has columns of

  explicit BlockPattern(const EliminationSchedule::Stage& stage) : neighbors(stage.parts.size()) {
    std::vector<std::set<int>> graph(stage.parts.size());
    for (const EliminationSchedule::Block& block : stage.blocks)
      if (block.a != block.b && !block.meetings.empty()) {
        graph[std::size_t(block.a)].insert(block.b);
        graph[std::size_t(block.b)].insert(block.a);
      }
    std::set<std::pair<std::size_t, int>> by_degree;
    for (int p = 0; p < int(graph.size()); ++p) by_degree.emplace(graph[std::size_t(p)].size(), p);
    while (!by_degree.empty()) {
      const int p = by_degree.begin()->second;
      by_degree.erase(by_degree.begin());
      order.push_back(p);
      const std::set<int> around = std::move(graph[std::size_t(p)]);
      for (const int one : around) {
        std::set<int>& of_one = graph[std::size_t(one)];
        by_degree.erase({of_one.size(), one});
        of_one.erase(p);
        for (const int other : around)
          if (other != one) of_one.insert(other);
        by_degree.emplace(of_one.size(), one);
      }
      neighbors[std::size_t(p)].assign(around.begin(), around.end());
    }
    std::vector<int> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) place[std::size_t(order[k])] = int(k);
    for (std::vector<int>& later : neighbors)
      std::ranges::sort(later, {}, [&](int p) { return place[std::size_t(p)]; });
  }
  // Number of blocks of the panels, relative to those of a full matrix.
  double density() const {
    double blocks = 0;
    for (const std::vector<int>& later : neighbors) blocks += 1.0 + double(later.size());
    const double n = double(order.size());
    return blocks / (0.5 * n * (n + 1));
  }
};

template <Scalar S> class BlockElimination {
 public:
  // Stages that leave no rows and take none over, and in which at most half of the pairs of groups
  // are coupled.
  static bool pays(const EliminationSchedule::Stage& stage) {
    if (stage.parts.size() < few) return false;
    for (const EliminationSchedule::Part& part : stage.parts)
      if (!part.rest.empty()) return false;
    for (const EliminationSchedule::Block& block : stage.blocks)
      if (block.from_stage >= 0) return false;
    return BlockPattern(stage).density() <= 0.5;
  }

  BlockElimination(const EliminationSchedule& schedule, const EliminationSchedule::Stage& stage,
                   const PropagatedRows<S>& rows)
      : stage_(stage), panels_(stage.parts.size()) {
    const BlockPattern pattern(stage);
    order_ = pattern.order;
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      Panel& panel = panels_[p];
      panel.group = stage.parts[p].group;
      panel.rows = schedule.groups[std::size_t(panel.group)].rows;
      panel.columns = rows.registers(panel.group) * lanes;
    }
    int numbers = 0, values = 0;
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      Panel& panel = panels_[p];
      int column = panel.columns;
      for (const int later : pattern.neighbors[p]) {
        panel.neighbors.push_back({later, column, {}});
        column += panels_[std::size_t(later)].columns;
      }
      panel.z_column = column;
      panel.width = column + z_width;
      panel.start = numbers;
      panel.first = values;
      numbers += panel.rows * panel.width;
      values += panel.rows;
    }
    // where the neighbors' columns lie in each other's panels
    for (Panel& panel : panels_)
      for (std::size_t c = 0; c < panel.neighbors.size(); ++c)
        for (std::size_t d = c; d < panel.neighbors.size(); ++d)
          panel.neighbors[c].targets.push_back(
              column_of(panel.neighbors[c].part, panel.neighbors[d].part));
    matrix_.resize(std::size_t(numbers));
    inverse_.resize(std::size_t(values));
    diagonal_.resize(std::size_t(values));
  }

  // As RowStages::eliminate, and RowStages::recover.
  [[nodiscard]] LaneMask<S> eliminate(PropagatedRows<S>& rows, ArticulatedInertia<S>& I,
                                      Force<S>& F) {
    std::fill(matrix_.begin(), matrix_.end(), S(0.0));
    for (const EliminationSchedule::Block& block : stage_.blocks)
      if (!block.meetings.empty()) couple(block, rows);
    for (std::size_t p = 0; p < panels_.size(); ++p) load(int(p), rows);
    LaneMask<S> is_weak_somewhere(false);
    for (const int p : order_) {
      const Panel& panel = panels_[std::size_t(p)];
      S* const block = matrix_.data() + panel.start;
      for (int k = 0; k < panel.rows; ++k) {
        const S* const row = block + k * panel.width;
        is_weak_somewhere |= !(row[k] > weakest_row * diagonal_[std::size_t(panel.first + k)]);
        const S inverse = S(1.0) / row[k];
        inverse_[std::size_t(panel.first + k)] = inverse;
        for (int j = k + 1; j < panel.rows; ++j)
          subtract_row<S>(row[j] * inverse, row, block + j * panel.width, panel.width);
        for (std::size_t c = 0; c < panel.neighbors.size(); ++c) reduce(panel, row, inverse, c);
        if (stage_.place > 0) absorb_row<S>(row + panel.z_column, inverse, I, F);
      }
    }
    return is_weak_somewhere;
  }

  void recover(PropagatedRows<S>& rows, const Motion<S>& x) {
    for (const Panel& panel : panels_)
      std::fill_n(rows.multipliers(panel.group), panel.columns, S(0.0));
    S right_side[z_width] = {x.angular.x, x.angular.y, x.angular.z, x.linear.x,
                             x.linear.y,  x.linear.z,  S(1.0)};
    for (auto p = order_.rbegin(); p != order_.rend(); ++p) {
      const Panel& panel = panels_[std::size_t(*p)];
      S* const own = rows.multipliers(panel.group);
      for (int k = panel.rows; k-- > 0;) {
        const S* const row = matrix_.data() + panel.start + k * panel.width;
        R sum{};
        add_product(row, own, panel.columns, sum);
        for (const Neighbor& later : panel.neighbors) {
          const Panel& other = panels_[std::size_t(later.part)];
          add_product(row + later.column, rows.multipliers(other.group), other.columns, sum);
        }
        add_product(row + panel.z_column, right_side, z_width, sum);
        own[k] = -(inverse_[std::size_t(panel.first + k)] * sum_of_rows<S>(sum));
      }
    }
  }

 private:
  using Register = RowRegister<S>;
  using R = typename Register::Type;
  static constexpr int lanes = Register::rows;
  static constexpr int z_width = (7 + lanes - 1) / lanes * lanes;
  static constexpr std::size_t few = 6;  // parts of a stage: a full matrix is as fast

  struct Neighbor {
    int part = 0, column = 0;  // column of its first row in the panel
    std::vector<int> targets;  // columns of this and the later neighbors in its own panel
  };
  struct Panel {
    int group = 0, rows = 0, columns = 0;  // columns: rows, padded to whole registers
    int z_column = 0, width = 0, start = 0, first = 0;
    std::vector<Neighbor> neighbors;
  };

  // Column of a part in the panel of another one, which is eliminated before it; 0: its own.
  int column_of(int panel, int part) const {
    if (panel == part) return 0;
    for (const Neighbor& later : panels_[std::size_t(panel)].neighbors)
      if (later.part == part) return later.column;
    return -1;
  }
  static void add_product(const S* a, const S* b, int width, R& sum) {
    for (int c = 0; c < width; c += lanes) sum += Register::load(a + c) * Register::load(b + c);
  }

  // Subtracts a pivot row from the rows of one later neighbor.
  void reduce(const Panel& panel, const S* row, const S& inverse, std::size_t c) {
    const Neighbor& later = panel.neighbors[c];
    const Panel& to = panels_[std::size_t(later.part)];
    for (int i = 0; i < to.rows; ++i) {
      const S factor = row[later.column + i] * inverse;
      S* const target = matrix_.data() + to.start + i * to.width;
      for (std::size_t d = c; d < panel.neighbors.size(); ++d) {
        const Neighbor& other = panel.neighbors[d];
        subtract_row<S>(factor, row + other.column, target + later.targets[d - c],
                        panels_[std::size_t(other.part)].columns);
      }
      subtract_row<S>(factor, row + panel.z_column, target + to.z_column, z_width);
    }
  }

  // L of two row groups: the sum of g g^T / D over the degrees of freedom on which both act.
  void couple(const EliminationSchedule::Block& block, const PropagatedRows<S>& rows) {
    int a = block.a, b = block.b, column = column_of(a, b);
    const bool is_turned = column < 0;
    if (is_turned) std::swap(a, b), column = column_of(a, b);
    const Panel &of = panels_[std::size_t(a)], &with = panels_[std::size_t(b)];
    for (int i = 0; i < of.rows; ++i) {
      S* const row = matrix_.data() + of.start + i * of.width + column;
      for (const auto& [gain_a, gain_b] : block.meetings) {
        const R scaled(rows.scaled(is_turned ? gain_b : gain_a)[i]);
        const S* const gains = rows.gains(is_turned ? gain_a : gain_b);
        for (int c = 0; c < with.columns; c += lanes)
          Register::store(Register::load(row + c) + scaled * Register::load(gains + c), row + c);
      }
    }
  }

  void load(int p, PropagatedRows<S>& rows) {
    const Panel& panel = panels_[std::size_t(p)];
    const S* const bias = rows.bias(panel.group);
    const S* const measures = rows.measures(panel.group);
    S* const block = matrix_.data() + panel.start;
    for (int k = 0; k < panel.rows; ++k) {
      block[k * panel.width + panel.z_column + 6] = bias[k];
      diagonal_[std::size_t(panel.first + k)] = block[k * panel.width + k] + measures[k];
    }
    const int entry = stage_.parts[std::size_t(p)].entry;
    if (entry < 0) return;
    for (int r = 0; r * lanes < panel.rows; ++r) {
      const auto& [m, f] = rows.wrenches(entry)[r];
      const R* components[6] = {&m.x, &m.y, &m.z, &f.x, &f.y, &f.z};
      for (int c = 0; c < 6; ++c) {
        S numbers[lanes];
        Register::store(*components[c], numbers);
        for (int k = r * lanes; k < std::min(panel.rows, (r + 1) * lanes); ++k)
          block[k * panel.width + panel.z_column + c] = numbers[k - r * lanes];
      }
    }
  }

  const EliminationSchedule::Stage& stage_;
  std::vector<Panel> panels_;  // per part
  std::vector<int> order_;
  std::vector<S> matrix_, inverse_, diagonal_;
};

}  // namespace trammel::kernel
