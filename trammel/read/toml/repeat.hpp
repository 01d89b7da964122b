// Repeated items: `repeat = 6` in an item makes six of it, as xacro loops and MJCF's replicate do.
#pragma once

#include "trammel/read/toml/document.hpp"
#include "trammel/read/toml/report.hpp"

namespace trammel::toml {

// Replaces each item of the document that has the key `repeat` by its copies, before anything is
// read: copy number k = 1, 2, ... has the name of the item with k behind it, and k in place of
// every "{i}" in its names, formulas and keys ("{i+1}" and "{i-1}" are its neighbors). With `about`
// the placement `at` of copy k is rotated by (k - 1) steps about an axis.
void expand_repeats(Value& document, Report& report);

}  // namespace trammel::toml
