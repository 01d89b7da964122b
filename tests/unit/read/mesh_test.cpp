#include "trammel/read/mesh/mesh.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "trammel/read/load.hpp"

namespace trammel::mesh_test {
namespace {

using Corner = std::array<float, 3>;
using Facet = std::array<Corner, 3>;

// A unit tetrahedron with outward orientation.
const std::vector<Facet> tetrahedron = {{{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}},
                                        {{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}},
                                        {{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}}},
                                        {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};

template <class Number> void append(std::string& bytes, Number number) {
  char raw[sizeof number];
  std::memcpy(raw, &number, sizeof number);
  bytes.append(raw, sizeof number);
}
std::string binary_stl(const std::vector<Facet>& facets, std::string head = "made by a test") {
  head.resize(80, ' ');
  append(head, std::uint32_t(facets.size()));
  for (const Facet& facet : facets) {
    for (int k = 0; k < 3; ++k) append(head, 0.0f);
    for (const Corner& corner : facet)
      for (const float x : corner) append(head, x);
    append(head, std::uint16_t(7));
  }
  return head;
}
std::string text_stl(const std::vector<Facet>& facets) {
  std::string text = "solid tetrahedron\n";
  for (const Facet& facet : facets) {
    text += "  facet normal 0 0 0\n    outer loop\n";
    for (const auto& [x, y, z] : facet)
      text += "      vertex " + std::to_string(x) + " +" + std::to_string(y) + "\t" +
              std::to_string(z) + "e0\r\n";
    text += "    endloop\n  endfacet\n";
  }
  return text + "endsolid tetrahedron\n";
}
const std::string obj =
    "# a comment\nmtllib colors.mtl\no thing\nv 0 0 0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0\nv 0 0 1\n"
    "vn 0 0 1\nvt 0 0\nusemtl red\ns off\nf 1 3 2\nf 1/1/1 2//1 4/1\nf -4 -1 -2\nf 2 3 4\n";

// Six times the volume enclosed by a closed surface: positive if it is oriented outward.
double six_volumes(const TriangleMesh& mesh) {
  double sum = 0;
  for (const auto& [i, j, k] : mesh.triangles) {
    const auto &a = mesh.points[i], &b = mesh.points[j], &c = mesh.points[k];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum;
}
std::string mistake(const std::string& name, const std::string& bytes) {
  const auto parsed = parse_mesh(name, bytes);
  const auto* found = std::get_if<MeshMistake>(&parsed);
  if (!found) return "read";
  return std::to_string(found->line) + ": " + found->what +
         (found->hint.empty() ? "" : " (" + found->hint + ")");
}

}  // namespace

TEST(Mesh, every_format_gives_the_same_tetrahedron) {
  for (const auto& [name, bytes] :
       {std::pair<std::string, std::string>{"a.stl", binary_stl(tetrahedron)},
        {"a.STL", binary_stl(tetrahedron, "solid, says a binary file, facet")},
        {"a.stl", text_stl(tetrahedron)},
        {"folder.d/a.obj", obj}}) {
    const auto parsed = parse_mesh(name, bytes);
    const auto* mesh = std::get_if<TriangleMesh>(&parsed);
    ASSERT_TRUE(mesh) << name << ": " << mistake(name, bytes);
    EXPECT_EQ(mesh->points.size(), 4u) << name;  // coinciding corners are one point
    EXPECT_EQ(mesh->triangles.size(), 4u) << name;
    EXPECT_DOUBLE_EQ(six_volumes(*mesh), 1) << name;
  }
}

TEST(Mesh, faces_of_many_corners_become_triangles) {
  const auto parsed =
      parse_mesh("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0.5 1.5 0\nv 0 1 0\nf 1 2 3 4 5\n");
  EXPECT_EQ(std::get<TriangleMesh>(parsed).triangles.size(), 3u);
}

TEST(Mesh, broken_files_are_reported) {
  const std::string stl = binary_stl(tetrahedron);
  EXPECT_EQ(mistake("a.stl", stl.substr(0, 150)),
            "0: says 4 triangles and has bytes for 1 (it is cut short, or no STL file)");
  EXPECT_EQ(mistake("a.stl", "hello"), "0: has 5 bytes, too few for an STL file");
  EXPECT_EQ(mistake("a.stl", binary_stl({})), "0: has no triangles");
  std::vector<Facet> odd = tetrahedron;
  odd[2][1][0] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(mistake("a.stl", binary_stl(odd)),
            "0: has a triangle (3) whose corners are not finite");
  EXPECT_EQ(mistake("a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 1 2\n"),
            "4: a vertex is not three finite numbers");
  EXPECT_EQ(mistake("a.stl", "solid a\nfacet\nouter loop\nvertex 1 2 3\nendloop\nendfacet\n"),
            "6: a facet has 1 corners, it must have 3");
  EXPECT_EQ(mistake("a.stl", "solid a\nfacet\nouter loop\nvertex 1 2 3\n"),
            "4: it ends within a facet (it is cut short)");
  EXPECT_EQ(mistake("a.stl", "solid a\nfacet\nwhat\n"), "3: 'what' is no word of an STL file");
  EXPECT_EQ(mistake("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n"),
            "3: a face names vertex 3, and there are 2 so far");
  EXPECT_EQ(mistake("a.obj", "v 0 0 0\nf 1 1\n"),
            "2: a face has 2 corners, it must have 3 or more");
  EXPECT_EQ(mistake("a.obj", "v 0 0 0\nf 1 x 1\n"), "2: a corner of a face is no number");
  EXPECT_EQ(mistake("a.obj", "v 0 nan 0\n"), "1: a vertex is not three finite numbers");
  EXPECT_EQ(mistake("a.dae", "<xml>"),
            "0: is a '.dae' file, which is not read here (convert it to STL or OBJ)");
}

namespace {

class MeshFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("trammel-meshes-" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_ / "parts");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  std::filesystem::path folder_;
};

const std::string body =
    "mass = 1\nshape = { mesh = \"MESH\" }\n[joint.NAME]\ntype = \"free\"\nparent = "
    "\"ground\"\nchild = \"NAME\"\n";
std::string body_with(const std::string& name, const std::string& mesh) {
  std::string text = "[body.NAME]\n" + body;
  for (const auto& [word, with] : {std::pair("NAME", name), std::pair("MESH", mesh)})
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word))
      text.replace(at, 4, with);
  return text;
}

}  // namespace

