// Summary of a run, as text and as JSON.
#pragma once

#include "answer.hpp"
#include "trammel/write/run/run_record.hpp"

namespace trammel::cli {

std::string summary_text(const RunRecord& run);
Json summary_json(const RunRecord& run);
// Empty if energy is conserved, or need not be.
std::string energy_warning(const RunRecord& run);

}  // namespace trammel::cli
