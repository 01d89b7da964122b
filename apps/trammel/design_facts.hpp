// What is found of a design, as text for people and as JSON.
#pragma once

#include <optional>
#include <string>

#include "answer.hpp"
#include "terminal.hpp"
#include "trammel/design/dexterity.hpp"
#include "trammel/design/isotropy.hpp"
#include "trammel/design/model_layout.hpp"

namespace trammel::cli {

struct DesignFacts {
  std::string title, place_name;
  std::string length_is = {};  // where the length comes from, in words
  double length = 1;
  double roller_radius = 0;               // 0: not said
  ModelLayout layout = {};                // wheels, if there are any
  std::optional<Dexterity> moved = {};    // of a model, by its drives
  std::optional<Conditioning> hubs = {};  // of the hubs' rates by the motion, at the length
  std::optional<LayoutSearch> search = {};

  // Of wheels with rollers alone: their Jacobian is looked at.
  void look_at_hubs();
};

// In words; empty where it is not singular.
std::string singular_reason(const DesignFacts& facts);

std::string design_text(const DesignFacts& facts, const Terminal& terminal);
Json design_json(const DesignFacts& facts);
// The layout as a table that `trammel assemble platform` reads.
std::string design_table(const DesignFacts& facts);

}  // namespace trammel::cli
