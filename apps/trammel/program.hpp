// Arguments of the program as a tree of CLI::App: parsing, help, choice of the command.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"

namespace trammel::cli {

class Program {
 public:
  Program();

  // Command of the arguments, with its options set. Without a command (help, version, completion)
  // the text is printed here, and `exit` is the exit code.
  struct Choice {
    Command* command = nullptr;
    Exit exit = Exit::done;
  };
  Choice choose(const std::vector<std::string>& arguments);  // throws UsageError

  CLI::App& app() { return app_; }
  Terminal& terminal() { return terminal_; }

 private:
  void parse(const std::vector<std::string>& arguments);

  CLI::App app_;
  Terminal terminal_;
  bool wants_help_ = false, wants_help_all_ = false, wants_version_ = false;
  std::vector<std::pair<CLI::App*, std::unique_ptr<Command>>> commands_;
};

// Text of `trammel --help`, or of one command.
std::string help_of(const CLI::App& app);
// Help of the program and of every command, in sequence: the source of the man page.
std::string help_of_all(const CLI::App& app);
std::string version_text();

// Throws UsageError for a word that `app` does not know; the hint names the nearest option or
// command. `chosen` is the given command, if there is one: the word may belong after it.
[[noreturn]] void refuse_word(const CLI::App& app, const std::string& word, const CLI::App& chosen);

}  // namespace trammel::cli
