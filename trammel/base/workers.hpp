// Thread pool for work that is divided into pieces. Starting the threads costs once; giving them
// work allocates nothing. Idle threads spin for about as long as waking up takes, then sleep, so
// work that follows at once begins at once.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace trammel {

class Workers {
 public:
  // Starts count - 1 threads, since the caller works too. Throws std::system_error if the machine
  // grants fewer.
  explicit Workers(int count);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int count() const { return int(threads_.size()) + 1; }

  // Calls work(piece, worker) once for each piece from 0 to pieces - 1; worker is from 0 to count()
  // - 1, and no two calls with the same worker run at once. Returns when all are done. If a call
  // throws, pieces not begun are left out, and one of the exceptions is passed on. One caller at a
  // time.
  template <class Work> void share(int pieces, const Work& work) {
    share(pieces, {&work, [](const void* what, int piece, int worker) {
                     (*static_cast<const Work*>(what))(piece, worker);
                   }});
  }

 private:
  struct Task {
    const void* what = nullptr;
    void (*call)(const void* what, int piece, int worker) = nullptr;
  };
  void share(int pieces, Task task);
  void end();
  void wait();
  void take_pieces(int worker);
  void work_until_over(int worker);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable work_is_there_, all_is_done_;
  Task task_;
  std::atomic<int> next_{0};
  int pieces_ = 0;
  std::atomic<unsigned> round_{0};  // number of rounds of work so far
  std::atomic<int> busy_{0};        // threads that have not finished this round
  std::exception_ptr failure_;      // of this round
  bool is_over_ = false;
};

}  // namespace trammel
