#include "structure.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "numbers.hpp"
#include "quantities.hpp"
#include "trammel/constraint/mobility/blocking_constraints.hpp"
#include "trammel/constraint/mobility/planar_gruebler.hpp"
#include "trammel/constraint/rank/row_condition.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"

namespace trammel::cli {

namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), most_listed); ++k)
    text += (text.empty() ? "" : ", ") + names[k];
  if (names.size() > most_listed) text += fmt::format(" and {} more", names.size() - most_listed);
  return text;
}

// A line for each of the first entries of a list.
template <class List, class Line> std::string lines(const List& list, const Line& line) {
  std::string text;
  for (std::size_t k = 0; k < std::min(list.size(), most_listed); ++k) text += line(list[k]);
  return text + more_text(list.size());
}

std::string ability_text(const Arm& arm) {
  std::string text =
      fmt::format("{}, rank {} of {}{} with {}", to_string(arm.ability()), arm.rank, arm.wanted,
                  arm.wanted == 3 ? " (in a plane)" : "",
                  counted(std::size_t(arm.dofs), "degree of freedom", "degrees of freedom"));
  if (arm.is_singular())
    text += fmt::format("; a singular pose, elsewhere it is {}", to_string(arm.usual_ability()));
  return text;
}

std::string reach_text(const Reachability& reach) {
  std::string steps;
  for (const int dimension : reach.growth)
    steps += (steps.empty() ? "" : ", ") + std::to_string(dimension);
  std::string text =
      fmt::format("  {}, configuration of {}: reaches {} (growth {}{})\n",
                  counted(std::size_t(reach.dofs), "degree of freedom", "degrees of freedom"),
                  counted(std::size_t(reach.configuration), "dimension", "dimensions"),
                  reach.reachable, steps, reach.is_complete ? "" : ", perhaps more");
  return text;
}

// Number of relations between positions that rows that are not holonomic still imply.
std::string open_text(const Structure& structure) {
  if (!structure.reach || structure.reach->hidden == 0) return "positions are not restricted by ";
  return fmt::format("only {}{} between positions, like those of joints, {} imposed by ",
                     structure.reach->is_complete ? "" : "perhaps ",
                     counted(std::size_t(structure.reach->hidden), "relation", "relations"),
                     structure.reach->hidden == 1 ? "is" : "are");
}

std::string undecided_text(const std::string& row, double length, double bound) {
  return fmt::format(
      "undecided, counted as dependent: {}: {:.2g} of its length is independent of the other rows, "
      "rounding may leave {:.2g}; check the digits of the lengths and angles",
      row, length, bound);
}

std::string lengths_text(const Mobility& m) {
  std::string text =
      fmt::format("  with slightly different lengths: {}:\n",
                  counted(std::size_t(m.finite_nearby), "degree of freedom", "degrees of freedom"));
  for (const LengthChange& change : m.lengths) text += "    " + change_text(change) + "\n";
  return text;
}

// Degrees of freedom that prescribed motions determine.
int prescribed_count(const Structure& structure) {
  if (!structure.nature || !structure.nature->is_rheonomic || !structure.actuation) return 0;
  return std::max(0, structure.actuation->mobility - structure.mobility->instantaneous);
}
// ", prescribed by the motion of crank"
std::string prescribed_text(const Structure& structure, int prescribed) {
  return fmt::format("{} prescribed by the motion of {}",
                     structure.mobility->finite > 0 ? fmt::format(", {} of them", prescribed) : ",",
                     joined(structure.nature->of_time));
}

// Rows of zeros, one line per constraint, and sets of dependent rows. Rows of zeros of a planar
// mechanism are those that hold its bodies in their planes: the planar count has them.
std::string dependent_text(const Mobility& m, bool is_planar) {
  std::vector<std::string> sets;
  std::string last;  // "loop joint 'foot'"
  for (const std::string& set : m.dependent) {
    if (set.find("; ") != set.npos) {
      sets.push_back("linearly dependent: " + set);
      last.clear();
      continue;
    }
    if (is_planar) continue;
    const std::size_t colon = set.find(": ");
    const std::string owner = set.substr(0, colon);
    if (colon != set.npos && owner == last)
      sets.back() += "," + set.substr(colon + 1);
    else
      sets.push_back("zero row: " + set);
    last = owner;
  }
  return lines(sets, [](const std::string& set) { return "  " + set + "\n"; });
}

std::vector<std::string> joints_with_choices(const Model& model, const UniqueReactions& found) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < found.is_unique.size(); ++j)
    if (!std::ranges::all_of(found.is_unique[j], std::identity()))
      names.push_back(model.joints()[j].name);
  return names;
}

}  // namespace

