#include "trammel/base/aligned.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

namespace trammel::aligned_test {
namespace {

template <class T> bool begins_at_a_line(const AlignedVector<T>& x) {
  return reinterpret_cast<std::uintptr_t>(x.data()) % cache_line == 0;
}

TEST(AlignedVector, begins_where_a_cache_line_does_however_it_came_about) {
  for (std::size_t n = 1; n < 200; ++n) {
    AlignedVector<double> made(n, 1.5);
    const AlignedVector<double> copied = made;
    EXPECT_TRUE(begins_at_a_line(made) && begins_at_a_line(copied)) << n;
    made.push_back(2.5);  // reallocates
    EXPECT_TRUE(begins_at_a_line(made)) << n;
    EXPECT_EQ(made.front() + made.back(), 4.0);
    const AlignedVector<double> moved = std::move(made);
    EXPECT_TRUE(begins_at_a_line(moved)) << n;
  }
}

TEST(AlignedVector, of_what_asks_for_more_gets_more) {
  struct alignas(128) Wide {
    double x = 0;
  };
  const AlignedVector<Wide> wide(3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide.data()) % 128, 0u);
}

}  // namespace
}  // namespace trammel::aligned_test
