// Validation of a joint: its axes, drive, springs and limits.
#pragma once

#include <string>

#include "trammel/base/diagnostics.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel {

// Unit of the entries of a list: degrees of freedom, or coordinates of a joint.
enum class EntryKind { dof, coordinate };
// "3 degrees of freedom", "1 coordinate".
std::string counted(int count, EntryKind kind);

// Precondition: all numbers of the joint are finite.
void check_joint(const JointDescription& joint, const Values<double>& value,
                 const BuildOptions& options, Diagnostics& diagnostics);

}  // namespace trammel
