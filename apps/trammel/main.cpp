#include <csignal>
#include <exception>
#include <new>
#include <system_error>

#include <fmt/format.h>

#include "program.hpp"

namespace trammel::cli {

// Runs the command of the arguments; every failure is reported and becomes an exit code.
static Exit run_command(Program& program, const std::vector<std::string>& arguments) {
  Terminal& terminal = program.terminal();
  try {
    const Program::Choice choice = program.choose(arguments);
    const Exit exit = choice.command != nullptr ? choice.command->run(terminal) : choice.exit;
    terminal.finish();
    return exit;
  } catch (const UsageError& error) {
    terminal.complain(error.what(), error.hint);
    return Exit::usage;
  } catch (const ModelError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics().list()) terminal.report(diagnostic);
    return Exit::failed;
  } catch (const WorkFailed& error) {
    terminal.complain(error.what());
    return Exit::failed;
  } catch (const std::bad_alloc&) {
    terminal.complain("there is not enough memory for this");
    return Exit::failed;
  } catch (const std::system_error& error) {
    terminal.complain(error.what());
    return Exit::failed;
  } catch (const std::exception& error) {
    terminal.complain(fmt::format("something went wrong that is not your fault: {}", error.what()),
                      "please report it, with the command and the files it was given");
    return Exit::bug;
  }
}

}  // namespace trammel::cli

int main(int count, char** words) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is not a crash
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is reported like a full disk
  trammel::cli::Program program;
  return int(trammel::cli::run_command(program, {words + 1, words + count}));
}
