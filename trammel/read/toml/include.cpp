#include "trammel/read/toml/include.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <unordered_set>

#include "trammel/read/gallery.hpp"
#include "trammel/read/table/table.hpp"
#include "trammel/read/toml/model_reader.hpp"
#include "trammel/read/urdf/urdf.hpp"

namespace trammel::toml {

namespace {

namespace fs = std::filesystem;

bool is_urdf(const Source& source) {
  const std::size_t first = source.text.find_first_not_of(" \t\r\n");
  return source.name.ends_with(".urdf") ||
         (first != std::string::npos && source.text[first] == '<');
}

// Canonical path of a file, to detect circular includes.
std::string identity(const std::string& path) {
  std::error_code none;
  const fs::path canonical = fs::weakly_canonical(path, none);
  return path.starts_with('@') || none ? path : canonical.string();
}

bool is_joined_to_ground(const Description& description) {
  return std::any_of(description.joints.begin(), description.joints.end(),
                     [](const JointDescription& joint) {
                       return joint.parent == "ground" || joint.child == "ground";
                     });
}

// Whether any item refers to ground.
bool uses_ground(const Description& description) {
  const auto is_used = [](const auto& items, auto... names) {
    for (const auto& item : items)
      if (((item.*names == "ground") || ...)) return true;
    return false;
  };
  bool is_used_by_force_elements = false;
  each_force_element_list(description, [&](const auto& list) {
    for (const auto& element : list)
      for (const std::string* end : element.ends()) is_used_by_force_elements |= *end == "ground";
  });
  return is_used(description.joints, &JointDescription::parent, &JointDescription::child) ||
         is_used(description.frames, &FrameDescription::body) ||
         is_used(description.wheels, &WheelDescription::body, &WheelDescription::on) ||
         is_used(description.constraints, &ConstraintDescription::frame,
                 &ConstraintDescription::other_frame) ||
         is_used_by_force_elements;
}

class IncludeReader {
 public:
  IncludeReader(const Entry& entry, std::vector<ParameterSetting>& settings, Inclusion& inclusion,
                Scope& scope, Context& context)
      : settings_(settings),
        inclusion_(inclusion),
        scope_(scope),
        context_(context),
        owner_(owner_of("include", entry, context.report)),
        reader_(owner_, entry.value, keys::include, context.scope, context.report),
        description_(entry) {
    included_.entry = &entry;
  }

  IncludedFile read() {
    static constexpr std::array<Choice<Base>, 2> bases = {
        {{"fixed", Base::fixed}, {"free", Base::free}}};
    reader_.require("file", "as in file = \"arm.toml\"");
    file_ = reader_.text("file");
    prefix_ = read_prefix();
    included_.at = reader_.placement("at");
    if (reader_.has("on")) included_.on = reader_.name("on");
    included_.base = reader_.choice<Base>("base", bases, Base::fixed);
    included_.has_placement = reader_.has("at") || reader_.has("on") || reader_.has("base");
    read_set();
    if (!owner_.place.has_mistakes) read_file();
    included_.place = std::move(owner_.place);
    included_.transplant.prefix = prefix_;
    return std::move(included_);
  }

 private:
  struct Fixed {
    const Entry* entry;
    Expr value;
  };

  // "" leaves the names unchanged
  std::string read_prefix() {
    const Entry* found = reader_.entry("prefix");
    if (!found) return item_name(description_) + "_";
    return found->value.is_text() && found->value.text.empty() ? "" : reader_.name("prefix");
  }

  void read_set() {
    const Entry* found = reader_.entry("set");
    if (!found || !reader_.expect_table(found->value, "set")) return;
    for (const Entry& entry : found->value.entries)
      fixed_.push_back({&entry, reader_.number_of(entry.value, "set." + entry.key, std::nullopt)});
  }

  void read_file() {
    const TextPosition where = description_.value.find("file")->value.position;
    const std::string path = path_from(context_.report.source().name, file_);
    if (!may_open(path, where)) return;
    const std::optional<Source> source = open(path, where);
    if (!source) return;
    inclusion_.bytes += source->text.size();
    if (inclusion_.bytes > largest_source)
      return reader_.error(where, fmt::format("the included files have more than the {} MB a model "
                                              "may have",
                                              largest_source >> 20));

    // values set here, then those of the command line: the last one counts
    std::vector<ParameterSetting> own;
    for (const Fixed& fixed : fixed_)
      own.push_back({fixed.entry->key, fixed.value.is_constant() ? fixed.value.constant() : 1.0});
    for (const ParameterSetting& setting : settings_)
      if (setting.name.starts_with(prefix_))
        own.push_back({setting.name.substr(prefix_.size()), setting.value});

    Diagnostics found;
    inclusion_.open.push_back(path);
    if (is_urdf(*source))
      included_.description = urdf::read_description(
          *source, {.base = included_.base, .packages = inclusion_.options.packages}, found);
    else if (source->name.ends_with(".csv"))
      included_.description = read_vehicle(*source, {}, found);
    else
      included_.description = read_model(*source, own, inclusion_, found);
    inclusion_.open.pop_back();
    for (const Diagnostic& description : found.list()) context_.report.append(description);
    included_.is_there = !included_.description.bodies.empty() || !found.has_errors();
    if (included_.is_there && !is_urdf(*source)) check_base(path);
    if (included_.is_there) check_ground(path);

    report_unknown(own, path, found.has_errors());
    enter_parameters(own);
    warn_of_what_is_left(path);
  }

