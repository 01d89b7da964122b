#include "trammel/base/sparse_cholesky.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace trammel {

namespace {

// Smallest pivot, relative to its diagonal entry.
constexpr double least_pivot = 1e-15;

// Whether two supernodes are joined in spite of the zeros stored then: small fronts cost more by
// their indices than by their products.
bool are_few(double zeros, double columns, double update) {
  const double limit = columns <= 16 ? 0.5 : columns <= 48 ? 0.2 : 0.05;
  return zeros <= limit * columns * (0.5 * columns + update);
}

using Column = Eigen::Map<const Eigen::VectorXd>;

// target -= sum of factor[k] * source column k, over `count` rows. Four columns at a time, in
// registers: nearly all of the time of a decomposition.
void subtract_columns(double* target, const double* source, std::ptrdiff_t stride,
                      const double* factor, std::ptrdiff_t factor_stride, int columns, int count) {
  int k = 0;
  for (; k + 4 <= columns; k += 4) {
    const double *s0 = source + k * stride, *s1 = s0 + stride, *s2 = s1 + stride, *s3 = s2 + stride;
    const double f0 = factor[k * factor_stride], f1 = factor[(k + 1) * factor_stride],
                 f2 = factor[(k + 2) * factor_stride], f3 = factor[(k + 3) * factor_stride];
    Eigen::Map<Eigen::VectorXd>(target, count) -= f0 * Column(s0, count) + f1 * Column(s1, count) +
                                                  f2 * Column(s2, count) + f3 * Column(s3, count);
  }
  for (; k < columns; ++k) {
    const double* s = source + k * stride;
    const double f = factor[k * factor_stride];
    for (int i = 0; i < count; ++i) target[i] -= f * s[i];
  }
}

// First `columns` steps of Cholesky's decomposition of a front of `height` rows: its columns in P.
// `diagonal`: the entries before the elimination. Returns the smallest ratio of a pivot to its own.
double factor_columns(double* P, int height, int columns, const double* diagonal) {
  constexpr int group = 4;
  double weakest = 1;
  const auto stride = std::ptrdiff_t(height);
  for (int begin = 0; begin < columns; begin += group) {
    const int end = std::min(begin + group, columns);
    for (int k = begin; k < end; ++k) {
      double* column = P + k * stride;
      subtract_columns(column + k, P + begin * stride + k, stride, P + begin * stride + k, stride,
                       k - begin, height - k);
      const double scale = diagonal[k] > 0 ? diagonal[k] : 1;
      double pivot = column[k];
      const double ratio = pivot / scale;
      if (!(ratio >= weakest)) weakest = std::max(0.0, ratio);
      if (!(ratio > least_pivot)) pivot = least_pivot * scale;
      const double root = std::sqrt(pivot), inverse = 1 / root;
      column[k] = root;
      for (int i = k + 1; i < height; ++i) column[i] *= inverse;
    }
    for (int j = end; j < columns; ++j)
      subtract_columns(P + j * stride + j, P + begin * stride + j, stride, P + begin * stride + j,
                       stride, end - begin, height - j);
  }
  return weakest;
}

}  // namespace

// Elimination tree and rows of the factor, by blocks [Liu 1990].
class SparseCholesky::Analysis {
 public:
  Analysis(SparseCholesky& out, std::vector<int> sizes,
           const std::vector<std::vector<int>>& cliques)
      : out_(out), sizes_(std::move(sizes)), place_(sizes_.size()) {
    const std::vector<std::vector<int>> neighbors = graph(cliques);
    set_order(minimum_degree_order(neighbors));
    find_rows(neighbors);
    set_order(postorder());
    find_rows(neighbors);
    number_rows();
    join_supernodes();
    for (std::size_t s = 0; s < out_.supernodes_.size(); ++s) place_supernode(int(s));
    lay_out();
    for (const std::vector<int>& clique : cliques) place_clique(clique);
  }

 private:
  std::size_t blocks() const { return sizes_.size(); }
  int size_at(int place) const { return sizes_[std::size_t(order_[std::size_t(place)])]; }

