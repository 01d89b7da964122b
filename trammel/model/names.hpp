// Who is meant by each name? Reports names that are missing, taken, or unknown.
#pragma once

#include <string>
#include <vector>

#include "trammel/base/diagnostics.hpp"
#include "trammel/model/description.hpp"

namespace trammel {

inline constexpr int unknown = -1;

// Bodies are numbered as said, from 1; 0 is ground.
struct ResolvedNames {
  struct Ends {
    int parent = unknown, child = unknown;
    bool are_sound() const { return parent != unknown && child != unknown && parent != child; }
  };
  std::vector<Ends> joints;
  std::vector<int> frames;  // the body each frame is on
  // Bodies with a mistake in their own name or in a joint of theirs: who knows what carries them?
  std::vector<int> doubtful;
};

ResolvedNames resolve_names(const Description& description, Diagnostics& diagnostics);

// Whose coordinate a term of a coupling, or a controller, means: "elbow", the only one it has, or
// "wrist[1]".
struct CoordinateName {
  std::string joint;
  int k = -1;  // -1: not said
};
CoordinateName coordinate_named(const std::string& text);

// Parameters: names that are missing or taken, and letters in formulas that are none of them.
void check_parameter_names(const Description& description, Diagnostics& diagnostics);

}  // namespace trammel
