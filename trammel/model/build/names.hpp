// Name resolution of a description. Reports names that are missing, duplicate or unknown.
#pragma once

#include <string>
#include <vector>

#include "trammel/base/diagnostics.hpp"
#include "trammel/model/description/description.hpp"

namespace trammel {

inline constexpr int unknown = -1;

// Bodies are numbered in the order of the description, from 1; 0 is ground.
struct ResolvedNames {
  struct Ends {
    int parent = unknown, child = unknown;
    bool are_sound() const { return parent != unknown && child != unknown && parent != child; }
  };
  std::vector<Ends> joints;
  std::vector<int> frames;  // the body each frame is on
  // Bodies with an error in their own name or in one of their joints: it is unknown what carries
  // them.
  std::vector<int> doubtful;
};

ResolvedNames resolve_names(const Description& description, Diagnostics& diagnostics);

// Coordinate named by a term of a coupling, a controller or an event: "elbow", its only coordinate,
// or "wrist.turn2", for which "wrist[1]" stands, too.
struct CoordinateName {
  std::string joint;
  int k = -1;  // -1: not given
};
CoordinateName coordinate_named(const std::string& text, const Description& description);

// Parameters: reports names that are missing or duplicate, and symbols in formulas that are not
// parameters.
void check_parameter_names(const Description& description, Diagnostics& diagnostics);

}  // namespace trammel