  std::vector<std::vector<int>> graph(const std::vector<std::vector<int>>& cliques) const {
    std::vector<std::vector<int>> neighbors(blocks());
    for (const std::vector<int>& clique : cliques)
      for (const int a : clique)
        for (const int b : clique)
          if (a != b) neighbors[std::size_t(a)].push_back(b);
    for (std::vector<int>& list : neighbors) {
      std::ranges::sort(list);
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return neighbors;
  }

  void set_order(std::vector<int> order) {
    order_ = std::move(order);
    for (std::size_t k = 0; k < blocks(); ++k) place_[std::size_t(order_[k])] = int(k);
  }

  // Per place: the later places in its column of the factor, and its parent, the first of them.
  void find_rows(const std::vector<std::vector<int>>& neighbors) {
    rows_.assign(blocks(), {});
    parent_.assign(blocks(), -1);
    std::vector<std::vector<int>> children(blocks());
    std::vector<int> seen(blocks(), -1);
    for (int k = 0; k < int(blocks()); ++k) {
      std::vector<int>& rows = rows_[std::size_t(k)];
      const auto add = [&](int row) {
        if (row > k && seen[std::size_t(row)] != k) rows.push_back(row);
        seen[std::size_t(row)] = k;
      };
      for (const int block : neighbors[std::size_t(order_[std::size_t(k)])])
        add(place_[std::size_t(block)]);
      for (const int child : children[std::size_t(k)])
        for (const int row : rows_[std::size_t(child)]) add(row);
      std::ranges::sort(rows);
      if (rows.empty()) continue;
      parent_[std::size_t(k)] = rows[0];
      children[std::size_t(rows[0])].push_back(k);
    }
  }

  // Children directly before their parents, the one with the most rows last.
  std::vector<int> postorder() const {
    std::vector<std::vector<int>> children(blocks() + 1);
    for (std::size_t k = 0; k < blocks(); ++k)
      children[parent_[k] < 0 ? blocks() : std::size_t(parent_[k])].push_back(int(k));
    for (std::vector<int>& list : children)
      std::ranges::stable_sort(list, {}, [&](int k) { return rows_[std::size_t(k)].size(); });
    // parents first, from the last child on, then reversed
    std::vector<int> out, stack = children[blocks()];
    while (!stack.empty()) {
      const int k = stack.back();
      stack.pop_back();
      out.push_back(order_[std::size_t(k)]);
      const std::vector<int>& next = children[std::size_t(k)];
      stack.insert(stack.end(), next.begin(), next.end());
    }
    std::ranges::reverse(out);
    return out;
  }

  void number_rows() {
    first_row_.assign(blocks() + 1, 0);
    for (std::size_t k = 0; k < blocks(); ++k) first_row_[k + 1] = first_row_[k] + size_at(int(k));
    out_.rows_ = first_row_[blocks()];
    out_.start_.assign(blocks() + 1, 0);
    for (std::size_t b = 0; b < blocks(); ++b) out_.start_[b + 1] = out_.start_[b] + sizes_[b];
    out_.eliminated_.resize(std::size_t(out_.rows_));
    for (std::size_t b = 0; b < blocks(); ++b)
      for (int i = 0; i < sizes_[b]; ++i)
        out_.eliminated_[std::size_t(out_.start_[b] + i)] = first_row_[std::size_t(place_[b])] + i;
  }

  struct Range {
    int begin = 0, end = 0;  // places
    double columns = 0, update = 0, zeros = 0;
  };
  void join_supernodes() {
    for (int k = 0; k < int(blocks()); ++k) {
      Range now{k, k + 1, double(size_at(k)), 0, 0};
      for (const int row : rows_[std::size_t(k)]) now.update += size_at(row);
      while (!ranges_.empty()) {
        const Range& before = ranges_.back();
        const int parent = parent_[std::size_t(before.end - 1)];
        if (parent < now.begin || parent >= now.end) break;
        const double zeros =
            before.zeros + now.zeros + before.columns * (now.columns + now.update - before.update);
        if (!are_few(zeros, before.columns + now.columns, now.update)) break;
        now = {before.begin, now.end, before.columns + now.columns, now.update, zeros};
        ranges_.pop_back();
      }
      ranges_.push_back(now);
    }
    supernode_of_.resize(blocks());
    for (std::size_t s = 0; s < ranges_.size(); ++s)
      for (int k = ranges_[s].begin; k < ranges_[s].end; ++k)
        supernode_of_[std::size_t(k)] = int(s);
    out_.supernodes_.resize(ranges_.size());
    out_.children_.resize(ranges_.size());
    for (std::size_t s = 0; s < ranges_.size(); ++s) {
      Supernode& node = out_.supernodes_[s];
      node.first_row = first_row_[std::size_t(ranges_[s].begin)];
      node.columns = int(ranges_[s].columns);
      node.update = int(ranges_[s].update);
      const int parent = parent_[std::size_t(ranges_[s].end - 1)];
      node.parent = parent < 0 ? -1 : supernode_of_[std::size_t(parent)];
      if (node.parent >= 0) out_.children_[std::size_t(node.parent)].push_back(int(s));
    }
  }

  const std::vector<int>& update_blocks(int s) const {
    return rows_[std::size_t(ranges_[std::size_t(s)].end - 1)];
  }
  // Row of a block in the front of a supernode.
  int row_in_front(int s, int place) const {
    const Range& range = ranges_[std::size_t(s)];
    if (place < range.end)
      return first_row_[std::size_t(place)] - first_row_[std::size_t(range.begin)];
    int row = int(range.columns);
    for (const int other : update_blocks(s)) {
      if (other == place) return row;
      row += size_at(other);
    }
    return -1;
  }

  void place_supernode(int s) {
    Supernode& node = out_.supernodes_[std::size_t(s)];
    node.rows = out_.update_rows_.size();
    std::vector<int> row_of_parent;  // of the places in update_blocks(s), both lists ascending
    if (node.parent >= 0) {
      const Range& parent = ranges_[std::size_t(node.parent)];
      const std::vector<int>& of_parent = update_blocks(node.parent);
      std::size_t next = 0;
      int row = int(parent.columns);
      for (const int place : update_blocks(s)) {
        if (place < parent.end) {
          row_of_parent.push_back(first_row_[std::size_t(place)] -
                                  first_row_[std::size_t(parent.begin)]);
          continue;
        }
        for (; of_parent[next] != place; ++next) row += size_at(of_parent[next]);
        row_of_parent.push_back(row);
      }
    }
    for (std::size_t k = 0; k < update_blocks(s).size(); ++k) {
      const int place = update_blocks(s)[k];
      for (int i = 0; i < size_at(place); ++i) {
        out_.update_rows_.push_back(first_row_[std::size_t(place)] + i);
        out_.relative_.push_back(row_of_parent[k] + i);
      }
    }
  }

  // Panels one after the other; the update matrices on a stack, each on the place of its
  // children's.
  void lay_out() {
    std::size_t panels = 0, top = 0, largest = 0;
    for (std::size_t s = 0; s < ranges_.size(); ++s) {
      Supernode& node = out_.supernodes_[s];
      node.panel = panels;
      panels += std::size_t(node.height()) * std::size_t(node.columns);
      node.at_end = top;
      const std::size_t size = std::size_t(node.update) * std::size_t(node.update);
      largest = std::max(largest, top + size);
      const std::vector<int>& children = out_.children_[s];
      node.stack = children.empty() ? top : out_.supernodes_[std::size_t(children[0])].stack;
      top = node.stack + size;
      const double c = node.columns, u = node.update;
      out_.operations_ += c * c * c / 6 + c * c * u / 2 + c * u * u / 2;
    }
    out_.values_.resize(panels);
    out_.stack_.resize(largest);
    out_.diagonal_.resize(std::size_t(out_.rows_));
    out_.x_.resize(std::size_t(out_.rows_));
  }

  void place_clique(const std::vector<int>& blocks) {
    Clique clique;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      clique.sizes.push_back(sizes_[std::size_t(blocks[i])]);
      const int a = place_[std::size_t(blocks[i])];
      for (std::size_t j = 0; j <= i; ++j) {
        const int b = place_[std::size_t(blocks[j])], early = std::min(a, b);
        const int s = supernode_of_[std::size_t(early)];
        const Supernode& node = out_.supernodes_[std::size_t(s)];
        Entry entry;
        entry.is_swapped = a < b;
        entry.stride = node.height();
        entry.at = node.panel +
                   std::size_t(first_row_[std::size_t(early)] - node.first_row) *
                       std::size_t(node.height()) +
                   std::size_t(row_in_front(s, std::max(a, b)));
        clique.pairs.push_back(entry);
      }
    }
    out_.cliques_.push_back(std::move(clique));
  }

