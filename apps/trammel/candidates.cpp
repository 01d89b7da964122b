#include "candidates.hpp"

#include <algorithm>

#include "quantities.hpp"
#include "trammel/read/gallery.hpp"
#include "trammel/read/load.hpp"
#include "trammel/read/toml/load_path.hpp"

namespace trammel::cli {

namespace {

struct Candidate {
  std::string word, meaning;
};

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

class Cursor {
 public:
  Cursor(const CLI::App& app, const std::vector<std::string>& words)
      : app_(&app), current_(words.empty() ? "" : words.back()) {
    for (std::size_t k = 0; k + 1 < words.size(); ++k) pass(words[k]);
  }

  std::string answer() {
    if (waiting_ != nullptr) {
      of_type(waiting_->get_type_name());
    } else if (const std::size_t equals = current_.find('=');
               current_.starts_with("--") && equals != std::string::npos) {
      if (const CLI::Option* option = app_->get_option_no_throw(current_.substr(0, equals))) {
        before_ = current_.substr(0, equals + 1);
        current_ = current_.substr(equals + 1);
        of_type(option->get_type_name());
      }
    } else if (current_.starts_with('-')) {
      options();
    } else if (app_->get_parent() == nullptr) {
      for (const CLI::App* command : app_->get_subcommands([](const CLI::App*) { return true; }))
        if (!command->get_group().empty()) offer(command->get_name(), command->get_description());
    } else if (const CLI::Option* next = positional()) {
      of_type(next->get_type_name());
    }
    std::string text = files_ ? "files" : "words";
    if (nospace_) text += " nospace";
    for (const auto& [word, meaning] : found_)
      text += "\n" + word + (meaning.empty() ? "" : "\t" + meaning);
    return text + "\n";
  }

 private:
  // a word before the cursor
  void pass(const std::string& word) {
    if (waiting_ != nullptr) {
      waiting_ = nullptr;
    } else if (word.starts_with('-') && word.size() > 1) {
      const CLI::Option* option = app_->get_option_no_throw(word);
      if (option != nullptr && takes_value(*option)) waiting_ = option;
    } else if (app_->get_parent() == nullptr) {
      const CLI::App& program = *app_;
      for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
        if (command->check_name(word)) app_ = command;
    } else {
      if (passed_ == 0) model_ = word;
      ++passed_;
    }
  }

  const CLI::Option* positional() const {
    std::vector<const CLI::Option*> all;
    for (const CLI::Option* option : app_->get_options())
      if (option->get_positional()) all.push_back(option);
    if (passed_ < all.size()) return all[passed_];
    const bool repeats = !all.empty() && all.back()->get_allow_extra_args();
    return repeats ? all.back() : nullptr;
  }

  void offer(const std::string& word, const std::string& meaning = {}) {
    if (word.starts_with(current_)) found_.push_back({before_ + word, meaning});
  }
  void offer_all(std::initializer_list<const char*> words) {
    for (const char* word : words) offer(word);
  }

  void options() {
    for (const CLI::Option* option : app_->get_options()) {
      if (option->get_positional() || option->get_group().empty()) continue;
      for (const std::string& name : option->get_lnames())
        offer("--" + name, option->get_description());
      if (option->get_lnames().empty() || current_ == "-" || current_.size() == 2)
        for (const std::string& name : option->get_snames())
          offer("-" + name, option->get_description());
    }
  }

  void offer_gallery(const std::string& prefix) {
    for (const std::string& name : gallery_names())
      offer(prefix + name, std::string(find_in_gallery(name)->title));
  }

  void of_type(const std::string& type) {
    if (type == "MODEL") {
      files_ = !current_.starts_with('@');
      offer_gallery("@");
    } else if (type == "FILE") {
      files_ = true;
    } else if (type == "QUANTITY") {
      for (const Quantity& quantity : quantities())
        offer(std::string(quantity.name), std::string(quantity.meaning));
    } else if (type == "EXAMPLE") {
      offer_gallery("");
    } else if (type == "SHELL") {
      offer_all({"bash", "zsh", "fish"});
    } else if (type == "NOTATION") {
      offer_all({"dh", "dh-modified", "sdof", "chain", "platform"});
    } else if (type == "FORMAT") {
      offer_all({"toml", "urdf"});
    } else if (type == "BASE") {
      offer_all({"fixed", "free"});
    } else if (type == "AXES") {
      offer_all({"body", "world"});
    } else if (type == "WHEN") {
      offer_all({"auto", "always", "never"});
    } else {
      files_ = type == "PATH";
      names_in_model(type);
    }
  }

  // candidates that need the model file; none if the file has errors
  void names_in_model(const std::string& type) {
    if (model_.empty()) return;
    try {
      const Model model = load_model(model_);
      const bool is_place = type.starts_with("PLACE");
      const bool ends_name =
          type != "PLACE" && type != "JOINTS" && type != "DRIVES" && type != "PATH";
      const std::size_t comma = current_.rfind(',');
      if (comma != std::string::npos && !is_place) {  // elbow=0.3,wri
        before_ += current_.substr(0, comma + 1);
        current_ = current_.substr(comma + 1);
      }
      nospace_ = ends_name;
      const std::string end = ends_name ? "=" : "";
      if (is_place) {
        for (const NamedBody& body : model.named_bodies()) offer(body.name + end, "body");
        for (const NamedFrame& frame : model.frames()) offer(frame.name + end, "frame");
      } else if (type == "NAME=VALUE") {
        for (const ParameterDescription& parameter : model.parameters())
          offer(parameter.name + end);
      } else if (type == "PATH") {
        for (const std::string& name : path_names(model.description())) offer(name, "path");
      } else if (type.starts_with("DRIVE")) {
        for (const NamedJoint& joint : model.joints())
          if (joint.drive == Drive::torque) offer(joint.name + end, to_string(joint.kind));
      } else if (type == "POSITIONS" || type == "VELOCITIES" || type == "ACCELERATIONS" ||
                 type == "EFFORTS" || type == "JOINTS") {
        for (const NamedJoint& joint : model.joints())
          if (joint.role == NamedJoint::Role::tree) offer(joint.name + end, to_string(joint.kind));
      }
    } catch (const ModelError&) {}
  }

  const CLI::App* app_;
  std::string current_, before_, model_;
  const CLI::Option* waiting_ = nullptr;  // the option that takes the next word as its value
  std::size_t passed_ = 0;                // positionals before the cursor
  bool files_ = false, nospace_ = false;
  std::vector<Candidate> found_;
};

}  // namespace

std::string candidates(const CLI::App& app, const std::vector<std::string>& words) {
  return Cursor(app, words).answer();
}

}  // namespace trammel::cli
