// Runs a fuzz target over stored inputs, without libFuzzer: files, and all files of folders. Exit
// code 1 names the inputs that are findings.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/target.hpp"

// Only libFuzzer mutates.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t*, std::size_t size, std::size_t) {
  return size;
}

namespace {

bool is_finding(const std::string& name, const std::string& bytes) {
  try {
    // a copy of exactly this size, so that sanitizers find reads past its end
    const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
    return false;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
    return true;
  }
}

}  // namespace

int main(int count, char** words) {
  std::vector<std::string> files;
  for (int k = 1; k < count; ++k) {
    if (!std::filesystem::is_directory(words[k])) {
      files.emplace_back(words[k]);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(words[k]))
      if (entry.is_regular_file()) files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  int findings = is_finding("empty input", "");
  for (const std::string& file : files) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
      std::fprintf(stderr, "%s: cannot be read\n", file.c_str());
      ++findings;
      continue;
    }
    std::fprintf(stdout, "%s\n", file.c_str());
    std::fflush(stdout);  // the last printed name before a crash is the finding
    findings += is_finding(file, {std::istreambuf_iterator<char>(stream), {}});
  }
  std::printf("%zu inputs, %d findings\n", files.size(), findings);
  return findings > 0 || files.empty() ? 1 : 0;
}
