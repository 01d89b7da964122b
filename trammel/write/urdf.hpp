// A description as URDF, with a report of what URDF cannot say: docs/urdf.md.
//
// Formulas become numbers at the nominal parameters. A joint of several freedoms becomes a chain of
// joints of one, `leg_1`, `leg_2`, ..., with links between that weigh nothing. URDF has a joint's
// frame and its child's frame be one: where they are two, a link `<child>_at` comes between, which
// weighs nothing either. Ground is the root `world`.
#pragma once

#include <string>

#include "trammel/model/description.hpp"

namespace trammel {

// What is lost, or kept in another form, is a warning in `report`; a joint that URDF cannot say at
// all is an error, and then the text is empty. Throws ModelError if the description is no model.
[[nodiscard]] std::string write_urdf(const Description& description, Diagnostics& report);

}  // namespace trammel
