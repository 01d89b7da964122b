// `trammel generate`: a model file from a compact table.
#include <CLI/CLI.hpp>
#include <memory>

#include <fmt/format.h>

#include "command.hpp"
#include "endings.hpp"
#include "files.hpp"
#include "model_options.hpp"
#include "trammel/base/suggest.hpp"
#include "trammel/read/table/table.hpp"
#include "trammel/write/model/toml.hpp"

namespace trammel::cli {

namespace {

class Generate final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("A model file (TOML) from a table of links or wheels, given as CSV or TOML.");
    app.footer(
        "trammel generate dh puma_560.csv -o puma.toml\n"
        "trammel generate platform mecanum.csv");
    app.add_option("NOTATION", notation_, "dh, dh-modified, sdof, chain or platform")
        ->type_name("NOTATION")
        ->option_text("NOTATION");
    app.add_option("TABLE", table_, "the table (.csv, .toml)")
        ->type_name("FILE")
        ->option_text("TABLE");
    app.add_option("-o,--output", output_, "the file to write; stdout unless given")
        ->type_name("FILE");
    app.add_flag("--force", force_, "overwrite the file if it is there");
    model_.offer_set(app);
    terminal.offer(app, false);
  }

  Exit run(Terminal& terminal) override {
    expect_ending(output_, "-o", {".toml"});
    if (table_.empty()) throw UsageError("no TABLE is given", "a file, .csv or .toml");
    const std::optional<TableNotation> notation = find_notation(notation_);
    if (!notation) {
      const auto near = suggest(notation_, notation_names());
      throw UsageError(fmt::format("there is no notation '{}'", notation_),
                       near ? fmt::format("did you mean '{}'?", *near)
                            : fmt::format("there are {}", fmt::join(notation_names(), ", ")));
    }
    Diagnostics found;
    const Description description = read_table(*notation, table_, model_.read_options(), found);
    const Model model =
        build_model(description, found);  // a table that cannot be built is not written
    for (const Diagnostic& warning : model.warnings()) terminal.report(warning);
    write_file(output_, write_toml(description), force_, terminal);
    return Exit::done;
  }

 private:
  ModelOptions model_;
  std::string notation_, table_, output_ = "-";
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_generate() { return std::make_unique<Generate>(); }

}  // namespace trammel::cli