std::string more_text(std::size_t count) {
  if (count <= most_listed) return "";
  return fmt::format("  and {} more (all: --json)\n", count - most_listed);
}

std::string change_text(const LengthChange& change) {
  const auto& [x, y, z] = change.along;
  std::string text = fmt::format("{} by {:.3g} m", change.name, change.by);
  const auto rounded = [](double part) { return std::round(1e6 * part) / 1e6 + 0.0; };
  if (dot(change.along, change.along) > 0)
    text += fmt::format(" along {:.3g}, {:.3g}, {:.3g}", rounded(x), rounded(y), rounded(z));
  return text;
}

Structure structure_of(const Model& model, const State& state, const ThreadsOption& threads,
                       Terminal& terminal) {
  Structure found{.graph = topology(model)};
  Workspace workspace = threads.workspace(model);
  if (model.has_constraints()) {
    const Status status = mobility(model, state, workspace, found.mobility.emplace());
    if (!status.ok()) {
      terminal.note("mobility is not available: " + status.message());
      found.mobility.reset();
      return found;
    }
    if (!blocking_constraints(model, state, workspace, found.blocked_by).ok())
      found.blocked_by.clear();
    found.planar_gruebler = planar_gruebler(model, state, workspace);
    UniqueReactions still;
    State at_rest = state;
    std::ranges::fill(at_rest.v, 0.0);
    const std::vector<double> prescribed(std::size_t(model.loop_nv()));
    if (constrained_reactions(model, at_rest, {.loop_a = prescribed}, workspace, still).ok()) {
      found.solver = still.solver;
      found.chosen = joints_with_choices(model, still);
    }
  }
  if (!actuation(model, state, workspace, found.actuation.emplace()).ok()) found.actuation.reset();
  if (!constraint_nature(model, state, workspace, found.nature.emplace()).ok())
    found.nature.reset();
  if (!model.wheels().empty() && !reachability(model, state, workspace, found.reach.emplace()).ok())
    found.reach.reset();
  if (!arms(model, state, workspace, found.arms).ok()) found.arms.clear();
  return found;
}

std::string topology_text(const Model& model, const Structure& structure) {
  const Topology& graph = structure.graph;
  std::string text = fmt::format("  {}: {}\n  {} (ground included), {}, {} independent {}\n",
                                 to_string(graph.kind), to_string(graph.form),
                                 counted(std::size_t(graph.nodes), "rigid body", "rigid bodies"),
                                 counted(std::size_t(graph.edges), "joint", "joints"),
                                 graph.loops.size(), graph.loops.size() == 1 ? "loop" : "loops");
  if (graph.most_joints > 2)
    text += fmt::format("  {} has the most joints: {}\n", model[graph.most_joined].name,
                        graph.most_joints);
  if (graph.internal_loops > 0)
    text += fmt::format("  {} through no base\n",
                        counted(std::size_t(graph.internal_loops), "loop goes", "loops go"));
  if (graph.reference)
    text += fmt::format("  reference member: {}, supported by {}\n", model[*graph.reference].name,
                        counted(graph.tree_bodies.size(), "chain", "chains"));
  text += lines(graph.loops,
                [](const Topology::Loop& loop) { return "  loop: " + joined(loop) + "\n"; });
  if (!structure.nature) return text;
  const ConstraintNature& nature = *structure.nature;
  if (!nature.is_holonomic)
    text += "  not holonomic: " + open_text(structure) + joined(nature.of_place) + "\n";
  else if (structure.reach && structure.reach->hidden > 0)
    text += fmt::format("  holonomic: its wheels impose {} between positions, like joints\n",
                        counted(std::size_t(structure.reach->hidden), "relation", "relations"));
  else if (!model.wheels().empty())
    text += "  holonomic: its wheels restrict positions, like joints\n";
  if (structure.reach) text += reach_text(*structure.reach);
  if (nature.is_rheonomic)
    text +=
        "  depends on time (rheonomic) by the prescribed motion "
        "of " +
        joined(nature.of_time) + "\n";
  return text;
}

std::string blocked_text(const std::vector<std::string>& blocked_by) {
  return fmt::format("it cannot move: {} {} no degree of freedom", joined(blocked_by),
                     blocked_by.size() == 1 ? "leaves" : "together leave");
}

std::vector<std::string> undecided_rows(const Model& model, const State& state,
                                        Workspace& workspace) {
  RowBasis basis;
  if (!model.has_constraints() || !row_basis(model, state, workspace, basis).ok()) return {};
  const std::vector<std::string> names = row_names(model);
  std::vector<std::string> texts;
  for (const RowBasis::Undecided& row : basis.undecided)
    texts.push_back(undecided_text(names[std::size_t(row.row)], row.length, row.bound));
  return texts;
}

