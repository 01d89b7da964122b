// Reader for the native model format: docs/model-format.md describes it.
#pragma once

#include <vector>

#include "trammel/read/load.hpp"
#include "trammel/read/source.hpp"
#include "trammel/read/toml/include.hpp"

namespace trammel::toml {

// Reads a model file with the files that it includes. Reports settings (options.set) that match no
// parameter.
Description read_description(const Source& source, const ReadOptions& options,
                             Diagnostics& diagnostics);

// Reads one of these files. Settings that match a parameter are marked as used.
Description read_model(const Source& source, std::vector<ParameterSetting>& settings,
                       Inclusion& inclusion, Diagnostics& diagnostics);

}  // namespace trammel::toml
