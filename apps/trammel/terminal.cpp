#include "terminal.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace trammel::cli {

namespace {

constexpr const char *bold = "\033[1m", *red = "\033[1;31m", *yellow = "\033[1;33m",
                     *blue = "\033[36m", *plain = "\033[0m";

void write_stderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fputc('\n', stderr);
}

}  // namespace

void Terminal::offer(CLI::App& app, bool has_json) {
  if (has_json) app.add_flag("--json", json_, "print the result as JSON");
  app.add_flag("-q,--quiet", quiet_, "print only the result and errors");
  app.add_flag("-v,--verbose", verbose_, "print more details");
  app.add_option("--color", color_, "auto (on a terminal), always or never")->type_name("WHEN");
}

void Terminal::check_options() const {
  if (color_ != "auto" && color_ != "always" && color_ != "never")
    throw UsageError(fmt::format("option --color is '{}'", color_),
                     "it takes auto, always or never");
}

bool Terminal::has_color(int stream) const {
  if (color_ != "auto") return color_ == "always";
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const kind = std::getenv("TERM");
  const bool is_dumb = kind != nullptr && std::strcmp(kind, "dumb") == 0;
  return (no_color == nullptr || *no_color == '\0') && !is_dumb && isatty(stream) == 1;
}

void Terminal::finish() {
  std::size_t sent = 0;
  while (sent < answer_.size()) {
    const ssize_t count = ::write(STDOUT_FILENO, answer_.data() + sent, answer_.size() - sent);
    if (count >= 0) {
      sent += std::size_t(count);
    } else if (errno == EPIPE) {
      break;  // a closed pipe, as in `| head`, is no error
    } else if (errno != EINTR) {
      throw WorkFailed(fmt::format("the answer could not be written: {}", std::strerror(errno)));
    }
  }
  answer_.clear();
}

void Terminal::note(std::string_view text) const {
  if (!quiet_) write_stderr(text);
}

void Terminal::detail(std::string_view text) const {
  if (verbose_ && !quiet_) write_stderr(text);
}

void Terminal::complain(std::string_view text, std::string_view hint) const {
  const bool color = has_color(STDERR_FILENO);
  write_stderr(fmt::format("{}trammel:{} {}", color ? red : "", color ? plain : "", text));
  if (!hint.empty())
    write_stderr(fmt::format("  {}hint:{} {}", color ? blue : "", color ? plain : "", hint));
}

std::string Terminal::painted(const Diagnostic& diagnostic, bool on_stdout) const {
  if (!has_color(on_stdout ? STDOUT_FILENO : STDERR_FILENO)) return to_string(diagnostic);
  const bool is_error = diagnostic.severity == Severity::error;
  const std::string_view word = is_error ? "error:" : "warning:";
  Diagnostic without_hint = diagnostic;
  without_hint.hint.clear();
  const std::string text = to_string(without_hint);
  const std::size_t at = text.size() - diagnostic.message.size() - 1 - word.size();
  std::string out = fmt::format("{}{}{}{}{}{}", bold, text.substr(0, at), is_error ? red : yellow,
                                word, plain, text.substr(at + word.size()));
  if (!diagnostic.hint.empty())
    out += fmt::format("\n  {}hint:{} {}", blue, plain, diagnostic.hint);
  return out;
}

void Terminal::report(const Diagnostic& diagnostic) const {
  if (diagnostic.severity == Severity::error || !quiet_) write_stderr(painted(diagnostic, false));
}

std::string Terminal::heading(std::string_view text) const {
  return has_color(STDOUT_FILENO) ? fmt::format("{}{}{}", bold, text, plain) : std::string(text);
}

}  // namespace trammel::cli
