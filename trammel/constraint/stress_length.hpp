#pragma once

#include "trammel/model/model.hpp"

namespace trammel {

// The length that measures moments against forces where reactions are a choice [m]: the mean size
// of the bodies. A body is as large as twice the mean distance of its joints from the middle of
// them (a rod with a joint at each end: its length), one with a single joint as large as its centre
// of mass is away from that. All joints count alike, so that it is the same wherever loops are cut;
// ground counts only where no body has a size. 1 where nothing has.
double stress_length(const Model& model);

}  // namespace trammel