  bool may_open(const std::string& path, TextPosition where) {
    const auto is_same_file = [&](const std::string& other) {
      return identity(other) == identity(path);
    };
    const auto first = std::find_if(inclusion_.open.begin(), inclusion_.open.end(), is_same_file);
    if (first != inclusion_.open.end()) {
      std::string circle;
      for (auto file = first; file != inclusion_.open.end(); ++file) circle += *file + " -> ";
      reader_.error(where,
                    fmt::format("the files include each other in a circle: {}{}", circle, *first),
                    "leave one of them out");
      return false;
    }
    if (int(inclusion_.open.size()) >= Inclusion::deepest) {
      reader_.error(
          where, fmt::format("the files include each other more than {} deep", Inclusion::deepest));
      return false;
    }
    if (++inclusion_.files > Inclusion::most_files) {
      if (inclusion_.files == Inclusion::most_files + 1)
        reader_.error(where,
                      fmt::format("the files include more than {} others", Inclusion::most_files));
      owner_.place.has_mistakes = true;
      return false;
    }
    return true;
  }

  std::optional<Source> open(const std::string& path, TextPosition where) {
    if (path.starts_with('@')) {
      const GalleryModel* model = find_in_gallery(path.substr(1));
      if (model) return Source{path, std::string(model->text)};
      reader_.error(
          where, fmt::format("no model of the gallery is called '{}'", shortened(path.substr(1))),
          "'trammel examples' lists them");
      return std::nullopt;
    }
    Diagnostics found;
    std::optional<Source> source = open_source(path, found);
    for (const Diagnostic& description : found.list())
      reader_.error(where, fmt::format("{}: {}", shortened(path), description.message),
                    description.hint);
    return source;
  }

  void check_base(const std::string& path) {
    if (included_.base != Base::free || !is_joined_to_ground(included_.description)) return;
    reader_.error(
        description_.value.find("base")->value.position,
        fmt::format("base is free, but {} joins its bodies to ground itself", shortened(path)),
        "leave base out, or the joint to ground there");
  }

  // without a prefix, its ground is ground here
  void check_ground(const std::string& path) {
    if (!prefix_.empty() || !uses_ground(included_.description)) return;
    for (const char* key : {"at", "on"})
      if (const Entry* found = description_.value.find(key))
        reader_.error(found->value.position,
                      fmt::format("the prefix is empty, so ground of {} is ground here and cannot "
                                  "be put elsewhere",
                                  shortened(path)),
                      fmt::format("leave out {}, or give a prefix, as in prefix = \"left_\"", key));
  }

  void report_unknown(const std::vector<ParameterSetting>& own, const std::string& path,
                      bool has_errors) {
    for (std::size_t k = 0; k < own.size(); ++k) {
      if (own[k].is_used) {
        for (ParameterSetting& setting : settings_)
          if (setting.name == prefix_ + own[k].name) setting.is_used = true;
        continue;
      }
      if (k >= fixed_.size() || has_errors) continue;  // from the command line: reported at the end
      std::vector<std::string> known;
      for (const auto& parameter : included_.description.parameters)
        known.push_back(parameter.name);
      for (const auto& definition : included_.description.definitions)
        known.push_back(definition.name);
      const auto meant = suggest(own[k].name, known);
      reader_.error(
          fixed_[k].entry->position,
          fmt::format("{} has no parameter '{}' to set", shortened(path), shortened(own[k].name)),
          meant           ? fmt::format("did you mean '{}'?", *meant)
          : known.empty() ? "it has no parameters"
                          : fmt::format("its parameters are {}", fmt::join(known, ", ")));
    }
  }

