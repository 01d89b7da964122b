// One model file, from its text to a description.
#pragma once

#include <vector>

#include "trammel/read/load.hpp"
#include "trammel/read/source.hpp"
#include "trammel/read/toml/parameters.hpp"

namespace trammel {

Description read_model(const Source& source, std::vector<ParameterSetting>& settings,
                       Diagnostics& diagnostics);

}  // namespace trammel
