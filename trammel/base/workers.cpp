#include "trammel/base/workers.hpp"

namespace trammel {

Workers::Workers(int count) {
  for (int worker = 1; worker < count; ++worker)
    threads_.emplace_back([this, worker] { wait_for_work(worker); });
}

Workers::~Workers() {
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
  std::unique_lock lock(mutex_);
  all_is_done_.wait(lock, [&] { return busy_ == 0; });
}

void Workers::take_pieces(int worker) {
  for (int piece = next_++; piece < pieces_; piece = next_++) task_.call(task_.what, piece, worker);
}

void Workers::wait_for_work(int worker) {
  for (int seen = 0;;) {
    {
      std::unique_lock lock(mutex_);
      work_is_there_.wait(lock, [&] { return is_over_ || round_ != seen; });
      if (is_over_) return;
      seen = round_;
    }
    take_pieces(worker);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) all_is_done_.notify_one();
  }
}

}  // namespace trammel
