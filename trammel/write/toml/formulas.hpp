// The formulas of a description as texts that are read back as the same formulas.
//
// The text depends on the formulas and the order of the parameters only, not on the order in which
// the graph was built: so reading and writing again changes nothing. Signs travel outward and
// operands are sorted, which no value notices; sums and products keep their grouping, which values
// would.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trammel/model/description.hpp"

namespace trammel {

// A number that formulas beside it may call by its key.
struct NumberInSight {
  std::string_view key;
  Expr value;
};

class FormulaTexts {
 public:
  // Throws std::invalid_argument for what cannot be said in a file.
  explicit FormulaTexts(const Description& description);

  // "crank/2"; a definition is called by its name. Where a number of the same item has the name of
  // a parameter, the parameter goes by another, which becomes a definition.
  std::string operator()(const Expr& formula, std::span<const NumberInSight> in_sight = {});

  // Of the description, in its order, then those made here.
  const std::vector<std::pair<std::string, std::string>>& definitions() const {
    return definitions_;
  }

 private:
  std::string plain_text(const Expr& formula) const;
  std::string other_name(const std::string& name, std::span<const NumberInSight> in_sight);

  Graph graph_;             // where the formulas are made again, in an order of their own
  std::vector<Expr> said_;  // of each node of the description: in graph_, by name if it has one
  std::map<std::string, Expr, std::less<>> meanings_;  // of names, in the description's graph
  std::vector<std::pair<std::string, std::string>> definitions_;
};

}  // namespace trammel
