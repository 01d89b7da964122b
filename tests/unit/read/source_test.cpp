// Sources that are no text, and models that are no file: one-sentence messages.
#include "trammel/read/source.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "trammel/read/load.hpp"

namespace trammel::source_test {
namespace {

namespace fs = std::filesystem;

std::string said_of(const std::string& path) {
  Diagnostics diagnostics;
  const Description description = read_description(path, {}, diagnostics);
  return diagnostics.list().empty() ? "" : to_string(diagnostics.list()[0]);
}

// a folder per test, removed with it
class SourceTest : public testing::Test {
 protected:
  SourceTest() { fs::create_directories(folder_); }
  ~SourceTest() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  fs::path folder_ =
      fs::temp_directory_path() / ("trammel-source-" + std::to_string(::getpid()) + "-" +
                                   testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(SourceTest, missing_files_are_reported) {
  EXPECT_EQ(said_of(path("none.toml")),
            path("none.toml") +
                ": error: there is no such file\n"
                "  hint: check the path; '@name' takes a model of the gallery");
}

TEST_F(SourceTest, a_folder_and_a_pipe_are_not_waited_for) {
  EXPECT_EQ(said_of(path("")),
            path("") + ": error: this is a folder\n  hint: name a model file in it");
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(said_of(path("pipe")), path("pipe") +
                                       ": error: this is not a regular file\n"
                                       "  hint: copy its contents into a file first");
}

TEST_F(SourceTest, too_much_is_refused) {
  std::ofstream(path("large.toml")) << "trammel = 1";
  fs::resize_file(path("large.toml"), largest_source + 1);  // a sparse file: takes no disk space
  EXPECT_EQ(said_of(path("large.toml")),
            path("large.toml") +
                ": error: the file has more than the 64 MB a model may have\n"
                "  hint: is this the right file?");
}

TEST_F(SourceTest, what_cannot_be_read_says_why) {
  const std::string memory = "/proc/self/mem";  // a regular file whose first byte cannot be read
  if (!fs::exists(memory)) return;
  EXPECT_EQ(said_of(memory), memory +
                                 ": error: the file cannot be read: Input/output error\n"
                                 "  hint: check its permissions");
}

TEST_F(SourceTest, a_byte_order_mark_and_an_unknown_length_do_not_matter) {
  std::ofstream(path("marked.toml")) << "\xef\xbb\xbftrammel = 1\n";
  EXPECT_EQ(said_of(path("marked.toml")), "");
}

TEST_F(SourceTest, the_gallery_knows_its_models) {
  EXPECT_EQ(said_of("@pendulum"), "");
  EXPECT_EQ(said_of("@pendulun"),
            "error: the gallery has no model 'pendulun'\n  hint: did you mean '@pendulum'?");
  EXPECT_EQ(said_of("@zeppelin-airship"),
            "error: the gallery has no model 'zeppelin-airship'\n"
            "  hint: 'trammel examples' lists them; a file whose name begins with @ is given as "
            "./@name");
}

}  // namespace
}  // namespace trammel::source_test
