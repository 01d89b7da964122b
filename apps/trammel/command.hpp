// One command of the program. To add one: a file with its class and `make_`, and one line in the
// table of commands.cpp; help, completion, man page and tests follow.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "terminal.hpp"

namespace trammel::cli {

class Command {
 public:
  virtual ~Command() = default;
  // Its summary, its options, and its examples as footer. The type name of a positional tells its
  // kind (MODEL, FILE, QUANTITY, ...), which completion uses.
  virtual void offer(CLI::App& app, Terminal& terminal) = 0;
  virtual Exit run(Terminal& terminal) = 0;
  // Whether the command, called without arguments, runs; if not, the help is printed.
  virtual bool runs_without_arguments() const { return false; }
};

struct CommandEntry {
  std::string_view name;
  std::unique_ptr<Command> (*make)();
};
std::span<const CommandEntry> commands();

std::unique_ptr<Command> make_check();
std::unique_ptr<Command> make_info();
std::unique_ptr<Command> make_eval();
std::unique_ptr<Command> make_simulate();
std::unique_ptr<Command> make_recover();
std::unique_ptr<Command> make_inverse();
std::unique_ptr<Command> make_design();
std::unique_ptr<Command> make_view();
std::unique_ptr<Command> make_plot();
std::unique_ptr<Command> make_snapshot();
std::unique_ptr<Command> make_linearize();
std::unique_ptr<Command> make_convert();
std::unique_ptr<Command> make_generate();
std::unique_ptr<Command> make_examples();
std::unique_ptr<Command> make_completion();

}  // namespace trammel::cli