std::string mobility_text(const Structure& structure) {
  const Mobility& m = *structure.mobility;
  const int prescribed = prescribed_count(structure);
  std::string text = fmt::format(
      "  {}{} ({}): nv {} minus {} independent of {} constraint rows{}\n",
      counted(std::size_t(m.finite + prescribed), "degree of freedom", "degrees of freedom"),
      prescribed > 0 ? prescribed_text(structure, prescribed) : "", to_string(m.verdict), m.dofs,
      m.rank, m.rows, prescribed > 0 ? ", those of prescribed motions included" : "");
  if (!structure.blocked_by.empty()) text += "  " + blocked_text(structure.blocked_by) + "\n";
  if (m.finite != m.instantaneous)
    text += fmt::format(
        "  instantaneous: {}\n",
        counted(std::size_t(m.instantaneous), "degree of freedom", "degrees of freedom"));
  if (structure.planar_gruebler && *structure.planar_gruebler > m.gruebler)
    text += fmt::format("  planar: {}, planar count {}\n",
                        counted(std::size_t(*structure.planar_gruebler - m.gruebler),
                                "redundant row", "redundant rows"),
                        *structure.planar_gruebler + prescribed);
  else if (m.gruebler != m.instantaneous)
    text += fmt::format("  Gruebler count: {}\n", m.gruebler + prescribed);
  if (m.verdict == Mobility::Verdict::nearly_overconstrained)
    text += lengths_text(m);
  else if (m.verdict == Mobility::Verdict::shaky)
    text += "  the pose is singular: infinitesimal motions exist that are no finite motions\n";
  else if (m.verdict != Mobility::Verdict::regular)
    text +=
        "  the pose is singular: constraint rows are dependent here and independent "
        "elsewhere\n";
  else if (m.rank > 0)
    text += fmt::format("  {}: ratio of smallest to largest singular value {:.2g}\n",
                        m.least < 1e-3 ? "near a singular pose" : "distance from a singular pose",
                        m.least);
  if (m.rank > 0 && m.dropped)
    text += fmt::format(
        "  singular values at the rank decision, relative to the largest: last counted {:.2g}, "
        "first not counted {:.2g} (zero below {:.0e})\n",
        m.least, *m.dropped, m.tolerance);
  if (m.digits < few_digits && m.undecided.empty())
    text += fmt::format(
        "  the rows are nearly dependent: as few as {:.0f} digits may be left in accelerations, "
        "efforts and reactions\n",
        std::floor(m.digits));
  text += dependent_text(m, structure.planar_gruebler.has_value());
  text += lines(m.undecided, [](const Mobility::Undecided& row) {
    return "  " + undecided_text(row.row, row.length, row.bound) + "\n";
  });
  if (structure.chosen)
    text += structure.chosen->empty()
                ? "  all reactions are unique\n"
                : "  reactions are not all unique, a self-stress is chosen at: " +
                      joined(*structure.chosen) + "\n";
  if (structure.solver)
    text +=
        "  accelerations by the solver "
        "'" +
        to_string(*structure.solver) + "'\n";
  return text;
}

std::string actuation_text(const Actuation& a) {
  if (a.driven.empty())
    return fmt::format("  no joint has a drive: {}, all passive\n",
                       counted(std::size_t(a.mobility), "degree of freedom", "degrees of freedom"));
  std::string text =
      fmt::format("  {} ({}) {} {} of {}: ", counted(a.driven.size(), "drive", "drives"),
                  joined(a.driven), a.driven.size() == 1 ? "controls" : "control", a.rank,
                  counted(std::size_t(a.mobility), "degree of freedom", "degrees of freedom"));
  if (a.under == 0 && a.over == 0) text += "fully actuated";
  if (a.under > 0) text += fmt::format("underactuated by {}", a.under);
  if (a.over > 0) text += fmt::format("{}overactuated by {}", a.under > 0 ? ", " : "", a.over);
  text += "\n";
  if (a.rank > 0 && a.least < 1e-3)
    text += fmt::format(
        "  near a pose where the drives lose a motion: ratio of "
        "singular values {:.2g}\n",
        a.least);
  text += lines(a.uncontrollable_modes, [](const std::vector<std::string>& motion) {
    return "  no drive controls the motion of: " + joined(motion) + "\n";
  });
  return text;
}

// Equal arms are one line.
std::string arms_text(const std::vector<Arm>& arms) {
  struct Group {
    const Arm* arm;
    std::string ability;
    std::size_t count = 0;
  };
  std::vector<Group> groups;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places;
  for (const Arm& arm : arms) {
    const std::string ability = ability_text(arm);
    const auto [place, is_new] = places.try_emplace({arm.base, arm.tip, ability}, groups.size());
    if (is_new) groups.push_back({&arm, ability});
    ++groups[place->second].count;
  }
  return lines(groups, [](const Group& group) {
    return fmt::format("  {} to {}: {}{}\n", group.arm->base, group.arm->tip,
                       group.count > 1 ? fmt::format("{} arms, each ", group.count) : "",
                       group.ability);
  });
}

