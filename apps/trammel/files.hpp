// Atomic file output: a file is written completely or not at all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "terminal.hpp"
#include "trammel/model/model.hpp"

namespace trammel::cli {

// "-" is stdout. An existing file is not overwritten unless forced; if it is a link, its target is
// written. The text goes to a temporary file in the same folder, is synced to the disk and renamed:
// after a crash or a loss of power either the old file or the complete new one exists. Throws
// WorkFailed.
void write_file(const std::string& path, std::string_view text, bool force, Terminal& terminal);

// An SVG picture; rendered as PNG with two pixels per px if the name ends in .png.
void write_picture(const std::string& path, const std::string& svg, bool force, Terminal& terminal);

// Check before long work: throws WorkFailed if write_file would refuse to overwrite an existing
// file, if the folder does not exist, or if the path is a link without a target.
void expect_free(const std::string& path, bool force);

// A file that a command reads or writes, and its name in messages: "-o", "--report", "the model".
struct NamedFile {
  std::string what, path;
};
// The files of an option that may be repeated.
std::vector<NamedFile> named(const std::string& what, const std::vector<std::string>& paths);
// Model files that bodies, joints and wheels were read from, included files too.
std::vector<NamedFile> files_of(const Model& model);
// Throws UsageError if a file is written twice, or is both read and written: by the same name or
// through links. Empty paths, @names and devices do not count.
void expect_distinct(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read);

}  // namespace trammel::cli
