#include "trammel/constraint/in_the_way.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trammel/constraint/closing.hpp"

namespace trammel {

namespace {

// With more of them, none is tried alone.
constexpr std::size_t most_holders = 12;

// "joint 'a'", "joints 'a', 'b'"
std::string joint_names(const Model& model, const std::vector<JointId>& joints) {
  std::string names;
  for (const JointId id : joints)
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", model[id].name);
  return (joints.size() == 1 ? "joint " : "joints ") + names;
}

// Owner names of couplings, locked and prescribed joints.
std::vector<std::string> holders_of(const Model& model) {
  const Rows rows(model);
  std::vector<std::string> names;
  for (int k = rows.planned_start() - int(model.couplings().size()); k < rows.count(); ++k)
    if (rows.is_holonomic(k)) names.push_back(rows.holder_names()[std::size_t(rows.holder(k))]);
  return names;
}

bool closes(const Model& model, Workspace& workspace, const AssemblyOptions& options,
            const std::vector<std::string>& let_go, const std::vector<double>& guess) {
  Closing closing(model, workspace, options, let_go);
  for (int nudge = 0; nudge <= std::min(options.nudges, 4); ++nudge) {
    std::vector<double> q =
        nudge == 0 ? guess : closing.beside(guess, unsigned(nudge), 0.2 * nudge);
    if (closing.is_closed(closing.close(q))) return true;
  }
  return false;
}

}  // namespace

std::string in_the_way(const Model& model, Workspace& workspace, const AssemblyOptions& options,
                       const std::vector<double>& guess) {
  const std::vector<std::string> holders = holders_of(model);
  AssemblyOptions freely = options;
  freely.keep.clear();
  const bool keeps = !options.keep.empty();
  if (!keeps && holders.empty()) return {};
  if (!closes(model, workspace, freely, holders, guess)) return {};

  // each of them alone
  std::vector<std::string> helps;
  const bool is_kept_too_much = keeps && closes(model, workspace, freely, {}, guess);
  if (is_kept_too_much) helps.push_back("keeping " + joint_names(model, options.keep));
  if (holders.size() <= most_holders)
    for (const std::string& holder : holders)
      if (closes(model, workspace, options, {holder}, guess)) helps.push_back(holder);
  if (helps.empty()) {
    std::string all = keeps ? "keeping " + joint_names(model, options.keep) : "";
    for (const std::string& holder : holders) all += (all.empty() ? "" : ", ") + holder;
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
