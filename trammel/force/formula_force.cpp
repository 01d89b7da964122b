#include "trammel/force/formula_force.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "trammel/scalar/expr_derivative.hpp"

namespace trammel {

namespace {

class FormulaForce final : public UserForceElement {
 public:
  FormulaForce(ForceFormulas formulas, Graph graph, const Expr& force, const Expr& energy,
               const Expr& pull_of_energy)
      : formulas_(std::move(formulas)),
        graph_(std::move(graph)),
        parts_{force, energy, pull_of_energy},
        nodes_(live_nodes(parts_)) {}

  const ForceFormulas& formulas() const { return formulas_; }

  ElementWrench<double> wrench(const BodyPair<double>& frames,
                               std::span<const double> /*z*/) const override {
    return wrench_of(frames);
  }
  ElementWrench<One> wrench(const BodyPair<One>& frames,
                            std::span<const One> /*z*/) const override {
    return wrench_of(frames);
  }
  double potential_energy(const BodyPair<double>& frames,
                          std::span<const double> /*z*/) const override {
    return at(Ends<double>(frames)).energy;
  }
  One potential_energy(const BodyPair<One>& frames, std::span<const One> /*z*/) const override {
    return at(Ends<One>(frames)).energy;
  }
  double dissipated_power(const BodyPair<double>& frames,
                          std::span<const double> /*z*/) const override {
    const Ends<double> ends(frames);
    return at(ends).force * ends.rate;
  }
  bool is_conservative() const override { return formulas_.force.empty(); }
  int nz() const override { return 0; }
  void initial_z(std::span<double> /*z*/) const override {}
  void z_rates(const BodyPair<double>& /*frames*/, std::span<const double> /*z*/,
               std::span<double> /*z_dot*/) const override {}
  void z_rates(const BodyPair<One>& /*frames*/, std::span<const One> /*z*/,
               std::span<One> /*z_dot*/) const override {}

 private:
  // The two points: their distance, its direction from the first to the second, and its rate.
  // Coincident points have no direction.
  template <class S> struct Ends {
    explicit Ends(const BodyPair<S>& frames) : to(frames.X_WC.p) {
      const Vec3<S> d = frames.X_WC.p - frames.X_WP.p;
      const S square = dot(d, d);
      is_apart = square > S(0.0);
      if (!is_apart) return;
      length = sqrt(square);
      along = (S(1.0) / length) * d;
      rate = dot(along, frames.X_WC.R * frames.V_C.linear - frames.X_WP.R * frames.V_P.linear);
    }
    Vec3<S> to, along = {};
    S length{}, rate{};
    bool is_apart = false;
  };
  template <class S> struct Values { S force, energy, pull_of_energy; };

  template <class S> Values<S> at(const Ends<S>& ends) const {
    const S symbols[] = {ends.length, ends.rate};
    std::vector<S> values(std::size_t(graph_.size()), S(0.0));
    const Nodes& nodes = graph_.nodes();
    for (const int id : nodes_)
      values[std::size_t(id)] =
          evaluation::value<S>(nodes, nodes[id], std::span<const S>(symbols), values);
    const auto of = [&](int k) {
      const Expr& e = parts_[k];
      return e.is_constant() ? S(e.constant()) : values[std::size_t(e.id())];
    };
    return {of(0), of(1), of(2)};
  }
  template <class S> ElementWrench<S> wrench_of(const BodyPair<S>& frames) const {
    const Ends<S> ends(frames);
    if (!ends.is_apart)
      return {.failure =
                  "the two ends of {} meet, and the direction of its force is lost: move "
                  "them apart"};
    const Values<S> now = at(ends);
    return {{{}, -(now.force + now.pull_of_energy) * ends.along}, ends.to};
  }

  ForceFormulas formulas_;
  Graph graph_;
  Expr parts_[3];
  std::vector<int> nodes_;
};

}  // namespace

std::variant<std::shared_ptr<const UserForceElement>, ForceFormulaMistake> formula_force(
    const ForceFormulas& formulas) {
  Graph graph;
  const Expr length = graph.symbol("length"), rate = graph.symbol("rate");
  std::map<std::string, Expr, std::less<>> meanings = {{"length", length}};
  for (const auto& [name, value] : formulas.with) meanings.emplace(name, Expr(value));
  const auto resolve = [&](std::string_view name) -> std::optional<Expr> {
    const auto found = meanings.find(name);
    return found == meanings.end() ? std::nullopt : std::optional(found->second);
  };
  const auto read = [&](const std::string& formula) -> std::variant<Expr, ParseError> {
    if (formula.empty()) return Expr(0.0);
    std::vector<std::string> known;
    for (const auto& [name, value] : meanings) known.push_back(name);
    return parse(formula, resolve, known);
  };
  const std::variant<Expr, ParseError> energy = read(formulas.energy);
  if (const auto* mistake = std::get_if<ParseError>(&energy))
    return ForceFormulaMistake{true, *mistake};
  meanings.emplace("rate", rate);
  const std::variant<Expr, ParseError> force = read(formulas.force);
  if (const auto* mistake = std::get_if<ParseError>(&force))
    return ForceFormulaMistake{false, *mistake};
  const Expr U = std::get<Expr>(energy);
  return std::make_shared<const FormulaForce>(formulas, graph, std::get<Expr>(force), U,
                                              derivative(U, length));
}

const ForceFormulas* formulas_of(const UserForceElement& element) {
  const auto* const force = dynamic_cast<const FormulaForce*>(&element);
  return force == nullptr ? nullptr : &force->formulas();
}

}  // namespace trammel
