// Reader for the native model format: docs/model-format.md describes it.
#pragma once

#include "trammel/read/load.hpp"
#include "trammel/read/source.hpp"

namespace trammel::toml {

Description read_description(const Source& source, const ReadOptions& options,
                             Diagnostics& diagnostics);

}  // namespace trammel::toml
