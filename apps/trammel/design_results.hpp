// Results of `trammel design`, as text and as JSON.
#pragma once

#include <optional>
#include <string>

#include "answer.hpp"
#include "terminal.hpp"
#include "trammel/design/dexterity.hpp"
#include "trammel/design/isotropy.hpp"
#include "trammel/design/model_layout.hpp"

namespace trammel::cli {

struct DesignResults {
  std::string title, place_name;
  std::string length_is = {};  // origin of the length, in words
  double length = 1;
  double roller_radius = 0;             // 0: not given
  ModelLayout layout = {};              // empty if there are no wheels
  std::optional<Dexterity> moved = {};  // of a model, from the rates of its drives
  // Jacobian from platform motion to hub rates, at the length
  std::optional<Conditioning> hubs = {};
  std::optional<LayoutSearch> search = {};

  // Evaluates `hubs`; does nothing unless all wheels have rollers.
  void evaluate_hubs();
};

// Reason of the singularity in words; empty if it is not singular.
std::string singular_reason(const DesignResults& results);

std::string design_text(const DesignResults& results, const Terminal& terminal);
Json design_json(const DesignResults& results);
// The layout as a table that `trammel generate platform` reads.
std::string design_table(const DesignResults& results);

}  // namespace trammel::cli
