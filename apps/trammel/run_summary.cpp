#include "run_summary.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "numbers.hpp"

namespace trammel::cli {

namespace {

// Integration method and its steps.
std::string way_of(const RunRecord& run) {
  const RunStatistics& statistics = run.statistics;
  if (run.metadata.mode != "dynamic")
    return fmt::format("along the prescribed motions ({})", run.metadata.mode);
  return fmt::format("{} of {} ({} rejected), {:.3g} to {:.3g} s long",
                     counted(std::size_t(statistics.steps), "step", "steps"),
                     to_string(run.metadata.options.method), statistics.rejected,
                     statistics.shortest, statistics.longest);
}

// Reference value for an energy difference.
std::string share_text(const AuditNumbers& audit) {
  return fmt::format(", {:.2g} of the largest kinetic energy of {:.3g} J (conserved: at most {:g})",
                     audit.energy_change / audit.largest_kinetic, audit.largest_kinetic,
                     conserved_energy_share);
}

}  // namespace

std::string energy_warning(const RunRecord& run) {
  const AuditNumbers& audit = run.audit;
  if (!audit.must_conserve_energy || energy_is_conserved(audit)) return {};
  return fmt::format(
      "warning: energy is NOT conserved, though no force adds or removes any: it changes by "
      "{:.2g} J{}; take a smaller --step or --tolerance, or angles nearer to 0",
      audit.energy_change, share_text(audit));
}

std::string summary_text(const RunRecord& run) {
  const RunStatistics& statistics = run.statistics;
  const AuditNumbers& audit = run.audit;
  const bool is_lost = audit.must_conserve_energy && !energy_is_conserved(audit);
  std::string text = fmt::format("{}: {}, {}, {:.3g} s for {:.6g} s\n", run.metadata.model_name,
                                 way_of(run), counted(run.recording.samples(), "sample", "samples"),
                                 run.seconds, statistics.end);
  text += fmt::format("energy  {:.9g} J at the start, {} by at most {:.2g} J{}\n",
                      audit.energy_at_start,
                      !audit.must_conserve_energy ? "changes"
                      : is_lost                   ? "NOT conserved: it changes"
                                                  : "conserved: it changes",
                      audit.energy_change, is_lost ? share_text(audit) : "");
  if (run.metadata.has_loops)
    text += fmt::format("loops   violated by at most {:.2g} m, {:.2g} m/s\n",
                        audit.largest_violation, audit.largest_violation_rate);
  constexpr std::size_t most = 12;
  for (std::size_t k = 0; k < std::min(most, statistics.events.size()); ++k) {
    const auto& [time, what, lost] = statistics.events[k];
    text += fmt::format("{:<7} {}{}\n", fmt::format("{:.6g} s", time), what,
                        lost > 0 ? fmt::format(", {:.3g} J lost", lost) : "");
  }
  if (statistics.events.size() > most)
    text += fmt::format("and {} more; --json has them\n", statistics.events.size() - most);
  return text;
}

Json summary_json(const RunRecord& run) {
  const RunStatistics& statistics = run.statistics;
  const AuditNumbers& audit = run.audit;
  Json json{{"model", run.metadata.model_name},
            {"mode", run.metadata.mode},
            {"method", to_string(run.metadata.options.method)},
            {"end", statistics.end},
            {"is_complete", run.is_complete},
            {"steps", statistics.steps},
            {"rejected", statistics.rejected},
            {"accelerations", statistics.evaluations},
            {"samples", run.recording.samples()},
            {"seconds", run.seconds},
            {"energy",
             {{"start", audit.energy_at_start},
              {"largest_change", audit.energy_change},
              {"largest_kinetic", audit.largest_kinetic},
              {"must_be_conserved", audit.must_conserve_energy},
              {"is_conserved",
               audit.must_conserve_energy ? Json(energy_is_conserved(audit)) : Json(nullptr)}}},
            {"loops",
             {{"largest_violation", audit.largest_violation},
              {"largest_violation_rate", audit.largest_violation_rate}}}};
  json["events"] = Json::array();
  for (const auto& [time, what, lost] : statistics.events)
    json["events"].push_back({{"time", time}, {"what", what}, {"energy_lost", lost}});
  if (!run.is_complete)
    json["stopped"] = run.stopped.empty() ? "the run was interrupted" : run.stopped;
  return json;
}

}  // namespace trammel::cli
