// `trammel examples`: the models that come with the program.
#include <CLI/CLI.hpp>
#include <memory>

#include <fmt/format.h>

#include "answer.hpp"
#include "command.hpp"
#include "endings.hpp"
#include "files.hpp"
#include "trammel/base/suggest.hpp"
#include "trammel/read/gallery.hpp"

namespace trammel::cli {

namespace {

class Examples final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("The models that come with Trammel: lists them, prints one, or copies one.");
    app.footer("trammel examples\ntrammel examples pendulum -o my_pendulum.toml");
    app.add_option("NAME", name_, "print this model's file")
        ->type_name("EXAMPLE")
        ->option_text("[NAME]");
    app.add_option("-o,--output", output_, "write it to this file instead")->type_name("FILE");
    app.add_flag("--copy", copy_, "write it into this folder, under its own name");
    app.add_flag("--force", force_, "overwrite a file that is there");
    terminal.offer(app);
  }
  bool runs_without_arguments() const override { return true; }

  Exit run(Terminal& terminal) override {
    if (name_.empty()) {
      if (copy_ || !output_.empty())
        throw UsageError("no NAME is given", "trammel examples lists them");
      return list(terminal);
    }
    const GalleryModel& model = find(name_.starts_with('@') ? name_.substr(1) : name_);
    if (copy_ && !output_.empty()) throw UsageError("--copy and --output exclude each other");
    const std::string file(model.file.substr(model.file.rfind('/') + 1));
    expect_ending(output_, "-o", {ending_of(file)});
    if (copy_ || !output_.empty()) {
      write_file(copy_ ? file : output_, model.text, force_, terminal);
      return Exit::done;
    }
    if (terminal.wants_json()) {
      Json json = summary(model);
      json["text"] = model.text;
      terminal.answer(json_text(json));
    } else {
      terminal.answer(model.text);
    }
    return Exit::done;
  }

 private:
  static Json summary(const GalleryModel& model) {
    Json json = {{"name", model.name}, {"title", model.title}, {"file", model.file}};
    json["plain_name"] = model.plain_name.empty() ? Json(nullptr) : Json(model.plain_name);
    return json;
  }

  // "@s_t11 @rolling_disk"
  static std::string names_of(const GalleryModel& model) {
    std::string names = "@" + std::string(model.name);
    if (!model.plain_name.empty()) names += " @" + std::string(model.plain_name);
    return names;
  }

  static Exit list(Terminal& terminal) {
    std::size_t widest = 0;
    for (const GalleryModel& model : gallery()) widest = std::max(widest, names_of(model).size());
    Json json = Json::array();
    for (const GalleryModel& model : gallery()) {
      json.push_back(summary(model));
      if (!terminal.wants_json())
        terminal.answer(fmt::format("{:<{}}  {}\n", names_of(model), widest, model.title));
    }
    if (terminal.wants_json()) terminal.answer(json_text({{"examples", json}}));
    return Exit::done;
  }

  static const GalleryModel& find(const std::string& name) {
    if (const GalleryModel* model = find_in_gallery(name)) return *model;
    const auto near = suggest(name, gallery_names());
    throw UsageError(
        fmt::format("there is no example '{}'", name),
        near ? fmt::format("did you mean '{}'?", *near) : "trammel examples lists them");
  }

  std::string name_, output_;
  bool copy_ = false, force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_examples() { return std::make_unique<Examples>(); }

}  // namespace trammel::cli
