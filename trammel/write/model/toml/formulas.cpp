#include "trammel/write/model/toml/formulas.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <unordered_set>

#include <fmt/format.h>

#include "trammel/model/description/description_parameters.hpp"
#include "trammel/scalar/expr_print.hpp"
#include "trammel/write/model/toml/text.hpp"

namespace trammel::toml {

namespace {

constexpr int longest_repeated = 40;  // symbols, constants and operations

bool is_negative(const Expr& x) {
  if (x.is_constant()) return x.constant() < 0;
  return (*x.nodes())[x.id()].op == Op::neg;
}
bool is_comparison(Op op) { return op == Op::less || op == Op::less_equal || op == Op::equal; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return begins_name(c) || is_digit(c); }

// Whether the name is allowed in formulas.
bool is_spelled(const std::string& name) {
  return !name.empty() && begins_name(name[0]) &&
         std::all_of(name.begin(), name.end(), continues_name);
}

// Reason why the format cannot express this formula; nothing if it can.
std::optional<std::string> inexpressible(const Expr& formula) {
  if (formula.is_constant()) return std::nullopt;
  const Nodes& nodes = *formula.nodes();
  for (const int id : live_nodes(std::span(&formula, 1))) {
    const Node& node = nodes[id];
    if (node.op == Op::select || is_comparison(node.op)) return "chooses between cases";
    if (node.op == Op::constant && !std::isfinite(node.constant))
      return fmt::format("has the constant {}", node.constant);
    if (node.op == Op::symbol && !is_spelled(nodes.symbols()[std::size_t(node.operand[0])]))
      return fmt::format("has the symbol '{}'", nodes.symbols()[std::size_t(node.operand[0])]);
  }
  return std::nullopt;
}

void check_expressible(const Description& description) {
  const auto check = [&](std::string_view kind, std::string_view name, const std::string& label,
                         const Expr& formula) {
    if (const auto fact = inexpressible(formula))
      throw std::invalid_argument(
          fmt::format("write_toml: {} '{}': the formula of {} {}, which a file cannot say", kind,
                      name, label, *fact));
  };
  each_number(description.gravity, "gravity", [&](const NumberLabel& label, const Expr& number) {
    check("model", description.name, to_string(label), number);
  });
  each_item(description, [&](std::string_view kind, const auto& item) {
    each_number(item, [&](const NumberLabel& label, const Expr& number) {
      check(kind, item.name, to_string(label), number);
    });
  });
  for (const auto* starts : {&description.start_positions, &description.start_velocities,
                             &description.position_guesses, &description.velocity_guesses})
    for (const StartDescription& start : *starts)
      for (const Expr& value : start.values) check("joint", start.joint, "its start", value);
  for (const DefinitionDescription& definition : description.definitions)
    check("definition", definition.name, "it", definition.formula);
}

// Canonical form of a node, without its sign and the order of its operands: equal in every graph
// that holds the same formula.
struct Form {
  int sign = 1;
  std::uint64_t hash = 0;
  int height = 0;
  int first_letter = std::numeric_limits<int>::max();