TEST_F(MeshFiles, are_found_in_the_folder_of_the_file_that_names_them) {
  write("a.stl", binary_stl(tetrahedron));
  write("parts/b.obj", obj);
  write("parts/part.toml", "trammel = 1\n" + body_with("inner", "b.obj"));
  write("model.toml", "trammel = 1\n[include.left]\nfile = \"parts/part.toml\"\n" +
                          body_with("one", "a.stl") + body_with("two", "a.stl") +
                          body_with("three", "package://kit/b.obj") + body_with("four", "c.stl") +
                          body_with("five", "bad.stl"));
  write("bad.stl", "solid bad\nfacet\nvertex 1 2\n");
  const Model model = load_model(at("model.toml"));
  Diagnostics warnings;
  const std::vector<NamedMesh> meshes = load_meshes(model, {{"kit", at("parts")}}, warnings);
  ASSERT_EQ(meshes.size(), 3u);  // each once
  for (const NamedMesh& mesh : meshes) EXPECT_EQ(mesh.mesh.triangles.size(), 4u) << mesh.file;
  ASSERT_EQ(warnings.list().size(), 2u);
  EXPECT_EQ(warnings.list()[0].message,
            "the mesh 'c.stl' of body 'four' is not found; it is not drawn");
  EXPECT_GT(warnings.list()[0].place.line, 0);
  EXPECT_EQ(warnings.list()[1].message,
            "the mesh 'bad.stl' of body 'five' is broken in its line 3: a vertex is not three "
            "finite numbers; it is not drawn");
}

TEST_F(MeshFiles, too_large_a_file_is_not_read) {
  write("big.stl", "solid big");
  // a sparse file: takes no disk space
  std::filesystem::resize_file(folder_ / "big.stl", 257u << 20);
  write("model.toml", "trammel = 1\n" + body_with("one", "big.stl"));
  Diagnostics warnings;
  EXPECT_TRUE(load_meshes(load_model(at("model.toml")), {}, warnings).empty());
  ASSERT_EQ(warnings.list().size(), 1u);
  EXPECT_EQ(warnings.list()[0].message,
            "the mesh 'big.stl' of body 'one' has 257 MB, at most 256 are read; it is not drawn");
  EXPECT_EQ(warnings.list()[0].hint, "make it coarser");
}

// The URDF reader has reported missing files: one message is enough.
TEST_F(MeshFiles, of_a_urdf_are_where_its_reader_found_them) {
  write("a.stl", binary_stl(tetrahedron));
  write("robot.urdf",
        "<robot name='r'><link name='base'><visual><geometry><mesh filename='a.stl' "
        "scale='2 2 2'/></geometry></visual><visual><geometry><mesh "
        "filename='package://none/b.stl'/></geometry></visual></link></robot>");
  const Model model = load_model(at("robot.urdf"));
  ASSERT_EQ(model.warnings().size(), 1u);
  Diagnostics warnings;
  EXPECT_EQ(load_meshes(model, {}, warnings).size(), 1u);
  EXPECT_TRUE(warnings.list().empty());
}

}  // namespace trammel::mesh_test
