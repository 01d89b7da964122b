// `trammel examples`: the models that come with the program.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

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
    app.footer("trammel examples --topic loops\ntrammel examples four_bar -o my_linkage.toml");
    app.add_option("NAME", name_, "print this model's file")
        ->type_name("EXAMPLE")
        ->option_text("[NAME]");
    app.add_option("--topic", topic_, topics_text())->type_name("TOPIC");
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
      expect_topic();
      return list(terminal);
    }
    if (!topic_.empty()) throw UsageError("--topic and NAME exclude each other");
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
  static std::string topics_text() {
    return fmt::format("list only this topic: {}", fmt::join(gallery_topics(), ", "));
  }

  void expect_topic() const {
    const auto topics = gallery_topics();
    if (topic_.empty() || std::ranges::find(topics, topic_) != topics.end()) return;
    const std::vector<std::string> known(topics.begin(), topics.end());
    const auto near = suggest(topic_, known);
    throw UsageError(fmt::format("--topic: there is no topic '{}'", topic_),
                     near ? fmt::format("did you mean '{}'?", *near)
                          : fmt::format("topics are {}", fmt::join(topics, ", ")));
  }

  static Json summary(const GalleryModel& model) {
    Json json = {{"name", model.name}, {"title", model.title}, {"file", model.file}};
    json["plain_name"] = model.plain_name.empty() ? Json(nullptr) : Json(model.plain_name);
    json["other_names"] = model.other_name_list();
    json["topics"] = model.topic_list();
    return json;
  }

  // Title and, in parentheses, the other names: "A Stewart platform: ... (@stewart, @hexapod)".
  static std::string described(const GalleryModel& model) {
    std::vector<std::string> others;
    if (!model.plain_name.empty()) others.push_back("@" + std::string(model.name));
    for (const std::string_view other : model.other_name_list())
      others.push_back("@" + std::string(other));
    return others.empty() ? std::string(model.title)
                          : fmt::format("{} ({})", model.title, fmt::join(others, ", "));
  }

  // Models of a topic, those of publications last; of all topics, each model below its main one.
  std::vector<const GalleryModel*> of_topic(std::string_view topic) const {
    std::vector<const GalleryModel*> out;
    for (const GalleryModel& model : gallery()) {
      const std::vector<std::string_view> topics = model.topic_list();
      if (topic_.empty() ? topics.front() == topic
                         : std::ranges::find(topics, topic) != topics.end())
        out.push_back(&model);
    }
    std::stable_partition(out.begin(), out.end(),
                          [](const GalleryModel* m) { return m->plain_name.empty(); });
    return out;
  }

  Exit list(Terminal& terminal) const {
    if (terminal.wants_json()) {
      Json json = Json::array();
      for (const GalleryModel& model : gallery()) {
        const std::vector<std::string_view> topics = model.topic_list();
        if (topic_.empty() || std::ranges::find(topics, topic_) != topics.end())
          json.push_back(summary(model));
      }
      terminal.answer(json_text({{"examples", json}}));
      return Exit::done;
    }
    std::size_t widest = 0;
    for (const GalleryModel& model : gallery())
      widest = std::max(widest, model.everyday_name().size());
    for (const std::string_view topic : gallery_topics()) {
      if (!topic_.empty() && topic != topic_) continue;
      const std::vector<const GalleryModel*> models = of_topic(topic);
      if (models.empty()) continue;  // its models have another main topic
      terminal.answer(fmt::format("{}\n", topic));
      for (const GalleryModel* model : models)
        terminal.answer(
            fmt::format("  @{:<{}}  {}\n", model->everyday_name(), widest, described(*model)));
    }
    return Exit::done;
  }

  static const GalleryModel& find(const std::string& name) {
    if (const GalleryModel* model = find_in_gallery(name)) return *model;
    const auto near = suggest(name, gallery_names());
    throw UsageError(
        fmt::format("there is no example '{}'", name),
        near ? fmt::format("did you mean '{}'?", *near) : "trammel examples lists them");
  }

  std::string name_, topic_, output_;
  bool copy_ = false, force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_examples() { return std::make_unique<Examples>(); }

}  // namespace trammel::cli
