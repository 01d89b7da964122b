#include "trammel/constraint/assembly/assembly_blockers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trammel/constraint/assembly/assembly_solver.hpp"

namespace trammel {

namespace {

// With more of them, none is tried alone.
constexpr std::size_t most_owners = 12;

// "joint 'a'", "joints 'a', 'b'"
std::string joint_names(const Model& model, const std::vector<JointId>& joints) {
  std::string names;
  for (const JointId id : joints)
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", model[id].name);
  return (joints.size() == 1 ? "joint " : "joints ") + names;
}

// Owner names of couplings, locked and prescribed joints.
std::vector<std::string> owners_of(const Model& model) {
  const ConstraintRows rows(model);
  std::vector<std::string> names;
  for (int k = rows.coupling_start(); k < rows.count(); ++k)
    if (rows.is_holonomic(k)) names.push_back(rows.owner_names()[std::size_t(rows.owner(k))]);
  return names;
}

bool closes(const Model& model, Workspace& workspace, const AssemblyOptions& options,
            const std::vector<std::string>& let_go, const std::vector<double>& guess) {
  AssemblySolver solver(model, workspace, options, let_go);
  for (int nudge = 0; nudge <= std::min(options.nudges, 4); ++nudge) {
    std::vector<double> q =
        nudge == 0 ? guess : solver.perturbed(guess, unsigned(nudge), 0.2 * nudge);
    if (solver.is_closed(solver.close(q))) return true;
  }
  return false;
}

}  // namespace

std::string assembly_blockers(const Model& model, Workspace& workspace,
                              const AssemblyOptions& options, const std::vector<double>& guess) {
  const std::vector<std::string> owners = owners_of(model);
  AssemblyOptions freely = options;
  freely.keep.clear();
  const bool keeps = !options.keep.empty();
  if (!keeps && owners.empty()) return {};
  if (!closes(model, workspace, freely, owners, guess)) return {};

  // each of them alone
  std::vector<std::string> helps;
  const bool is_kept_too_much = keeps && closes(model, workspace, freely, {}, guess);
  if (is_kept_too_much) helps.push_back("keeping " + joint_names(model, options.keep));
  if (owners.size() <= most_owners)
    for (const std::string& owner : owners)
      if (closes(model, workspace, options, {owner}, guess)) helps.push_back(owner);
  if (helps.empty()) {
    std::string all = keeps ? "keeping " + joint_names(model, options.keep) : "";
    for (const std::string& owner : owners) all += (all.empty() ? "" : ", ") + owner;
    return fmt::format(
        "It closes only without these together: {}. Remove some of them, or "
        "place joints elsewhere",
        all);
  }
  std::string words;
  for (const std::string& help : helps)
    words += (words.empty() ? "without " : ", or without ") + help;
  const std::string stays =
      keeps && !is_kept_too_much
          ? fmt::format(" ({} where {} given)", joint_names(model, options.keep),
                        options.keep.size() == 1 ? "it is" : "they are")
          : "";
  return fmt::format("It closes {}{}: remove {}, or place joints elsewhere", words, stays,
                     helps.size() == 1 ? "that" : "one of these");
}

}  // namespace trammel
