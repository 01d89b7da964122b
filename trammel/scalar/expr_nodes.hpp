// Expression nodes: numbered, each after its operands, equal ones stored only once (hash-consing),
// so that common subexpressions are found while an algorithm runs.
//
// Nodes only grow: a node's id and its meaning never change. Expressions are built with Expr and
// Graph (expr.hpp); this interface is for traversal: evaluation, differentiation, printing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace trammel {

// clang-format off
enum class Op : std::uint8_t {
  constant, symbol,
  add, sub, mul, div, neg,
  sqrt, sin, cos, tan, asin, acos, atan, atan2, exp, log, pow,
  abs, min, max,
  less, less_equal, equal,  // conditions: only the first operand of a select
  select                    // condition, yes, no
};
// clang-format on

int arity(Op op);              // number of operands
std::string_view name(Op op);  // as in a formula: "sin", "+", "<"

// Node of an expression: an operation and the ids of its operands; a constant has a value instead.
struct Node {
  Op op = Op::constant;
  bool is_suspect = false;                    // contains inf, nan or a division by the constant 0
  std::array<int, 3> operand = {-1, -1, -1};  // ids of earlier nodes; of a symbol: its index
  double constant = 0;

  std::span<const int> operands() const { return {operand.data(), std::size_t(arity(op))}; }
};

// Store of nodes and symbols. Ids are 0 to size() - 1 in order of creation, so increasing ids visit
// operands first. Equal nodes have one id.
class Nodes {
 public:
  int add(const Node& node);                        // its id; added unless an equal node exists
  std::optional<int> find(const Node& node) const;  // without adding it
  int constant(double value);
  int symbol(std::string_view name);  // the same name is the same node

  const Node& operator[](int id) const { return nodes_[std::size_t(id)]; }
  int size() const { return int(nodes_.size()); }
  const std::vector<std::string>& symbols() const { return symbols_; }  // in order of creation

 private:
  std::size_t slot(const Node& node) const;  // index of its id in the table, or of its place
  void grow();

  std::vector<Node> nodes_;
  std::vector<int> table_ = std::vector<int>(64, -1);  // open addressing; at most half full
  std::vector<std::string> symbols_;
  std::unordered_map<std::string, int> symbol_nodes_;
};

}  // namespace trammel
