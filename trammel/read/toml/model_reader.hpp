// Reads one model file into a description.
#pragma once

#include <vector>

#include "trammel/read/load.hpp"
#include "trammel/read/source.hpp"
#include "trammel/read/toml/include.hpp"

namespace trammel::toml {

// Settings that match a parameter are marked as used; the caller reports the others.
Description read_model(const Source& source, std::vector<ParameterSetting>& settings,
                       Inclusion& inclusion, Diagnostics& diagnostics);

}  // namespace trammel::toml
