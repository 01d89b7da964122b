#include "program.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <system_error>

#include <fmt/format.h>

#include "candidates.hpp"

namespace trammel::cli {

namespace {

// Options of every app. CLI11's own help flag would print before errors are checked.
void prepare(CLI::App& app, bool& wants_help) {
  app.set_help_flag();
  app.allow_extras();  // leftover words are refused here, with a suggestion
  app.add_flag("-h,--help", wants_help, "this text");
  for (CLI::Option* option : app.get_options())  // if an option is repeated, the last one counts
    if (option->get_expected_max() <= 1)
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

}  // namespace

Program::Program()
    : app_("Trammel: multibody dynamics for robots and mechanisms of any topology.", "trammel") {
  prepare(app_, wants_help_);
  app_.add_flag("--help-all", wants_help_all_, "this text, and that of every command");
  app_.add_flag("--version", wants_version_, "version, build and instruction set");
  app_.footer(
      "trammel check arm.toml\n"
      "trammel eval @double_pendulum forward_dynamics --q 0.3,0.1");
  for (const CommandEntry& entry : commands()) {
    CLI::App& app = *app_.add_subcommand(std::string(entry.name));
    std::unique_ptr<Command> command = entry.make();
    command->offer(app, terminal_);
    prepare(app, wants_help_);
    commands_.emplace_back(&app, std::move(command));
  }
}

void Program::parse(const std::vector<std::string>& arguments) {
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app_.parse(std::move(reversed));
  } catch (const CLI::ArgumentMismatch& mismatch) {
    const std::string text = mismatch.what();  // "--q: 1 required ..."
    throw UsageError(fmt::format("option {} needs a value", text.substr(0, text.find(':'))));
  } catch (const CLI::ParseError& error) { throw UsageError(error.what()); }
}

Exit Program::dispatch(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments[0] == "__complete") {  // called by the completion scripts
    terminal_.answer(candidates(app_, {arguments.begin() + 1, arguments.end()}));
    return Exit::done;
  }
  if (!arguments.empty() && arguments[0] == "__bug") throw std::logic_error("asked for by a test");
  if (!arguments.empty() && arguments[0] == "help") {  // trammel help eval
    std::vector<std::string> words(arguments.begin() + 1, arguments.end());
    words.push_back("--help");
    return dispatch(words);
  }
  parse(arguments);
  const std::vector<CLI::App*> chosen = app_.get_subcommands();
  CLI::App& app = chosen.empty() ? app_ : *chosen.front();
  if (wants_help_all_ || wants_version_ || wants_help_ || (chosen.empty() && arguments.empty())) {
    terminal_.answer(wants_help_all_  ? help_of_all(app_)
                     : wants_version_ ? version_text()
                                      : help_of(app));
    return Exit::done;
  }
  for (const CLI::App* each : {&app_, &app})
    for (const std::string& word : each->remaining())
      if (word != "--") refuse_word(*each, word, app);
  if (chosen.empty()) throw UsageError("no command is given", "trammel --help lists them");
  terminal_.check_options();

  Command& command =
      *std::ranges::find(commands_, &app, [](const auto& c) { return c.first; })->second;
  if (arguments.size() == 1 && !command.runs_without_arguments()) {
    std::fputs(help_of(app).c_str(), stderr);
    return Exit::usage;
  }
  return command.run(terminal_);
}

Exit Program::run(const std::vector<std::string>& arguments) {
  try {
    const Exit exit = dispatch(arguments);
    terminal_.finish();
    return exit;
  } catch (const UsageError& error) {
    terminal_.complain(error.what(), error.hint);
    return Exit::usage;
  } catch (const ModelError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics().list()) terminal_.report(diagnostic);
    return Exit::failed;
  } catch (const WorkFailed& error) {
    terminal_.complain(error.what());
    return Exit::failed;
  } catch (const std::bad_alloc&) {
    terminal_.complain("there is not enough memory for this");
    return Exit::failed;
  } catch (const std::system_error& error) {
    terminal_.complain(error.what());
    return Exit::failed;
  } catch (const std::exception& error) {
    terminal_.complain(fmt::format("something went wrong that is not your fault: {}", error.what()),
                       "please report it, with the command and the files it was given");
    return Exit::bug;
  }
}

}  // namespace trammel::cli
