// The formulas of a description as texts that are read back as the same formulas.
//
// The text depends on the formulas and the order of the parameters only, not on the order in which
// the graph was built: so reading and writing again changes nothing. Signs travel outward and
// operands are sorted, which no value notices; sums and products keep their grouping, which values
// would.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/model/description.hpp"

namespace trammel {

class FormulaTexts {
 public:
  // Throws std::invalid_argument for what cannot be said in a file.
  explicit FormulaTexts(const Description& description);

  // "crank/2"; a definition is called by its name.
  std::string operator()(const Expr& formula) const;
  // Of the description, in its order, then those made for parts that are shared.
  const std::vector<std::pair<std::string, std::string>>& definitions() const {
    return definitions_;
  }

 private:
  Graph graph_;             // where the formulas are made again, in an order of their own
  std::vector<Expr> said_;  // of each node of the description: in graph_, by name if it has one
  std::vector<std::pair<std::string, std::string>> definitions_;
};

}  // namespace trammel
