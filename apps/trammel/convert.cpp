// `trammel convert`: a model file from one format to another, with a report of the losses.
#include <CLI/CLI.hpp>
#include <memory>

#include <fmt/format.h>

#include "command.hpp"
#include "files.hpp"
#include "model_options.hpp"
#include "trammel/write/model/toml.hpp"
#include "trammel/write/model/urdf.hpp"

namespace trammel::cli {

namespace {

class Convert final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("Convert a model file to another format; report what the format cannot hold.");
    app.footer("trammel convert arm.urdf arm.toml\ntrammel convert @pendulum - --to urdf");
    model_.offer(app);
    app.add_option("OUT", out_, "the file to write; - for stdout")
        ->type_name("FILE")
        ->option_text("OUT");
    app.add_option("--to", format_, "toml or urdf; default: by the extension of OUT")
        ->type_name("FORMAT");
    app.add_flag("--force", force_, "overwrite OUT if it is there");
    terminal.offer(app, false);
  }

  Exit run(Terminal& terminal) override {
    if (out_.empty()) throw UsageError("no OUT is given", "a file, or - for stdout");
    const std::string format = checked_format();
    const Description description = model_.load(terminal).description();
    Diagnostics report;
    const std::string text =
        format == "toml" ? write_toml(description) : write_urdf(description, report);
    for (const Diagnostic& diagnostic : report.list()) terminal.report(diagnostic);
    if (report.has_errors()) return Exit::failed;
    write_file(out_, text, force_, terminal);
    return Exit::done;
  }

 private:
  std::string checked_format() const {
    const std::string format = !format_.empty() ? format_ : out_.substr(out_.rfind('.') + 1);
    if (format == "toml" || format == "urdf") return format;
    throw UsageError(format_.empty() ? fmt::format("the name '{}' does not tell a format", out_)
                                     : fmt::format("option --to is '{}'", format_),
                     format_.empty() ? "add --to toml or --to urdf" : "it takes toml or urdf");
  }

  ModelOptions model_;
  std::string out_, format_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_convert() { return std::make_unique<Convert>(); }

}  // namespace trammel::cli
