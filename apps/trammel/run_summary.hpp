// How a run went, for people and for programs.
#pragma once

#include "answer.hpp"
#include "trammel/write/run_record.hpp"

namespace trammel::cli {

std::string summary_text(const RunRecord& run);
Json summary_json(const RunRecord& run);
// Empty where energy is kept, or need not be.
std::string energy_warning(const RunRecord& run);

}  // namespace trammel::cli