  auto rank() const { return std::tuple(height, first_letter, hash); }
};

std::uint64_t mixed(std::initializer_list<std::uint64_t> words) {
  std::uint64_t h = 0x9E3779B97F4A7C15u;
  for (const std::uint64_t word : words) {
    h = (h ^ word) * 0xBF58476D1CE4E5B9u;
    h ^= h >> 29;
  }
  return h;
}

Form form_of_constant(double x) {
  return {.sign = std::signbit(x) ? -1 : 1,
          .hash = mixed({0, std::bit_cast<std::uint64_t>(std::abs(x))})};
}

Form form_of(Op op, const Form& x) {
  if (op == Op::neg) return {-x.sign, x.hash, x.height, x.first_letter};
  const bool is_odd = op == Op::sin || op == Op::tan || op == Op::asin || op == Op::atan;
  const bool is_even = op == Op::cos || op == Op::abs;
  const std::uint64_t sign = is_odd || is_even ? 1 : std::uint64_t(x.sign + 2);
  return {is_odd ? x.sign : 1, mixed({std::uint64_t(op), x.hash, sign}), x.height + 1,
          x.first_letter};
}

Form form_of(Op op, Form x, Form y) {
  const int height = 1 + std::max(x.height, y.height);
  const int symbol = std::min(x.first_letter, y.first_letter);
  if (op == Op::sub) y.sign = -y.sign;
  const bool is_sum = op == Op::add || op == Op::sub;
  if ((is_sum || op == Op::mul) && y.rank() < x.rank()) std::swap(x, y);
  if (is_sum)
    return {x.sign, mixed({std::uint64_t(x.sign == y.sign ? Op::add : Op::sub), x.hash, y.hash}),
            height, symbol};
  if (op == Op::mul || op == Op::div)
    return {x.sign * y.sign, mixed({std::uint64_t(op), x.hash, y.hash}), height, symbol};
  return {1,
          mixed({std::uint64_t(op), x.hash, std::uint64_t(x.sign + 2), y.hash,
                 std::uint64_t(y.sign + 2)}),
          height, symbol};
}

// a - b of two unsigned operands: of a - b and b - a the graph shall hold the one that begins with
// the older operand
Expr difference(const Expr& a, const Expr& b) {
  const bool is_reversed =
      !b.is_constant() && (a.is_constant() || (!a.is_constant() && b.id() < a.id()));
  if (is_reversed) static_cast<void>(b - a);
  return a - b;
}

Expr applied(Op op, const Expr& x, const Expr& y) {
  switch (op) {
    case Op::add:
      if (is_negative(x) && !is_negative(y)) return difference(y, -x);
      if (is_negative(y) && !is_negative(x)) return difference(x, -y);
      return x + y;
    case Op::sub:
      if (is_negative(x) && is_negative(y)) return difference(-y, -x);
      if (!is_negative(x) && !is_negative(y)) return difference(x, y);
      return x - y;
    case Op::mul: return x * y;
    case Op::div: return x / y;
    case Op::neg: return -x;
    case Op::sqrt: return sqrt(x);
    case Op::sin: return sin(x);
    case Op::cos: return cos(x);
    case Op::tan: return tan(x);
    case Op::asin: return asin(x);
    case Op::acos: return acos(x);
    case Op::atan: return atan(x);
    case Op::atan2: return atan2(x, y);
    case Op::exp: return exp(x);
    case Op::log: return log(x);
    case Op::pow: return pow(x, y);
    case Op::abs: return abs(x);
    case Op::min: return min(x, y);
    case Op::max: return max(x, y);
    default: break;  // refused before
  }
  return {};
}

// Name of a node, possibly with a minus sign.
struct NodeName {
  std::string name;
  int sign = 1;
};

// The node below a minus sign: signs are moved outward, so the name belongs to the rest.
int unsigned_node(const Nodes& nodes, int id) {
  return nodes[id].op == Op::neg ? nodes[id].operand[0] : id;
}

// Nodes of all formulas, their canonical forms, and their names.
class Survey {
 public:
  explicit Survey(const Description& description)
      : description_(description), nodes_(description.graph.nodes()) {
    std::vector<Expr> roots = formulas(description);
    for (const DefinitionDescription& definition : description.definitions)
      if (!definition.formula.is_constant()) roots.push_back(definition.formula);
    live_ = live_nodes(roots);
    find_forms();
    name_definitions();
    name_shared_parts(roots);
  }

  // each after its operands, in an order that depends only on the formulas
  std::vector<int> in_order() const {
    std::vector<int> order = live_;
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return std::tuple(form(a).rank(), a) < std::tuple(form(b).rank(), b);
    });
    return order;
  }
  const std::map<int, NodeName>& names() const { return names_; }
  const std::vector<int>& shared_parts() const { return shared_parts_; }

 private:
  const Form& form(int id) const { return forms_[std::size_t(id)]; }

  void find_forms() {
    std::map<std::string, int> order;
    for (const ParameterDescription& parameter : description_.parameters)
      order.emplace(parameter.name, int(order.size()));
    forms_.resize(std::size_t(nodes_.size()));
    for (const int id : live_) {
      const Node& node = nodes_[id];
      Form& made = forms_[std::size_t(id)];
      if (node.op == Op::constant) {
        made = form_of_constant(node.constant);
      } else if (node.op == Op::symbol) {
        const auto found = order.find(nodes_.symbols()[std::size_t(node.operand[0])]);
        const int k = found == order.end() ? int(order.size()) : found->second;
        made = {.hash = mixed({1, std::uint64_t(k)}), .first_letter = k};
      } else if (arity(node.op) == 1) {
        made = form_of(node.op, form(node.operand[0]));
      } else {
        made = form_of(node.op, form(node.operand[0]), form(node.operand[1]));
      }
    }
  }

  bool is_worth_a_name(int id) const {
    return nodes_[id].op != Op::symbol && nodes_[id].op != Op::constant;
  }
  void name_definitions() {
    for (const DefinitionDescription& definition : description_.definitions) {
      if (definition.formula.is_constant()) continue;
      const int id = unsigned_node(nodes_, definition.formula.id());
      if (is_worth_a_name(id))
        names_.emplace(id, NodeName{definition.name, id == definition.formula.id() ? 1 : -1});
    }
  }

