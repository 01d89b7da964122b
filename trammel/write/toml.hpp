// A description as a model file of the native format (docs/model-format.md): only what differs from
// the defaults, formulas as formulas, kept sections as their text. Numbers are as short as reading
// them back exactly allows. What is read from the text is the same mechanism, and is written as the
// same text.
//
// A part that formulas share and that is too long to repeat becomes a definition of its own among
// the parameters: shared_1, shared_2, ... The text grows no faster than the graph of the formulas.
#pragma once

#include <string>

#include "trammel/model/description.hpp"

namespace trammel {

// Names are UTF-8. Throws std::invalid_argument, and says where, if a formula cannot be said in a
// file: one that compares (select), or with a constant that is not finite, or of a letter whose
// name no formula can spell.
[[nodiscard]] std::string write_toml(const Description& description);

}  // namespace trammel
