// Reader for URDF, as ROS defines it: http://wiki.ros.org/urdf/XML
#pragma once

#include "trammel/read/load.hpp"
#include "trammel/read/source.hpp"

namespace trammel {

Description read_urdf(const Source& source, const ReadOptions& options, Diagnostics& diagnostics);

}  // namespace trammel
