#include "trammel/base/workers.hpp"

#include <chrono>
#include <string>
#include <system_error>
#include <utility>

namespace trammel {

namespace {

// Spins, yielding the core, until `happened` or until sleeping is cheaper. Returns whether it
// happened.
template <class Happened> bool soon(const Happened& happened) {
  using Clock = std::chrono::steady_clock;
  constexpr auto waking_up = std::chrono::microseconds(50);
  for (const auto start = Clock::now(); !happened(); std::this_thread::yield())
    if (Clock::now() - start > waking_up) return false;
  return true;
}

}  // namespace

Workers::Workers(int count) {
  try {
    for (int worker = 1; worker < count; ++worker)
      threads_.emplace_back([this, worker] { work_until_over(worker); });
  } catch (const std::system_error& error) {  // end the started threads, or the program aborts
    const std::size_t begun = threads_.size() + 1;
    end();
    throw std::system_error(error.code(), "only " + std::to_string(begun) + " of " +
                                              std::to_string(count) + " threads could be had");
  }
}

Workers::~Workers() { end(); }

void Workers::end() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  work_is_there_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::share(int pieces, Task task) {
  {
    const std::lock_guard lock(mutex_);
    task_ = task;
    pieces_ = pieces;
    next_ = 0;
    busy_ = int(threads_.size());
    ++round_;
  }
  work_is_there_.notify_all();
  take_pieces(0);
  wait();
  if (failure_) [[unlikely]]
    std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Workers::wait() {
  const auto all_are_done = [&] { return busy_ == 0; };
  if (soon(all_are_done)) return;
  std::unique_lock lock(mutex_);
  all_is_done_.wait(lock, all_are_done);
}

void Workers::take_pieces(int worker) {
  try {
    for (int piece = next_++; piece < pieces_; piece = next_++)
      task_.call(task_.what, piece, worker);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    next_ = pieces_;
  }
}

void Workers::work_until_over(int worker) {
  for (unsigned seen = 0;; ++seen) {  // the next round begins when all have finished this one
    const auto is_given = [&] { return round_ != seen; };
    if (!soon(is_given)) {
      std::unique_lock lock(mutex_);
      work_is_there_.wait(lock, [&] { return is_over_ || is_given(); });
      if (is_over_) return;
    }
    take_pieces(worker);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) all_is_done_.notify_one();
  }
}

}  // namespace trammel