  SparseCholesky& out_;
  std::vector<int> sizes_;
  std::vector<int> order_, place_;  // block at each place of the order; place of each block
  std::vector<std::vector<int>> rows_;
  std::vector<int> parent_, first_row_, supernode_of_;
  std::vector<Range> ranges_;
};

SparseCholesky::SparseCholesky(std::vector<int> sizes,
                               const std::vector<std::vector<int>>& cliques) {
  Analysis(*this, std::move(sizes), cliques);
}

void SparseCholesky::set_zero() { std::ranges::fill(values_, 0.0); }

void SparseCholesky::add_gram(std::size_t clique, const double* Y, int width) {
  const Clique& what = cliques_[clique];
  auto pair = what.pairs.begin();
  const double* rows_a = Y;
  for (std::size_t i = 0; i < what.sizes.size(); ++i) {
    const double* rows_b = Y;
    for (std::size_t j = 0; j <= i; ++j, ++pair) {
      const double *late = rows_a, *early = rows_b;
      int n_late = what.sizes[i], n_early = what.sizes[j];
      if (pair->is_swapped) std::swap(late, early), std::swap(n_late, n_early);
      double* target = values_.data() + pair->at;
      for (int column = 0; column < n_early; ++column, target += pair->stride)
        for (int row = 0; row < n_late; ++row) {
          double sum = 0;
          for (int k = 0; k < width; ++k) sum += late[row * width + k] * early[column * width + k];
          target[row] += sum;
        }
      rows_b += what.sizes[j] * width;
    }
    rows_a += what.sizes[i] * width;
  }
}