  // a long part that is used more than once gets a name, so that the text stays as short as the
  // graph
  void name_shared_parts(const std::vector<Expr>& roots) {
    std::vector<int> uses(forms_.size(), 0), length(forms_.size(), 1);
    for (const Expr& root : roots) ++uses[std::size_t(root.id())];
    for (auto id = live_.rbegin(); id != live_.rend(); ++id) {
      const bool is_sign = nodes_[*id].op == Op::neg;
      for (const int used : nodes_[*id].operands())
        uses[std::size_t(used)] += is_sign ? uses[std::size_t(*id)] : 1;
    }
    for (const int id : live_) {
      int sum = nodes_[id].op == Op::neg ? 0 : 1;
      for (const int used : nodes_[id].operands())
        sum += names_.contains(used) ? 1 : length[std::size_t(used)];
      length[std::size_t(id)] = sum;
      if (sum <= longest_repeated || uses[std::size_t(id)] < 2 || nodes_[id].op == Op::neg ||
          names_.contains(id))
        continue;
      names_.emplace(id, NodeName{});
      shared_parts_.push_back(id);
    }
    std::sort(shared_parts_.begin(), shared_parts_.end(),
              [&](int a, int b) { return form(a).rank() < form(b).rank(); });
    std::unordered_set<std::string> taken;
    for (const auto& parameter : description_.parameters) taken.insert(parameter.name);
    for (const auto& definition : description_.definitions) taken.insert(definition.name);
    int k = 0;
    for (const int id : shared_parts_) {
      std::string& name = names_[id].name;
      do { name = fmt::format("shared_{}", ++k); } while (taken.contains(name));
    }
  }

  const Description& description_;
  const Nodes& nodes_;
  std::vector<int> live_;
  std::vector<Form> forms_;
  std::map<int, NodeName> names_;  // of nodes
  std::vector<int> shared_parts_;  // those without a name in the description
};

std::string text_of(const Expr& formula) {
  return to_string(formula, std::numeric_limits<std::size_t>::max());
}

}  // namespace

FormulaTexts::FormulaTexts(const Description& description) {
  check_expressible(description);
  const Survey survey(description);
  const Nodes& nodes = description.graph.nodes();

  // symbols first: parameters, then names of formulas
  for (const ParameterDescription& parameter : description.parameters)
    graph_.symbol(parameter.name);
  for (const DefinitionDescription& definition : description.definitions)
    graph_.symbol(definition.name);
  for (const int id : survey.shared_parts()) graph_.symbol(survey.names().at(id).name);

  given_.resize(std::size_t(nodes.size()));
  std::map<int, std::string> texts;  // of nodes with names
  for (const int id : survey.in_order()) {
    const Node& node = nodes[id];
    const auto operand = [&](std::size_t k) {
      return int(k) < arity(node.op) ? given_[std::size_t(node.operand[k])] : Expr();
    };
    Expr& made = given_[std::size_t(id)];
    if (node.op == Op::constant)
      made = node.constant;
    else if (node.op == Op::symbol)
      made = graph_.symbol(nodes.symbols()[std::size_t(node.operand[0])]);
    else
      made = applied(node.op, operand(0), operand(1));
    if (const auto named = survey.names().find(id); named != survey.names().end()) {
      const auto& [name, sign] = named->second;
      texts[id] = text_of(sign < 0 ? -made : made);
      made = sign < 0 ? -graph_.symbol(name) : graph_.symbol(name);
    }
  }

  Graph handle = description.graph;
  for (const std::string& symbol : std::vector(handle.symbols()))
    meanings_.emplace(symbol, handle.symbol(symbol));
  for (const DefinitionDescription& definition : description.definitions) {
    const Expr& formula = definition.formula;
    if (formula.is_constant()) continue;
    meanings_.emplace(definition.name, formula);
    const int id = unsigned_node(nodes, formula.id());
    const auto named = survey.names().find(id);
    const bool is_own_name = named != survey.names().end() && named->second.name == definition.name;
    definitions_.emplace_back(definition.name, is_own_name ? texts[id] : plain_text(formula));
  }
  for (const int id : survey.shared_parts())
    definitions_.emplace_back(survey.names().at(id).name, texts[id]);
}

std::string FormulaTexts::plain_text(const Expr& formula) const {
  return text_of(given_[std::size_t(formula.id())]);
}

std::string FormulaTexts::operator()(const Expr& formula, std::span<const NumberInScope> in_scope) {
  const std::string text = plain_text(formula);
  if (in_scope.empty()) return text;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (begins_name(text[at])) {
      while (end < text.size() && continues_name(text[end])) ++end;
      out += other_name(text.substr(at, end - at), in_scope);
    } else {
      // an e in a number does not begin a name
      if (is_digit(text[at]))
        while (end < text.size() && (continues_name(text[end]) || text[end] == '.')) ++end;
      out += text.substr(at, end - at);
    }
    at = end;
  }
  return out;
}

std::string FormulaTexts::other_name(const std::string& name,
                                     std::span<const NumberInScope> in_scope) {
  const auto is_hidden = [&](const std::string& asked, const Expr& meaning) {
    return std::any_of(in_scope.begin(), in_scope.end(), [&](const NumberInScope& number) {
      return number.key == asked && !is_same(number.value, meaning);
    });
  };
  const auto meant = meanings_.find(name);
  if (meant == meanings_.end() || !is_hidden(name, meant->second)) return name;
  for (const auto& [other, text] : definitions_)
    if (text == name && !is_hidden(other, meant->second)) return other;
  std::string other = name + "_parameter";
  while (meanings_.contains(other)) other += "_";
  meanings_.emplace(other, meant->second);
  definitions_.emplace_back(other, name);
  return other;
}

}  // namespace trammel::toml
