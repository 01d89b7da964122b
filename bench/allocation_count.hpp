// How often has memory been asked for? Counted in malloc and its kin, where all of it comes from.
#pragma once

namespace bench {

long allocation_count();  // since the start of the program; -1 where it cannot be counted

}  // namespace bench
