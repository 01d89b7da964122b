// One model file, from its text to a description.
#pragma once

#include <vector>

#include "trammel/read/load.hpp"
#include "trammel/read/source.hpp"
#include "trammel/read/toml/include.hpp"

namespace trammel {

// Settings that meet a parameter are marked as used; the others are the caller's to tell.
Description read_model(const Source& source, std::vector<ParameterSetting>& settings,
                       Inclusion& inclusion, Diagnostics& diagnostics);

}  // namespace trammel
