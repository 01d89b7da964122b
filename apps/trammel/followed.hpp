// A vehicle along a path, as tables for people and for programs.
#pragma once

#include <optional>

#include "answer.hpp"
#include "path_options.hpp"
#include "trammel/simulate/follow.hpp"
#include "trammel/simulate/recorder.hpp"

namespace trammel::cli {

// What was found, as far as was asked: OMNI's levels.
struct FollowedFacts {
  const Model& model;
  const ChosenPath& chosen;
  int level = 4;  // 1 rates and accelerations, 2 positions, 3 efforts, 4 errors
  Followed plan = {};
  std::optional<FollowErrors> errors = {};  // of level 4
  std::vector<std::string> left_out = {};   // inputs, controllers and wrenches of the model
};

// Sample after sample, with names and units: the path, then what the level tells.
Recording samples_of(const FollowedFacts& facts);

// The extremes of each, and when: "joints", "rollers", "drives", "errors".
Answers extremes_of(const FollowedFacts& facts);
Json followed_json(const FollowedFacts& facts);

}  // namespace trammel::cli
