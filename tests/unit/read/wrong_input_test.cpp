// Every file of tests/wrong_input/ gives exactly the message of its `.expected` file. An optional
// `.options` file has the arguments of the command line: lines such as "set length=2", "base free",
// "package arm=some/folder", "build strict".
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/test_folder.hpp"
#include "trammel/read/load.hpp"
#include "trammel/read/table/table.hpp"

namespace trammel::wrong_input_test {
namespace {

namespace fs = std::filesystem;

const fs::path folder = test_folder() + "/wrong_input";

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

fs::path beside(fs::path file, const char* extension) { return file.replace_extension(extension); }

std::vector<std::string> wrong_files() {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".expected") {
      fs::path input;
      for (const auto& sibling : fs::directory_iterator(entry.path().parent_path()))
        if (sibling.path().stem() == entry.path().stem() &&
            sibling.path().extension() != ".expected" && sibling.path().extension() != ".options")
          input = sibling.path();
      files.push_back((input.empty() ? entry.path() : input).lexically_relative(folder).string());
    }
  std::sort(files.begin(), files.end());
  return files;
}

ReadOptions options_of(const fs::path& file) {
  ReadOptions options;
  std::istringstream lines(text_of(beside(file, ".options")));
  std::string what, value;
  while (lines >> what >> value) {
    const std::size_t equals = value.find('=');
    const std::string left = value.substr(0, equals);
    const std::string right = equals == std::string::npos ? "" : value.substr(equals + 1);
    if (what == "set") options.set.emplace_back(left, std::stod(right));
    if (what == "package") options.packages.emplace_back(left, right);
    if (what == "build")
      (value == "strict" ? options.build.strict : options.build.allow_nonphysical) = true;
    if (what == "base") options.base = value == "free" ? Base::free : Base::fixed;
  }
  return options;
}

// assemble/dh/unknown_column.csv is a table in the notation dh; files elsewhere are models.
Model model_of(const std::string& file) {
  const fs::path path(file);
  if (!file.starts_with("assemble/")) return load_model(file, options_of(file));
  const auto notation = find_notation(path.parent_path().filename().string());
  Diagnostics diagnostics;
  const Description description = read_table(notation.value(), file, options_of(file), diagnostics);
  return build_model(description, diagnostics);
}

// All messages in order, ending in a line end.
std::string said_of(const std::string& file) {
  std::string text;
  const auto tell = [&](auto&& list) {
    for (const Diagnostic& diagnostic : list) text += to_string(diagnostic) + "\n";
  };
  try {
    tell(model_of(file).warnings());
  } catch (const ModelError& error) { tell(error.diagnostics().list()); }
  return text;
}

class WrongInput : public testing::TestWithParam<std::string> {};

TEST_P(WrongInput, SaysExactlyWhatIsExpected) {
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  const std::string description = said_of(GetParam());
  const std::string expected = text_of(beside(GetParam(), ".expected"));
  fs::current_path(before);
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(description, expected);
}

// A description read with errors builds no model without the diagnostics of its reader either.
TEST_P(WrongInput, is_refused_without_its_diagnostics) {
  const std::string file = GetParam();
  if (!file.ends_with(".toml") && !file.ends_with(".urdf")) return;  // tables are read at once
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  Diagnostics found;
  const Description description = read_description(file, options_of(file), found);
  fs::current_path(before);
  if (!found.has_errors() || description.bodies.empty()) return;
  try {
    const Model model = build_model(description);
    EXPECT_FALSE(std::ranges::any_of(description.joints, [](const JointDescription& joint) {
      return joint.place.has_mistakes;
    })) << "a model was built of a joint with mistakes";
  } catch (const ModelError& error) { EXPECT_TRUE(error.diagnostics().has_errors()); }
}

INSTANTIATE_TEST_SUITE_P(Files, WrongInput, testing::ValuesIn(wrong_files()), [](const auto& file) {
  std::string name = file.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
  return name;
});

}  // namespace
}  // namespace trammel::wrong_input_test
