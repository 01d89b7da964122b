// Formulas of a description as texts that read back as the same formulas.
//
// The text depends only on the formulas and the order of the parameters, not on the order in which
// the graph was built: so reading and writing again changes nothing. Signs are moved outward and
// operands are sorted, which does not change values; sums and products keep their grouping, since
// another grouping would change the rounding.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trammel/model/description/description.hpp"

namespace trammel::toml {

// A number of the same item, which formulas may refer to by its key.
struct NumberInScope {
  std::string_view key;
  Expr value;
};

class FormulaTexts {
 public:
  // Throws std::invalid_argument for a formula that the format cannot express.
  explicit FormulaTexts(const Description& description);

  // "crank/2"; a definition is referred to by its name. If a number of the same item has the name
  // of a parameter, the parameter gets another name, which becomes a definition.
  std::string operator()(const Expr& formula, std::span<const NumberInScope> in_scope = {});

  // Those of the description, in its order, then those made here.
  const std::vector<std::pair<std::string, std::string>>& definitions() const {
    return definitions_;
  }

 private:
  std::string plain_text(const Expr& formula) const;
  std::string other_name(const std::string& name, std::span<const NumberInScope> in_scope);

  Graph graph_;              // in which the formulas are rebuilt, in canonical order
  std::vector<Expr> given_;  // per node of the description: in graph_, by name if it has one
  std::map<std::string, Expr, std::less<>> meanings_;  // of names, in the description's graph
  std::vector<std::pair<std::string, std::string>> definitions_;
};

}  // namespace trammel::toml
