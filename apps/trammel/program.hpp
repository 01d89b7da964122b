// The whole program as a tree of CLI::App: parse it, walk it, print its help.
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

  // Does what the arguments say; whatever goes wrong is told, and becomes an exit code.
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

// Text of `trammel --help`, or of one command's.
std::string help_of(const CLI::App& app);
// Of the program and every command, one after the other: what the man page is made from.
std::string help_of_all(const CLI::App& app);
std::string version_text();

// What is wrong with a word that `app` did not know: names the nearest option or command. `chosen`
// is the command given, if there is one: the word may belong behind it.
[[noreturn]] void refuse_word(const CLI::App& app, const std::string& word, const CLI::App& chosen);

}  // namespace trammel::cli
