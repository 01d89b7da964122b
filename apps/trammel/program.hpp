// The whole program as a tree of CLI::App: parsing, help and dispatch.
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

  // Runs the command of the arguments; every failure is reported and becomes an exit code.
  Exit run(const std::vector<std::string>& arguments);

  CLI::App& app() { return app_; }

 private:
  Exit dispatch(const std::vector<std::string>& arguments);
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
