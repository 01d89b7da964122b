#include <csignal>

#include "program.hpp"

int main(int count, char** words) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has had enough is no crash
  return int(trammel::cli::Program().run({words + 1, words + count}));
}