Json graph_json(const Model& model, const Structure& structure) {
  const Topology& graph = structure.graph;
  Json out{{"kind", to_string(graph.kind)},
           {"form", to_string(graph.form)},
           {"floats", graph.floats},
           {"bodies", graph.nodes},
           {"joints", graph.edges},
           {"loops", graph.loops},
           {"internal_loops", graph.internal_loops},
           {"most_joints", graph.most_joints}};
  for (const char* key :
       {"holonomic", "rheonomic", "catastatic", "configuration", "growth", "hidden"})
    out[key] = nullptr;
  if (structure.reach) {
    out["configuration"] = structure.reach->configuration;
    out["growth"] = structure.reach->growth;
    out["hidden"] = structure.reach->hidden;
  }
  if (structure.nature) {
    out["holonomic"] = structure.nature->is_holonomic;
    out["rheonomic"] = structure.nature->is_rheonomic;
    out["catastatic"] = structure.nature->is_catastatic;
  }
  out["most_joined"] = graph.most_joints > 0 ? Json(model[graph.most_joined].name) : Json(nullptr);
  out["reference"] = graph.reference ? Json(model[*graph.reference].name) : Json(nullptr);
  return out;
}

Json lengths_json(const Mobility& mobility) {
  Json out = Json::array();
  for (const auto& [name, by, along] : mobility.lengths) {
    const double axes[] = {along.x, along.y, along.z};
    const bool is_place = dot(along, along) > 0;
    out.push_back({{"name", name},
                   {"by", answer_json(list_answer({"by"}, {&by, 1}, {"m"}))},
                   {"along", is_place ? answer_json(list_answer({"x", "y", "z"}, axes, {"1"}))
                                      : Json(nullptr)}});
  }
  return out;
}

Json undecided_json(const Mobility& mobility) {
  Json list = Json::array();
  for (const Mobility::Undecided& row : mobility.undecided)
    list.push_back(
        {{"row", row.row}, {"length", number_json(row.length)}, {"bound", number_json(row.bound)}});
  return list;
}

Json mobility_json(const Structure& structure) {
  const Mobility& mobility = *structure.mobility;
  const bool is_near = mobility.verdict == Mobility::Verdict::nearly_overconstrained;
  return {{"finite", mobility.finite},
          {"instantaneous", mobility.instantaneous},
          {"verdict", to_string(mobility.verdict)},
          {"dofs", mobility.dofs},
          {"rows", mobility.rows},
          {"rank", mobility.rank},
          {"gruebler", mobility.gruebler},
          {"planar_gruebler",
           structure.planar_gruebler ? Json(*structure.planar_gruebler) : Json(nullptr)},
          {"least", number_json(mobility.least)},
          {"dropped", mobility.dropped ? number_json(*mobility.dropped) : Json(nullptr)},
          {"tolerance", number_json(mobility.tolerance)},
          {"digits", number_json(mobility.digits)},
          {"dependent", mobility.dependent},
          {"undecided", undecided_json(mobility)},
          {"blocked_by", structure.blocked_by},
          {"lengths", lengths_json(mobility)},
          {"finite_nearby", is_near ? Json(mobility.finite_nearby) : Json(nullptr)},
          {"unique_reactions", structure.chosen ? Json(structure.chosen->empty()) : Json(nullptr)},
          {"chosen_reactions", structure.chosen.value_or(std::vector<std::string>{})},
          {"solver", structure.solver ? Json(to_string(*structure.solver)) : Json(nullptr)}};
}

Json actuation_json(const Actuation& actuation) {
  return {{"mobility", actuation.mobility},
          {"driven", actuation.driven},
          {"rank", actuation.rank},
          {"under", actuation.under},
          {"over", actuation.over},
          {"least", number_json(actuation.least)},
          {"uncontrollable_modes", actuation.uncontrollable_modes}};
}

Json arms_json(const std::vector<Arm>& arms) {
  Json out = Json::array();
  for (const Arm& arm : arms)
    out.push_back({{"base", arm.base},
                   {"tip", arm.tip},
                   {"joints", arm.joints},
                   {"dofs", arm.dofs},
                   {"wanted", arm.wanted},
                   {"rank", arm.rank},
                   {"generic_rank", arm.generic_rank},
                   {"least", number_json(arm.least)},
                   {"ability", to_string(arm.ability())},
                   {"usual_ability", to_string(arm.usual_ability())}});
  return out;
}

}  // namespace trammel::cli
