// Completion scripts for shells. They get the candidates from the program (trammel __complete), so
// that every shell knows the same ones, names in model files included.
#include <CLI/CLI.hpp>
#include <memory>

#include <fmt/format.h>

#include "command.hpp"
#include "trammel/base/suggest.hpp"

namespace trammel::cli {

namespace {

constexpr std::string_view bash =
    R"(# completion for bash; in ~/.bashrc: source <(trammel completion bash)
_trammel() {
  local line=${COMP_LINE:0:COMP_POINT} words=() answers=() current prefix='' breaks word
  read -ra words <<< "$line"
  if [[ $line == *[[:space:]] ]]; then words+=(''); fi
  current=${words[-1]}
  mapfile -t answers < <("${words[0]/#\~/$HOME}" __complete "${words[@]:1}" 2> /dev/null)
  # bash replaces only what follows the last of its word breaks (an @ before a word is part of it)
  breaks=${COMP_WORDBREAKS//[^=:]/}
  if [[ -n $breaks && $current == *[$breaks]* ]]; then prefix=${current%"${current##*[$breaks]}"}; fi
  COMPREPLY=()
  for word in "${answers[@]:1}"; do
    word=${word%%$'\t'*}
    COMPREPLY+=("${word#"$prefix"}")
  done
  if [[ ${answers[0]} == *nospace* ]]; then compopt -o nospace 2> /dev/null; fi
  if [[ ${answers[0]} == *files* ]]; then
    compopt -o filenames 2> /dev/null
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -F _trammel trammel
)";

constexpr std::string_view zsh = R"(#compdef trammel
# completion for zsh; in ~/.zshrc, after compinit: source <(trammel completion zsh)
_trammel() {
  local -a answers plain shown space
  local answer
  answers=("${(@f)$("${(Q)words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2> /dev/null)}")
  for answer in "${(@)answers[2,-1]}"; do
    plain+=("${answer%%$'\t'*}")
    shown+=("${answer/$'\t'/  -- }")
  done
  if [[ $answers[1] == *nospace* ]]; then space=(-S ''); fi
  if (( $#plain )); then compadd -l "${(@)space}" -d shown -a plain; fi
  if [[ $answers[1] == *files* ]]; then _files; fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _trammel "$@"; else compdef _trammel trammel; fi
)";

constexpr std::string_view fish =
    R"(# completion for fish: trammel completion fish > ~/.config/fish/completions/trammel.fish
function __trammel_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l answers ($words[1] __complete $words[2..-1] "$current" 2> /dev/null)
  if string match -q '*files*' -- $answers[1]
    __fish_complete_path "$current"
  end
  if test (count $answers) -gt 1
    printf '%s\n' $answers[2..-1]
  end
end
complete -c trammel -f -a '(__trammel_complete)'
)";

class Completion final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("Print a shell script that completes commands, options, quantities, joints.");
    app.footer(
        "source <(trammel completion bash)\n"
        "trammel completion fish > ~/.config/fish/completions/trammel.fish");
    app.add_option("SHELL", shell_, "bash, zsh or fish")->type_name("SHELL")->option_text("SHELL");
    terminal.offer(app, false);
  }

  Exit run(Terminal& terminal) override {
    if (shell_.empty()) throw UsageError("no SHELL is given", "bash, zsh or fish");
    const std::vector<std::string> known{"bash", "zsh", "fish"};
    if (std::ranges::find(known, shell_) == known.end()) {
      const auto near = suggest(shell_, known);
      throw UsageError(
          fmt::format("there is no completion for '{}'", shell_),
          near ? fmt::format("did you mean {}?", *near) : "it is for bash, zsh or fish");
    }
    terminal.answer(shell_ == "bash" ? bash : shell_ == "zsh" ? zsh : fish);
    return Exit::done;
  }

 private:
  std::string shell_;
};

}  // namespace

std::unique_ptr<Command> make_completion() { return std::make_unique<Completion>(); }

}  // namespace trammel::cli
