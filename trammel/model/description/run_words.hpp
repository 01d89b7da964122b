// Keywords of a [run] section, shared by the readers of files and the simulation.
#pragma once

#include <array>
#include <string_view>

namespace trammel {

inline constexpr std::array<std::string_view, 6> run_methods{
    "dormand-prince", "extrapolation", "radau", "bdf", "rk4", "semi-implicit-euler"};

inline constexpr std::array<std::string_view, 17> run_quantities{
    "positions", "velocities", "accelerations", "efforts", "loops",    "poses",
    "frames",    "distances",  "reactions",     "wheels",  "contacts", "energy",
    "momentum",  "com",        "violations",    "power",   "condition"};

}  // namespace trammel
