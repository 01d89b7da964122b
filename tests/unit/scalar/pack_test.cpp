#include "trammel/scalar/pack.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

namespace trammel::pack_test {
namespace {

// Each number encodes its position: row and lane.
template <int N> void expect_turned_over() {
  Pack<N> square[N];
  for (int i = 0; i < N; ++i)
    square[i] = Pack<N>(typename Pack<N>::Simd([i](auto lane) { return 10.0 * i + double(lane); }));
  transpose(square);
  for (int i = 0; i < N; ++i)
    for (int lane = 0; lane < N; ++lane) EXPECT_EQ(square[i][lane], 10.0 * lane + i);
}

template <int N> void expect_selected() {
  const Pack<N> yes = Pack<N>(typename Pack<N>::Simd([](auto lane) { return 1.0 + double(lane); }));
  for (int count = 0; count <= N; ++count) {
    const Pack<N> some = select(Pack<N>::is_before(count), yes, Pack<N>(-1.0));
    for (int lane = 0; lane < N; ++lane) EXPECT_EQ(some[lane], lane < count ? 1.0 + lane : -1.0);
  }
}

}  // namespace

TEST(Pack, a_number_is_the_same_in_all_lanes_to_its_sign) {
  for (const double x : {0.0, -0.0, 0.1, -1e300, std::numeric_limits<double>::infinity()}) {
    const Pack<native_lanes> everywhere(x);
    for (int lane = 0; lane < native_lanes; ++lane)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(everywhere[lane]), std::bit_cast<std::uint64_t>(x));
  }
}

TEST(Pack, lanes_are_chosen_one_by_one) {
  expect_selected<2>();
  expect_selected<native_lanes>();
}

TEST(Pack, square_is_turned_over) {
  expect_turned_over<2>();
  expect_turned_over<native_lanes>();
}

}  // namespace trammel::pack_test
