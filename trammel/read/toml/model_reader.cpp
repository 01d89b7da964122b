#include "trammel/read/toml/model_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/read/toml/items.hpp"
#include "trammel/read/toml/repeat.hpp"

namespace trammel::toml {

namespace {

constexpr std::int64_t format_version = 1;

struct Section {
  std::string_view name;
  void (*read_item)(const Entry& entry, Context& context);
};
constexpr Section sections[] = {
    {"body", read_body},
    {"frame", read_frame},
    {"joint", read_joint},
    {"wheel", read_wheel},
    {"coupling", read_coupling},
    {"constraint", read_constraint},
    {"spring", read_spring},
    {"contact", read_contact},
    {"motor", read_motor},
    {"terrain", read_terrain},
    {"wrench", read_wrench},
    {"bushing", read_bushing},
    {"user_force", read_user_force},
    {"include", nullptr},  // read before, appended in its place
};
// These refer to joints and frames, and come last.
constexpr Section late_sections[] = {{"input", read_input},
                                     {"controller", read_controller},
                                     {"event", read_event},
                                     {"path", keep_path}};

class ModelReader {
 public:
  ModelReader(const Source& source, Value& document, std::vector<ParameterSetting>& settings,
              Inclusion& inclusion, Diagnostics& diagnostics)
      : source_(source),
        document_(document),
        settings_(settings),
        inclusion_(inclusion),
        report_(source, diagnostics),
        top_{"the file", report_.place({1, 1})} {}

  Description read() {
    description_.source = Place{source_.name, 0, 0};
    if (!check_version()) return std::move(description_);
    expand_repeats(document_, report_);
    read_parameters(document_, settings_, description_, scope_, report_);
    TableReader top(top_, document_, keys::model, scope_, report_);
    description_.name =
        top.has("name") ? top.text("name") : std::filesystem::path(source_.name).stem().string();
    description_.gravity = top.vector("gravity", dimension::acceleration, description_.gravity);
    description_.source.keys = top_.place.keys;
    description_.source.has_mistakes = top_.place.has_mistakes;

    std::vector<Item> items, late;
    for (const Section& section : sections) {
      const std::ptrdiff_t before = std::ssize(items);
      list_items(section, items);
      merge_by_place(items, before);
    }
    for (const Section& section : late_sections) list_items(section, late);
    const auto count = [&](std::string_view section) {
      return std::size_t(
          std::ranges::count(items, section, [](const Item& item) { return item.section->name; }));
    };
    description_.bodies.reserve(count("body"));
    description_.joints.reserve(count("joint"));
    read_includes(items);
    for (const Item& item : items) {
      if (item.section->read_item)
        read_and_empty(item);
      else
        append_include(includes_.at(item.entry), context_);
    }
    index_joints();
    for (const Item& item : late) read_and_empty(item);
    if (const Entry* state = document_.find("state")) read_state(*state, context_);
    if (const Entry* ground = document_.find("ground")) read_ground_motion(*ground, context_);
    if (const Entry* run = document_.find("run")) keep_run(*run, context_);
    forget_missing_names();
    return std::move(description_);
  }

 private:
  // Returns whether the rest can be read.
  bool check_version() {
    const Entry* version = document_.find("trammel");
    if (!version) {
      report_.error({1, 1}, "the file does not say which version of the format it is in",
                    "begin it with the line: trammel = 1");
      return true;
    }
    if (!version->value.whole) {
      report_.error(version->value.position,
                    "'trammel', the version of the format, is a whole number",
                    "write: trammel = 1");
      return true;
    }
    if (*version->value.whole == format_version) return true;
    report_.error(
        version->value.position,
        fmt::format("the file is in version {} of the format, this program reads version {}",
                    *version->value.whole, format_version),
        *version->value.whole > format_version ? "take a newer Trammel" : "write: trammel = 1");
    return false;
  }

  struct Item {
    Entry* entry;
    const Section* section;
  };
  void list_items(const Section& section, std::vector<Item>& items) {
    const auto found = std::ranges::find(document_.entries, section.name, &Entry::key);
    if (found == document_.entries.end() || !expect_items(section.name, found->value)) return;
    for (Entry& entry : found->value.entries)
      if (expect_item(section.name, entry)) items.push_back({&entry, &section});
  }
  // The document of a large file takes more memory than the description: the two are never whole
  // at the same time.
  void read_and_empty(const Item& item) {
    item.section->read_item(*item.entry, context_);
    std::vector<Entry>().swap(item.entry->value.entries);
  }
  // Merges the items of one kind, the last ones from `middle` on, with those before, so that items
  // of all kinds are in the order of the file.
  static void merge_by_place(std::vector<Item>& items, std::ptrdiff_t middle) {
    std::inplace_merge(items.begin(), items.begin() + middle, items.end(),
                       [](const Item& a, const Item& b) {
                         const TextPosition &p = a.entry->position, &q = b.entry->position;
                         return p.line != q.line ? p.line < q.line : p.column < q.column;
                       });
  }

