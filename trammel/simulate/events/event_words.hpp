// Wording of events that cast doubt on a result, shared by the code that reports them and the code
// that counts them.
#pragma once

namespace trammel::event_words {

inline constexpr const char* limit_passed = "is passed, it is no stop without a restitution";
inline constexpr const char* would_lift = "would lift: the floor has to pull it down from here on";
inline constexpr const char* would_slip = "would slip: it needs more friction than";

}  // namespace trammel::event_words
