#include <csignal>

#include "program.hpp"

int main(int count, char** words) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has had enough is no crash
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is told like a disk that is full
  return int(trammel::cli::Program().run({words + 1, words + count}));
}
