#include "run_summary.hpp"

#include <fmt/format.h>

namespace trammel::cli {

std::string summary_text(const RunRecord& run) {
  const RunFacts& facts = run.facts;
  const AuditNumbers& audit = run.audit;
  std::string text = fmt::format(
      "{}: {} steps of {} ({} rejected), {:.3g} to {:.3g} s long, {} samples, {:.3g} s for "
      "{:.6g} s\n",
      run.card.model_name, facts.steps, to_string(run.card.options.method), facts.rejected,
      facts.shortest, facts.longest, run.recording.samples(), run.seconds, facts.end);
  text +=
      fmt::format("energy  {:.9g} J at the start, {} by at most {:.2g} J\n", audit.energy_at_start,
                  audit.must_keep_energy ? "kept: it differs" : "changes", audit.energy_change);
  if (run.card.has_loops)
    text += fmt::format("loops   open by at most {:.2g} m, {:.2g} m/s\n", audit.largest_gap,
                        audit.largest_gap_rate);
  return text;
}

Json summary_json(const RunRecord& run) {
  const RunFacts& facts = run.facts;
  const AuditNumbers& audit = run.audit;
  Json json{{"model", run.card.model_name},
            {"method", to_string(run.card.options.method)},
            {"end", facts.end},
            {"is_complete", run.is_complete},
            {"steps", facts.steps},
            {"rejected", facts.rejected},
            {"accelerations", facts.slopes},
            {"samples", run.recording.samples()},
            {"seconds", run.seconds},
            {"energy",
             {{"start", audit.energy_at_start},
              {"largest_change", audit.energy_change},
              {"largest_kinetic", audit.largest_kinetic},
              {"must_be_kept", audit.must_keep_energy}}},
            {"loops",
             {{"largest_gap", audit.largest_gap}, {"largest_gap_rate", audit.largest_gap_rate}}}};
  if (!run.is_complete)
    json["stopped"] = run.stopped.empty() ? "it was ended from outside" : run.stopped;
  return json;
}

}  // namespace trammel::cli
