// The words by which events of a run are told that question its result: one wording for those who
// report them and for those who count them.
#pragma once

namespace trammel::event_words {

inline constexpr const char* limit_passed = "is passed, it is no stop without a restitution";
inline constexpr const char* would_lift = "would lift: the floor has to pull it down from here on";
inline constexpr const char* would_slip = "would slip: it needs more friction than";

}  // namespace trammel::event_words
