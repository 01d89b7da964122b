// Elimination stages of the propagated rows [Vereshchagin 1974; closed_dynamics.hpp]: small
// symmetric systems for Lagrange multipliers, each at one body.
//
// At a body with acceleration x (relative to a = 0) its pending rows read  b + Z^T x + L lambda =
// 0,  and the force on it is  I x + F - Z lambda. Eliminated rows turn I and F into
//   I + Z L^-1 Z^T  and  F + Z L^-1 b ,
// and the remaining rows into the Schur complement that Gaussian elimination leaves of [L Z^T b].
// Stages of many groups with few couplings are block sparse (block_elimination.hpp), the others
// dense.
#pragma once

#include <memory>

#include "trammel/dynamics/kernel/loops/block_elimination.hpp"

namespace trammel::kernel {

template <Scalar S> class RowStages {
 public:
  RowStages(const EliminationSchedule& schedule, const PropagatedRows<S>& rows)
      : schedule_(schedule) {
    int numbers = 0, widest = 0;
    for (const EliminationSchedule::Stage& stage : schedule.stages) {
      Layout layout;
      if (BlockElimination<S>::pays(stage)) {
        layout.blocks = std::make_unique<BlockElimination<S>>(schedule, stage, rows);
        layouts_.push_back(std::move(layout));
        continue;
      }
      int columns = 0;
      std::vector<int> pivots, others;
      for (const EliminationSchedule::Part& part : stage.parts) {
        layout.first_column.push_back(columns);
        for (const int row : part.pivots) pivots.push_back(columns + row);
        for (const int row : part.rest) others.push_back(columns + row);
        columns += rows.registers(part.group) * lanes;
      }
      layout.pivots = int(pivots.size());
      layout.order = pivots;
      layout.order.insert(layout.order.end(), others.begin(), others.end());
      layout.z_column = columns;
      layout.width = columns + (7 + lanes - 1) / lanes * lanes;
      layout.start = numbers;
      numbers += columns * layout.width;
      widest = std::max(widest, layout.width);
      layouts_.push_back(std::move(layout));
    }
    matrix_.resize(std::size_t(numbers));
    inverse_.resize(std::size_t(numbers));
    widest_ = std::size_t(widest);
  }

  // Numbers of one stage; one for each thread.
  struct Scratch {
    std::vector<S> multipliers, diagonal;
  };
  Scratch scratch() const { return {std::vector<S>(widest_), std::vector<S>(widest_)}; }

  // Eliminates the rows of stage s at its body. True, lane by lane, if a pivot is too small.
  [[nodiscard]] LaneMask<S> eliminate(int s, PropagatedRows<S>& rows, ArticulatedInertia<S>& I,
                                      Force<S>& F, Scratch& scratch) {
    std::vector<S>& diagonal = scratch.diagonal;
    const EliminationSchedule::Stage& stage = schedule_.stages[s];
    const Layout& layout = layouts_[s];
    if (layout.blocks) return layout.blocks->eliminate(rows, I, F);
    for (const EliminationSchedule::Block& block : stage.blocks) couple(block, stage, layout, rows);
    for (std::size_t p = 0; p < stage.parts.size(); ++p)
      load_part(stage.parts[p], layout, layout.first_column[p], rows);

    LaneMask<S> is_weak_somewhere(false);
    S* const matrix = matrix_.data() + layout.start;
    S* const inverses = inverse_.data() + layout.start;
    const int width = layout.width, n = int(layout.order.size());
    for (const int row : layout.order) diagonal[row] = matrix[row * width + row];
    for (std::size_t p = 0; p < stage.parts.size(); ++p) {
      const S* const measures = rows.measures(stage.parts[p].group);
      for (int k = 0; k < schedule_.groups[stage.parts[p].group].rows; ++k)
        diagonal[layout.first_column[p] + k] += measures[k];
    }
    for (int k = 0; k < layout.pivots; ++k) {
      const int p = layout.order[k];
      const S* const row = matrix + p * width;
      is_weak_somewhere |= !(row[p] > weakest_row * diagonal[p]);
      const S inverse = S(1.0) / row[p];
      inverses[p] = inverse;
      for (int l = k + 1; l < n; ++l) {
        const int j = layout.order[l];
        subtract_row<S>(row[j] * inverse, row, matrix + j * width, width);
      }
    }
    if (stage.place > 0)
      for (int k = 0; k < layout.pivots; ++k) {
        const int p = layout.order[k];
        absorb_row<S>(matrix + p * width + layout.z_column, inverses[p], I, F);
      }
    for (std::size_t p = 0; p < stage.parts.size(); ++p)
      if (!stage.parts[p].rest.empty())
        store_part(stage.parts[p], layout, layout.first_column[p], rows);
    return is_weak_somewhere;
  }

  // Back substitution: the multipliers, once the body's acceleration is known.
  void recover(int s, PropagatedRows<S>& rows, const Motion<S>& x, Scratch& scratch) {
    std::vector<S>& multipliers = scratch.multipliers;
    const EliminationSchedule::Stage& stage = schedule_.stages[s];
    const Layout& layout = layouts_[s];
    if (layout.blocks) return layout.blocks->recover(rows, x);
    const int width = layout.width;
    std::fill_n(multipliers.data(), width, S(0.0));
    for (std::size_t p = 0; p < stage.parts.size(); ++p)
      for (const int row : stage.parts[p].rest)
        multipliers[layout.first_column[p] + row] = rows.multipliers(stage.parts[p].group)[row];
    // a row is [L, Z^T, b], multiplied by [lambda, x, 1]
    S* const right_side = multipliers.data() + layout.z_column;
    const S numbers[7] = {x.angular.x, x.angular.y, x.angular.z, x.linear.x,
                          x.linear.y,  x.linear.z,  S(1.0)};
    std::copy_n(numbers, 7, right_side);
    for (int k = layout.pivots; k-- > 0;) {
      const int p = layout.order[k];
      const S* const row = matrix_.data() + layout.start + p * width;
      R sum{};
      for (int c = 0; c < width; c += lanes)
        sum += Register::load(row + c) * Register::load(multipliers.data() + c);
      multipliers[p] = -(inverse_[layout.start + p] * sum_of_rows<S>(sum));
    }
    for (std::size_t p = 0; p < stage.parts.size(); ++p)
      for (const int row : stage.parts[p].pivots)
        rows.multipliers(stage.parts[p].group)[row] = multipliers[layout.first_column[p] + row];
  }

 private:
  using Register = RowRegister<S>;
  using R = typename Register::Type;
  static constexpr int lanes = Register::rows;

  struct Layout {
    std::vector<int> first_column;  // per part
    std::vector<int> order;         // rows: the pivots, then those that are propagated further
    int pivots = 0, start = 0, z_column = 0, width = 0;
    std::unique_ptr<BlockElimination<S>> blocks;  // instead of all that
  };

  // L of two row groups: the sum of g g^T / D over the degrees of freedom on which both act.
  [[gnu::flatten]] void couple(const EliminationSchedule::Block& block,
                               const EliminationSchedule::Stage& stage, const Layout& layout,
                               const PropagatedRows<S>& rows) {
    const EliminationSchedule::Part &a = stage.parts[block.a], &b = stage.parts[block.b];
    const int rows_a = schedule_.groups[a.group].rows;
    const int registers_b = rows.registers(b.group);
    S* const matrix = matrix_.data() + layout.start;
    const int first_a = layout.first_column[block.a], first_b = layout.first_column[block.b];
    const S* from = nullptr;
    int from_width = 0;
    if (block.from_stage >= 0) {
      const Layout& before = layouts_[block.from_stage];
      from_width = before.width;
      from = matrix_.data() + before.start + before.first_column[block.from_a] * from_width +
             before.first_column[block.from_b];
    }
    constexpr int tile = 4;
    for (int r = 0; r < registers_b; ++r)
      for (int i = 0; i < rows_a; i += tile) {
        const int n = std::min(tile, rows_a - i);
        R sum[tile];
        for (int k = 0; k < tile; ++k)
          sum[k] = from != nullptr && k < n
                       ? Register::load(from + (i + k) * from_width + r * lanes)
                       : R{};
        for (const auto& [gain_a, gain_b] : block.meetings) {
          const R g = Register::load(rows.gains(gain_b) + r * lanes);
          const S* const scaled = rows.scaled(gain_a) + i;
          for (int k = 0; k < tile; ++k)
            if (k < n) sum[k] += R(scaled[k]) * g;
        }
        for (int k = 0; k < n; ++k)
          Register::store(sum[k], matrix + (first_a + i + k) * layout.width + first_b + r * lanes);
      }
    if (block.a == block.b) return;
    const int rows_b = schedule_.groups[b.group].rows;
    for (int i = 0; i < rows_b; ++i)
      for (int j = 0; j < registers_of(rows_a) * lanes; ++j)
        matrix[(first_b + i) * layout.width + first_a + j] =
            j < rows_a ? matrix[(first_a + j) * layout.width + first_b + i] : S(0.0);
  }
  static int registers_of(int rows) { return RowLayout<S>::registers_for(rows); }

  void load_part(const EliminationSchedule::Part& part, const Layout& layout, int first,
                 PropagatedRows<S>& rows) {
    const int registers = rows.registers(part.group);
    const S* const bias = rows.bias(part.group);
    const int n = schedule_.groups[part.group].rows;
    for (int r = 0; r < registers; ++r) {
      S z[6][lanes] = {};
      if (part.entry >= 0) {
        const auto& [m, f] = rows.wrenches(part.entry)[r];
        const R* components[6] = {&m.x, &m.y, &m.z, &f.x, &f.y, &f.z};
        for (int c = 0; c < 6; ++c) Register::store(*components[c], z[c]);
      }
      for (int k = r * lanes; k < std::min(n, (r + 1) * lanes); ++k) {
        S* const row = matrix_.data() + layout.start + (first + k) * layout.width + layout.z_column;
        for (int c = 0; c < 6; ++c) row[c] = z[c][k - r * lanes];
        row[6] = bias[k];
      }
    }
  }
  // Writes the remaining rows back after elimination of the others.
  void store_part(const EliminationSchedule::Part& part, const Layout& layout, int first,
                  PropagatedRows<S>& rows) {
    constexpr int most = 8;  // rows of a constraint, in whole registers
    S z[6][most] = {};
    for (const int k : part.rest) {
      const S* const row =
          matrix_.data() + layout.start + (first + k) * layout.width + layout.z_column;
      for (int c = 0; c < 6; ++c) z[c][k] = row[c];
      rows.bias(part.group)[k] = row[6];
    }
    if (part.entry < 0) return;
    for (int r = 0; r < rows.registers(part.group); ++r) {
      const auto load = [&](int c) { return Register::load(z[c] + r * lanes); };
      rows.wrenches(part.entry)[r] = {{load(0), load(1), load(2)}, {load(3), load(4), load(5)}};
    }
  }

  const EliminationSchedule& schedule_;
  std::vector<Layout> layouts_;
  std::vector<S> matrix_, inverse_;
  std::size_t widest_ = 0;  // of a dense stage
};

}  // namespace trammel::kernel
