#include <csignal>

#include "program.hpp"

int main(int count, char** words) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is not a crash
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is reported like a full disk
  return int(trammel::cli::Program().run({words + 1, words + count}));
}
