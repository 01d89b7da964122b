// The JSON schema for editors and the reader have the same keys in the same tables.
#include "trammel/read/toml/keys.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/support/test_folder.hpp"
#include "tests/unit/read/reading.hpp"

namespace trammel::toml_keys_test {
namespace {

const nlohmann::json& definitions() {
  static const nlohmann::json schema =
      nlohmann::json::parse(std::ifstream(test_folder() + "/../schemas/model.schema.json"));
  return schema.at("definitions");
}

TEST(TomlKeys, the_schema_has_the_keys_of_the_reader) {
  for (const toml::TableKeys& table : toml::keys::all) {
    const nlohmann::json& definition = definitions().at(std::string(table.table));
    EXPECT_EQ(definition.at("additionalProperties"), false) << table.table;
    std::set<std::string> in_schema, in_reader;
    for (const auto& [key, value] : definition.at("properties").items()) in_schema.insert(key);
    for (const toml::Key& key : table.keys) in_reader.emplace(key.name);
    EXPECT_EQ(in_schema, in_reader) << table.table;
  }
}

TEST(TomlKeys, the_schema_has_no_table_that_the_reader_lacks) {
  std::set<std::string> known;
  for (const toml::TableKeys& table : toml::keys::all) known.emplace(table.table);
  for (const auto& [name, definition] : definitions().items())
    EXPECT_EQ(definition.contains("properties"), known.contains(name)) << name;
}

// Each choice of the schema is accepted by the reader; invalid ones are in tests/wrong_input/.
TEST(TomlKeys, the_choices_of_the_schema_are_those_of_the_reader) {
  const auto choices = [](const char* table, const char* key) {
    return definitions().at(table).at("properties").at(key).at("enum");
  };
  for (const std::string type : choices("joint", "type")) {
    const std::string more = type == "screw" ? "pitch = 1\n" : "";
    EXPECT_EQ(mistakes("[joint.j]\nparent = 'a'\nchild = 'b'\n" + more + "type = '" + type + "'\n"),
              "");
  }
  for (const std::string drive : choices("joint", "drive"))
    EXPECT_EQ(
        mistakes("[joint.j]\nparent = 'a'\nchild = 'b'\ntype = 'free'\ndrive = '" + drive + "'\n"),
        "");
  for (const std::string type : choices("wheel", "type")) {
    const std::string more = type == "caster" ? "trail = 1\nmass = 1\n" : "";
    EXPECT_EQ(mistakes("[wheel.w]\nbody = 'a'\nradius = 1\n" + more + "type = '" + type + "'\n"),
              "");
  }
  for (const std::string type : choices("constraint", "type")) {
    const std::string more = type == "distance" ? "distance = 1\n"
                             : type == "curve"  ? "x = 's'\nfrom = 0\nto = 1\n"
                                                : "";
    EXPECT_EQ(mistakes("[constraint.c]\nbetween = ['a', 'b']\n" + more + "type = '" + type + "'\n"),
              "");
  }
  EXPECT_EQ(choices("include", "base"), nlohmann::json({"fixed", "free"}));
}

}  // namespace
}  // namespace trammel::toml_keys_test