  // before the items, whose formulas may use the parameters of an included file
  void read_includes(const std::vector<Item>& items) {
    for (const Item& item : items)
      if (!item.section->read_item)
        includes_.emplace(item.entry,
                          read_include(*item.entry, settings_, inclusion_, scope_, context_));
  }
  void index_joints() {
    for (std::size_t k = 0; k < description_.joints.size(); ++k)
      context_.joints.emplace(description_.joints[k].name, k);
  }

  // Names that a missing included file would define: one error about the file is enough.
  void forget_missing_names() {
    for (const auto& [entry, included] : includes_) {
      if (included.is_there || included.transplant.prefix.empty()) continue;
      const auto forget = [&, prefix = included.transplant.prefix](std::string& name,
                                                                   ItemPlace& place) {
        if (!name.starts_with(prefix)) return;
        name.clear();
        place.has_mistakes = true;
      };
      for (JointDescription& joint : description_.joints) {
        forget(joint.parent, joint.place);
        forget(joint.child, joint.place);
      }
      for (FrameDescription& frame : description_.frames) forget(frame.body, frame.place);
      for (auto* starts : {&description_.start_positions, &description_.start_velocities,
                           &description_.position_guesses, &description_.velocity_guesses})
        for (StartDescription& start : *starts)
          start.place.has_mistakes |= start.joint.starts_with(included.transplant.prefix);
    }
  }

  bool expect_items(std::string_view section, const Value& value) {
    if (value.is_table()) return true;
    report_.error(value.position,
                  fmt::format("{} is {}, it must be a table", section, kind_of(value)),
                  fmt::format("give it a name: [{}.arm]", section));
    return false;
  }
  bool expect_item(std::string_view section, const Entry& entry) {
    if (entry.value.is_table()) return true;
    report_.error(
        entry.position,
        fmt::format("{} '{}' is {}, it must be a table", section, shortened(entry.key),
                    kind_of(entry.value)),
        entry.value.is_list() && !entry.value.list.empty() && entry.value.list[0].is_table()
            ? fmt::format("each {} has a name of its own, and single brackets: [{}.arm]", section,
                          section)
            : fmt::format("give the {} a name: [{}.arm]", section, section));
    return false;
  }

  const Source& source_;
  Value& document_;  // items are emptied once they are read
  std::vector<ParameterSetting>& settings_;
  Inclusion& inclusion_;
  Report report_;
  Owner top_;
  Scope scope_;  // the parameters
  Description description_;
  std::unordered_map<const Entry*, IncludedFile> includes_;
  Context context_{report_, scope_, description_, {}};
};

std::vector<std::string> parameter_names(const Description& description) {
  std::vector<std::string> names;
  for (const ParameterDescription& parameter : description.parameters)
    names.push_back(parameter.name);
  for (const DefinitionDescription& definition : description.definitions)
    names.push_back(definition.name);
  return names;
}

// A file that is included twice has its errors reported once.
void pass_on_once(const Diagnostics& found, Diagnostics& diagnostics) {
  std::unordered_set<std::string> reported;
  for (const Diagnostic& description : found.list()) {
    if (!reported.insert(to_string(description)).second) continue;
    if (description.severity == Severity::error)
      diagnostics.error(description.place, description.message, description.hint);
    else
      diagnostics.warning(description.place, description.message, description.hint);
  }
}

}  // namespace

Description read_model(const Source& source, std::vector<ParameterSetting>& settings,
                       Inclusion& inclusion, Diagnostics& diagnostics) {
  std::optional<Value> document = parse_document(source, diagnostics);
  if (!document) return Description{};
  return ModelReader(source, *document, settings, inclusion, diagnostics).read();
}

Description read_description(const Source& source, const ReadOptions& options,
                             Diagnostics& diagnostics) {
  std::vector<ParameterSetting> settings;
  for (const auto& [name, value] : options.set) settings.push_back({name, value});
  Inclusion inclusion{.options = options, .open = {source.name}};
  Diagnostics found;
  Description description = read_model(source, settings, inclusion, found);
  pass_on_once(found, diagnostics);

  const std::vector<std::string> known = parameter_names(description);
  for (const ParameterSetting& setting : settings) {
    if (setting.is_used) continue;
    const auto meant = suggest(setting.name, known);
    diagnostics.error({source.name, 0, 0},
                      fmt::format("there is no parameter '{}' to set", shortened(setting.name)),
                      meant ? fmt::format("did you mean '{}'?", *meant)
                      : known.empty()
                          ? "the file has no parameters"
                          : fmt::format("its parameters are {}", fmt::join(known, ", ")));
  }
  return description;
}

Owner owner_of(std::string_view kind, const Entry& entry, Report& report) {
  Owner owner{fmt::format("{} '{}'", kind, shortened(entry.key)), report.place(entry.position)};
  if (entry.key.size() > longest_name) {
    owner.place.has_mistakes = true;
    report.error(entry.position,
                 fmt::format("{} has a name of {} characters", owner.text, entry.key.size()),
                 fmt::format("names have at most {}", longest_name));
  }
  return owner;
}

std::string item_name(const Entry& entry) { return shortened(entry.key, longest_name); }

}  // namespace trammel::toml
