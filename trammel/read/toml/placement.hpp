// Placements in files: { xyz, rpy }, rotations by quaternion or axis and angle, and a rotation of
// the whole about an axis of the frame it is in.
#pragma once

#include "trammel/read/toml/table_reader.hpp"

namespace trammel::toml {

// The table of a placement, as xyz and rpy.
Placement read_placement(TableReader& reader);

}  // namespace trammel::toml
