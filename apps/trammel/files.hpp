// Files that a command writes: whole or not at all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "terminal.hpp"
#include "trammel/model/model.hpp"

namespace trammel::cli {

// "-" is stdout. A file that is there is left alone unless forced; of a link, forced, the target is
// written. Written beside, synced to the disk and renamed: after a crash or a loss of power there
// is the old file or the whole new one. Throws WorkFailed.
void write_file(const std::string& path, std::string_view text, bool force, Terminal& terminal);

// An SVG picture, as PNG with two pixels a px where the name ends so.
void write_picture(const std::string& path, const std::string& svg, bool force, Terminal& terminal);

// For work that takes long: throws WorkFailed if write_file would leave alone what is there, has
// no folder to write into, or would meet a link to nothing.
void expect_free(const std::string& path, bool force);

// A file that a command reads or writes, and how the user named it: "-o", "--report", "the model".
struct NamedFile {
  std::string what, path;
};
// Those of one option that may be repeated.
std::vector<NamedFile> named(const std::string& what, const std::vector<std::string>& paths);
// Model files that bodies, joints and wheels were read from: those that are included, too.
std::vector<NamedFile> files_of(const Model& model);
// Throws UsageError if a file that is written is written twice, or is one that is read: by the same
// name, or through links. Empty paths, @names and devices do not count.
void expect_distinct(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read);

}  // namespace trammel::cli
