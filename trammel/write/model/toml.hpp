// Writes a description as a model file of the native format (docs/model-format.md): only values
// that differ from the defaults, formulas as formulas, raw sections as their text. Each number is
// the shortest that reads back exactly. Reading the text gives the same mechanism, and writing that
// gives the same text.
//
// A part that formulas share and that is too long to repeat becomes a definition of its own among
// the parameters: shared_1, shared_2, ... The text grows no faster than the graph of the formulas.
#pragma once

#include <string>

#include "trammel/model/description/description.hpp"

namespace trammel {

// Names are UTF-8. Throws std::invalid_argument, with the place, if the format cannot express a
// formula: a comparison (select), a constant that is not finite, or a symbol whose name is not
// allowed in formulas.
[[nodiscard]] std::string write_toml(const Description& description);

}  // namespace trammel