void SparseCholesky::add_updates_of_children(std::size_t s) {
  const Supernode& node = supernodes_[s];
  double* panel = values_.data() + node.panel;
  double* update = stack_.data() + node.at_end;
  std::fill_n(update, std::size_t(node.update) * std::size_t(node.update), 0.0);
  for (const int which : children_[s]) {
    const Supernode& child = supernodes_[std::size_t(which)];
    const int* relative = relative_.data() + child.rows;
    const double* from = stack_.data() + child.stack;
    for (int j = 0; j < child.update; ++j, from += child.update) {
      const int column = relative[j];
      if (column < node.columns) {
        double* to = panel + std::ptrdiff_t(column) * node.height();
        for (int i = j; i < child.update; ++i) to[relative[i]] += from[i];
      } else {
        double* to = update + std::ptrdiff_t(column - node.columns) * node.update - node.columns;
        for (int i = j; i < child.update; ++i) to[relative[i]] += from[i];
      }
    }
  }
}

double SparseCholesky::factor() {
  for (const Supernode& node : supernodes_)
    for (int k = 0; k < node.columns; ++k)
      diagonal_[std::size_t(node.first_row + k)] =
          values_[node.panel + std::size_t(k) * std::size_t(node.height() + 1)];
  double weakest = 1;
  for (std::size_t s = 0; s < supernodes_.size(); ++s) {
    const Supernode& node = supernodes_[s];
    add_updates_of_children(s);
    double* panel = values_.data() + node.panel;
    weakest = std::min(weakest, factor_columns(panel, node.height(), node.columns,
                                               diagonal_.data() + node.first_row));
    double* update = stack_.data() + node.at_end;
    const double* below = panel + node.columns;
    for (int j = 0; j < node.update; ++j)
      subtract_columns(update + std::ptrdiff_t(j) * node.update + j, below + j, node.height(),
                       below + j, node.height(), node.columns, node.update - j);
    if (node.stack != node.at_end)
      std::copy_n(update, std::size_t(node.update) * std::size_t(node.update),
                  stack_.data() + node.stack);
  }
  return weakest;
}

void SparseCholesky::solve(std::span<double> x) {
  for (std::size_t k = 0; k < x.size(); ++k) x_[std::size_t(eliminated_[k])] = x[k];
  for (const Supernode& node : supernodes_) {
    double* own = x_.data() + node.first_row;
    const int* rows = update_rows_.data() + node.rows;
    for (int k = 0; k < node.columns; ++k) {
      const double* column = values_.data() + node.panel + std::ptrdiff_t(k) * node.height();
      const double value = own[k] /= column[k];
      for (int i = k + 1; i < node.columns; ++i) own[i] -= column[i] * value;
      const double* below = column + node.columns;
      for (int i = 0; i < node.update; ++i) x_[std::size_t(rows[i])] -= below[i] * value;
    }
  }
  for (std::size_t s = supernodes_.size(); s-- > 0;) {
    const Supernode& node = supernodes_[s];
    double* own = x_.data() + node.first_row;
    const int* rows = update_rows_.data() + node.rows;
    for (int k = node.columns; k-- > 0;) {
      const double* column = values_.data() + node.panel + std::ptrdiff_t(k) * node.height();
      double sum = own[k];
      for (int i = k + 1; i < node.columns; ++i) sum -= column[i] * own[i];
      const double* below = column + node.columns;
      for (int i = 0; i < node.update; ++i) sum -= below[i] * x_[std::size_t(rows[i])];
      own[k] = sum / column[k];
    }
  }
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = x_[std::size_t(eliminated_[k])];
}

}  // namespace trammel