  // its parameters become parameters here, or are replaced by the formulas they are set to
  void enter_parameters(const std::vector<ParameterSetting>& own) {
    Description& from = included_.description;
    Description& to = context_.description;
    if (!from.parameters.empty() && !prefix_.empty() && !is_formula_name(prefix_))
      reader_.error(description_.position,
                    fmt::format("the prefix '{}' gives parameters names that no formula can use",
                                shortened(prefix_)),
                    "use letters, digits and _, as in prefix = \"left_\"");

    std::unordered_map<std::string_view, Expr> by_name;
    for (const ParameterDescription& parameter : from.parameters) {
      const std::string name = prefix_ + parameter.name;
      const Expr* formula = formula_for(parameter.name, own);
      if (formula) to.definitions.push_back({name, *formula, parameter.place});
      const Expr value = formula ? *formula : to.parameter(name, parameter.value, parameter.place);
      by_name.emplace(parameter.name, value);
      scope_.add(name, {value, true});
    }
    std::vector<Expr> symbols;
    for (const std::string& symbol : from.graph.symbols()) {
      const auto found = by_name.find(symbol);
      symbols.push_back(found == by_name.end() ? Expr(0.0) : found->second);
    }
    Values<Expr> values(from.graph, std::span<const Expr>(symbols));
    for (const DefinitionDescription& definition : from.definitions) {
      const Expr formula = values(definition.formula);
      to.definitions.push_back({prefix_ + definition.name, formula, definition.place});
      scope_.add(prefix_ + definition.name, {formula, true});
    }
    included_.transplant = {prefix_, std::move(values),
                            fs::path(file_).parent_path().generic_string()};
  }
  // none if it is set to a plain number, or by the command line
  const Expr* formula_for(const std::string& name, const std::vector<ParameterSetting>& own) const {
    for (std::size_t k = fixed_.size(); k < own.size(); ++k)
      if (own[k].name == name) return nullptr;
    for (const Fixed& fixed : fixed_)
      if (fixed.entry->key == name && !fixed.value.is_constant()) return &fixed.value;
    return nullptr;
  }

  void warn_of_what_is_left(const std::string& path) {
    const TextPosition where = description_.value.find("file")->value.position;
    for (const RawSection& section : included_.description.raw_sections)
      context_.report.warning(where,
                              fmt::format("{}: [{}] of {} is left out", owner_.text,
                                          shortened(section.name), shortened(path)),
                              "say it in this file, if it is wanted");
    if (included_.description.ground_motion)
      context_.report.warning(
          where, fmt::format("{}: [ground.motion] of {} is left out", owner_.text, shortened(path)),
          "say it in this file, if it is wanted");
    const ItemPlace& source = included_.description.source;
    const bool has_gravity = std::any_of(source.keys.begin(), source.keys.end(),
                                         [](const auto& key) { return key.first == "gravity"; });
    if (!has_gravity) return;
    const Vec3<Expr>& here = context_.description.gravity;
    const Vec3<Expr>& there = included_.description.gravity;
    const Values<Expr>& value = included_.transplant.value;
    if (is_same(value(there.x), here.x) && is_same(value(there.y), here.y) &&
        is_same(value(there.z), here.z))
      return;
    context_.report.warning(where,
                            fmt::format("{}: the gravity of {} is left out, it is not the one here",
                                        owner_.text, shortened(path)),
                            "there is one gravity, that of the file that includes");
  }

  std::vector<ParameterSetting>& settings_;
  Inclusion& inclusion_;
  Scope& scope_;
  Context& context_;
  Owner owner_;
  TableReader reader_;
  const Entry& description_;
  std::string file_, prefix_;
  std::vector<Fixed> fixed_;
  IncludedFile included_;
};

// The bodies that are no joint's child.
std::vector<std::string> roots_of(const Description& description) {
  std::unordered_set<std::string_view> children;
  for (const JointDescription& joint : description.joints) children.insert(joint.child);
  std::vector<std::string> roots;
  for (const BodyDescription& body : description.bodies)
    if (!children.contains(body.name)) roots.push_back(body.name);
  return roots;
}

}  // namespace

IncludedFile read_include(const Entry& entry, std::vector<ParameterSetting>& settings,
                          Inclusion& inclusion, Scope& scope, Context& context) {
  return IncludeReader(entry, settings, inclusion, scope, context).read();
}

void append_include(const IncludedFile& included, Context& context) {
  if (!included.is_there) return;
  const Description& from = included.description;
  Description& to = context.description;
  const std::string& prefix = included.transplant.prefix;
  JointOptions options;
  options.at = included.at;

  if (uses_ground(from) && !prefix.empty()) {
    to.body(prefix + "ground", {}, included.place);
    to.joint(prefix + "ground", JointKind::fixed, included.on, prefix + "ground", options,
             included.place);
  }
  append_prefixed(from, included.transplant, to);
  if (is_joined_to_ground(from) || !included.has_placement) return;

  // an included part without a connection to ground: it is connected as specified here
  const std::vector<std::string> roots = roots_of(from);
  if (roots.size() != 1) {
    const Entry& entry = *included.entry;
    context.report.error(
        entry.position,
        fmt::format("include '{}' is placed, but the file has {} bodies that no joint carries",
                    shortened(entry.key), roots.size()),
        "join them there, or leave out at, on and base and join them here");
    return;
  }
  to.joint(prefix + "base", included.base == Base::free ? JointKind::free : JointKind::fixed,
           included.on, prefix + roots[0], options, included.place);
}

}  // namespace trammel::toml
