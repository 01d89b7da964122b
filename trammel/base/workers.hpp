// A few threads that share work which can be cut into pieces. Starting them costs once; giving them
// work allocates nothing. In between they look out for more for about as long as waking up takes,
// then sleep: work that follows at once is begun at once.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace trammel {

class Workers {
 public:
  // The caller counts: count - 1 threads are started. Throws std::system_error where the machine
  // gives fewer.
  explicit Workers(int count);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int count() const { return int(threads_.size()) + 1; }

  // Calls work(piece, worker) once for each piece from 0 to pieces - 1; worker is from 0 to
  // count() - 1, and no two calls with the same worker run at once. Returns when all are done.
  // `work` must not throw. One caller at a time.
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
  void take_pieces(int worker);
  void work_until_over(int worker);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable work_is_there_, all_is_done_;
  Task task_;
  std::atomic<int> next_{0};
  int pieces_ = 0;
  std::atomic<unsigned> round_{0};  // how often work was given
  std::atomic<int> busy_{0};        // threads that have not finished this round
  bool is_over_ = false;
};

}  // namespace trammel
