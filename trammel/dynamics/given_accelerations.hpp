// For this room and those that build on it.
#pragma once

#include "trammel/dynamics/question.hpp"

namespace trammel {

// Where accelerations are the answer, only those of joints driven by motion may be given: of others
// inputs.a would be ignored.
Status check_given_accelerations(const Question& question);

}  // namespace trammel
