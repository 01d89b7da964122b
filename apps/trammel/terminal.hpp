// Output of a command: the result on stdout, everything else on stderr. Color only on a terminal.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "trammel/base/diagnostics.hpp"

namespace CLI {
class App;
}

namespace trammel::cli {

enum class Exit {
  done = 0,
  failed = 1,
  usage = 2,
  bug = 3,
  out_of_time = 124,  // --wall-limit; as timeout(1)
  interrupted = 130,  // 128 + SIGINT, as in shells
  terminated = 143,   // 128 + SIGTERM
};

// A failure at run time: a file, a state, a disk. The text is for the user.
struct WorkFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// Wrong arguments. The hint is the next step; may be empty.
struct UsageError : std::runtime_error {
  explicit UsageError(const std::string& message, std::string hint_ = {})
      : std::runtime_error(message), hint(std::move(hint_)) {}
  std::string hint;
};

class Terminal {
 public:
  // --json (unless the command prints nothing), --quiet, --verbose, --color
  void offer(CLI::App& app, bool has_json = true);
  void check_options() const;  // throws UsageError

  bool wants_json() const { return json_; }
  bool is_quiet() const { return quiet_; }
  // Part of the result. Buffered until finish(), so that a command that fails prints none.
  void answer(std::string_view text) { answer_ += text; }
  // Prints the result. Throws WorkFailed if that fails, unless the reader has closed the pipe.
  void finish();

  void note(std::string_view text) const;    // progress and warnings; silent if quiet
  void detail(std::string_view text) const;  // only if verbose
  void complain(std::string_view text, std::string_view hint = {}) const;  // always
  // An error or a warning with its place, as `check` prints it.
  std::string painted(const Diagnostic& diagnostic, bool on_stdout) const;
  void report(const Diagnostic& diagnostic) const;  // on stderr; no warnings if quiet

  std::string heading(std::string_view text) const;  // in a result

 private:
  bool has_color(int stream) const;

  std::string answer_, color_ = "auto";
  bool json_ = false, quiet_ = false, verbose_ = false;
};

}  // namespace trammel::cli
