// Search path of meshes.
#include "trammel/read/package.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace trammel::urdf_package_test {
namespace {

namespace fs = std::filesystem;

class Package : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::temp_directory_path() /
        ("trammel_package_" + std::to_string(std::hash<std::string>()(
                                  testing::UnitTest::GetInstance()->current_test_info()->name())));
    fs::create_directories(folder_);
    ::unsetenv("ROS_PACKAGE_PATH");
  }
  void TearDown() override {
    fs::remove_all(folder_);
    ::unsetenv("ROS_PACKAGE_PATH");
  }
  std::string file(const std::string& path) {
    fs::create_directories((folder_ / path).parent_path());
    std::ofstream(folder_ / path) << "solid\n";
    return (folder_ / path).string();
  }
  std::string at(const std::string& path) const { return (folder_ / path).string(); }

  fs::path folder_;
};

TEST_F(Package, a_folder_given_for_it_comes_first) {
  const std::string mesh = file("given/meshes/a.stl");
  file("robots/arm/meshes/a.stl");
  EXPECT_EQ(
      find_file("package://arm/meshes/a.stl", at("robots/arm.urdf"), {{"arm", at("given")}}).path,
      mesh);
}

TEST_F(Package, then_the_folders_of_ros) {
  const std::string inside = file("ros/arm/a.stl"), itself = file("deep/hand/b.stl");
  file("robots/arm/a.stl");
  ::setenv("ROS_PACKAGE_PATH", ("/nowhere::" + at("ros") + ":" + at("deep/hand")).c_str(), 1);
  EXPECT_EQ(find_file("package://arm/a.stl", at("robots/x.urdf"), {}).path, inside);
  EXPECT_EQ(find_file("package://hand/b.stl", at("robots/x.urdf"), {}).path, itself);
}

TEST_F(Package, then_in_the_folder_of_the_file_and_above_it) {
  const std::string beside = file("ws/arm/urdf/tool/a.stl"), above = file("ws/arm/meshes/b.stl");
  const std::string cousin = file("ws/hand/c.stl");
  const std::string model = at("ws/arm/urdf/arm.urdf");
  EXPECT_EQ(find_file("package://tool/a.stl", model, {}).path, beside);
  EXPECT_EQ(find_file("package://arm/meshes/b.stl", model, {}).path, above);
  EXPECT_EQ(find_file("package://hand/c.stl", model, {}).path, cousin);
}

TEST_F(Package, plain_paths_are_taken_from_the_folder_of_the_file) {
  const std::string mesh = file("robots/meshes/a.stl");
  EXPECT_EQ(find_file("meshes/a.stl", at("robots/x.urdf"), {}).path, mesh);
  EXPECT_EQ(find_file(mesh, "x.urdf", {}).path, mesh);
  EXPECT_EQ(find_file("file://" + mesh, "x.urdf", {}).path, mesh);
}

TEST_F(Package, missing_packages_are_reported_with_the_searched_places) {
  file("robots/arm/meshes/folder/a.stl");
  const FoundFile found = find_file("package://arm/meshes/folder", at("robots/x.urdf"),
                                    {{"arm", "one"}, {"hand", "two"}, {"arm", "three"}});
  EXPECT_EQ(found.path, "");  // a folder is no mesh
  EXPECT_EQ(
      found.looked,
      "in 'one', in 'three', in the folders of ROS_PACKAGE_PATH, and in 'arm' beside the file "
      "and above it");
  EXPECT_EQ(find_file("package://arm", at("robots/x.urdf"), {}).path, "");
  EXPECT_EQ(find_file("package://", at("robots/x.urdf"), {}).path, "");
}

}  // namespace
}  // namespace trammel::urdf_package_test
