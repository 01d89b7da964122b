#pragma once

#include <string>

namespace trammel {

// Path of the folder tests/ of the sources. A function and not a macro: a path of one clone on
// every command line would prevent ccache from sharing objects between clones.
std::string test_folder();

}  // namespace trammel
