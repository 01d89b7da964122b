#include "trammel/base/workers.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace trammel {
namespace {

TEST(Workers, each_piece_is_done_once_by_a_worker_that_does_nothing_else) {
  for (const int count : {1, 2, 5}) {
    Workers workers(count);
    ASSERT_EQ(workers.count(), count);
    std::vector<std::atomic<int>> is_at_work(static_cast<std::size_t>(count));
    for (const int pieces : {0, 1, 3, 1000}) {
      std::vector<std::atomic<int>> done(static_cast<std::size_t>(pieces));
      std::atomic<bool> met = false;
      workers.share(pieces, [&](int piece, int worker) {
        if (is_at_work[std::size_t(worker)]++ != 0) met = true;
        ++done[std::size_t(piece)];
        --is_at_work[std::size_t(worker)];
      });
      EXPECT_FALSE(met) << count << " workers";
      for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1) << pieces << " pieces";
    }
  }
}

TEST(Workers, can_be_given_work_again_and_again) {
  Workers workers(3);
  std::vector<long> sums(3);
  long expected = 0;
  for (int round = 0; round < 2000; ++round) {
    workers.share(7, [&](int piece, int worker) { sums[std::size_t(worker)] += piece * round; });
    expected += 21L * round;
  }
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0L), expected);
}

}  // namespace
}  // namespace trammel
