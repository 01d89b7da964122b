#pragma once

#include "trammel/model/model.hpp"

namespace trammel {

// Length that makes moments comparable with forces in minimum-norm reactions [m]: the mean size of
// the bodies. Size of a body: twice the mean distance of its joints from their centroid (a rod with
// a joint at each end: its length); with a single joint, the distance of the center of mass from
// it. All joints count alike, so the length does not depend on where loops are cut; ground counts
// only if no body has a size. 1 if nothing has a size.
double stress_length(const Model& model);

}  // namespace trammel
