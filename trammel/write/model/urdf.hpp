// Writes a description as URDF, with a report of all that URDF cannot express: docs/urdf.md.
//
// Formulas become numbers at the nominal parameters. A joint with several degrees of freedom
// becomes a chain of joints with one, `leg_1`, `leg_2`, ..., and massless links between them. In
// URDF the joint frame is also the frame of the child: if they differ, a massless link `<child>_at`
// is inserted. Ground is the root `world`.
#pragma once

#include <string>

#include "trammel/model/description/description.hpp"

namespace trammel {

// Each loss or change of form is a warning in `report`; a joint that URDF cannot express is an
// error, and then the text is empty. Throws ModelError if the description is not a valid model.
[[nodiscard]] std::string write_urdf(const Description& description, Diagnostics& report);

}  // namespace trammel
