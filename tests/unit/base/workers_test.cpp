#include "trammel/base/workers.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace trammel::workers_test {
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

// Workers spin for a while, then sleep: new work arrives in both states.
TEST(Workers, wake_up_when_they_have_fallen_asleep) {
  Workers workers(3);
  for (const auto pause : {std::chrono::microseconds(0), std::chrono::microseconds(40),
                           std::chrono::microseconds(60), std::chrono::microseconds(2000)})
    for (int round = 0; round < 50; ++round) {
      std::atomic<int> done = 0;
      workers.share(5, [&](int, int) { ++done; });
      ASSERT_EQ(done, 5) << "after " << pause.count() << " us";
      std::this_thread::sleep_for(pause);
    }
}

TEST(Workers, pass_on_an_exception_and_can_be_used_again) {
  for (const int count : {1, 3}) {
    Workers workers(count);
    for (const int thrower : {0, 40, 99})
      EXPECT_THROW(workers.share(100,
                                 [&](int piece, int) {
                                   if (piece == thrower) throw std::runtime_error("no memory");
                                 }),
                   std::runtime_error);
    std::atomic<int> done = 0;
    workers.share(7, [&](int, int) { ++done; });
    EXPECT_EQ(done, 7) << count << " workers";
  }
}

TEST(Workers, wait_for_the_one_that_takes_longest) {
  Workers workers(2);
  std::atomic<bool> is_done = false;
  workers.share(2, [&](int piece, int) {
    if (piece == 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    is_done = true;
  });
  EXPECT_TRUE(is_done);
}

}  // namespace
}  // namespace trammel::workers_test
