// Model summary of `trammel info`.
#pragma once

#include <string>

#include "answer.hpp"
#include "numbers.hpp"
#include "structure.hpp"
#include "terminal.hpp"
#include "trammel/model/model.hpp"

namespace trammel::cli {

Json statistics_json(const Model& model, const Structure& structure);
std::string statistics_text(const Model& model, const Structure& structure,
                            const NumberFormat& format, const Terminal& terminal);

std::string to_string(Drive drive);
std::string to_string(NamedJoint::Role role);
double total_mass(const Model& model);  // of all bodies, also of those fixed to ground

}  // namespace trammel::cli
