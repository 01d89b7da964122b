// Number of memory allocations, counted in malloc and related functions.
#pragma once

namespace bench {

long allocation_count();  // since the start of the program; -1 if not countable

}  // namespace bench
