// Reader for URDF, as ROS defines it: http://wiki.ros.org/urdf/XML
#pragma once

#include "trammel/read/load.hpp"
#include "trammel/read/source.hpp"

namespace trammel::urdf {

Description read_description(const Source& source, const ReadOptions& options,
                             Diagnostics& diagnostics);

}  // namespace trammel::urdf
