#include "trammel/base/file_bytes.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace trammel::file_bytes_test {
namespace {

namespace fs = std::filesystem;

class FileBytesTest : public testing::Test {
 protected:
  FileBytesTest() { fs::create_directories(folder_); }
  ~FileBytesTest() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static FileProblem problem(const std::string& path) { return file_bytes(path, 1000).problem; }

 private:
  fs::path folder_ =
      fs::temp_directory_path() / ("trammel-file-bytes-" + std::to_string(::getpid()) + "-" +
                                   testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(FileBytesTest, a_file_is_read_whole_up_to_the_bound) {
  const std::string text(1000, 'x');
  std::ofstream(path("file")) << text;
  EXPECT_EQ(file_bytes(path("file"), 1000).bytes, text);
  EXPECT_EQ(file_bytes(path("file"), 999).problem, FileProblem::too_large);
  std::ofstream(path("empty")).close();
  EXPECT_TRUE(file_bytes(path("empty"), 0).ok());
}

TEST_F(FileBytesTest, what_is_no_regular_file_is_refused_without_waiting) {
  EXPECT_EQ(problem(path("nothing")), FileProblem::missing);
  EXPECT_EQ(problem(path("")), FileProblem::folder);
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(problem(path("pipe")), FileProblem::special);
  EXPECT_EQ(problem("/dev/zero"), FileProblem::special);
  fs::create_symlink("/dev/zero", path("link"));
  EXPECT_EQ(problem(path("link")), FileProblem::special);
  const std::string memory = "/proc/self/mem";  // regular, and its first byte cannot be read
  if (fs::exists(memory)) { EXPECT_EQ(problem(memory), FileProblem::unreadable); }
  const std::string messages = "/proc/kmsg";  // regular, and blocks its readers
  if (fs::exists(messages)) { EXPECT_NE(problem(messages), FileProblem::none); }
}

TEST_F(FileBytesTest, the_beginning_decides_before_the_rest_is_read) {
  std::ofstream(path("hole")) << "not this";
  fs::resize_file(path("hole"), std::uintmax_t(1) << 40);  // a sparse file: takes no disk space
  const FileBytes found =
      file_bytes(path("hole"), std::size_t(1) << 41,
                 [](std::string_view bytes) { return bytes.starts_with("this"); });
  EXPECT_EQ(found.problem, FileProblem::rejected);
  EXPECT_TRUE(found.bytes.empty());
}

}  // namespace
}  // namespace trammel::file_bytes_test
