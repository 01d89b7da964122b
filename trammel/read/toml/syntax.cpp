#include "trammel/read/toml/syntax.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace trammel::toml {

namespace {

// Scans the text, tracking strings and comments.
class NestingScan {
 public:
  NestingScan(const Source& source, Diagnostics& diagnostics)
      : source_(source), text_(source.text), diagnostics_(diagnostics) {}

  bool run() {
    while (at_ < text_.size()) {
      switch (text_[at_]) {
        case '#': at_ = std::min(text_.find('\n', at_), text_.size()); break;
        case '"':
        case '\'': skip_string(); break;
        case '[':
        case '{':
          if (++depth_ > deepest_nesting)
            return fail(fmt::format("brackets are nested more than {} deep", deepest_nesting));
          end_key();
          break;
        case ']':
        case '}':
          depth_ = std::max(0, depth_ - 1);
          end_key();
          break;
        case '.':
          if (++dots_ >= longest_key_path)
            return fail(fmt::format("a key has more than {} parts", longest_key_path));
          ++at_;
          break;
        case '=':
        case ',':
        case '\n': end_key(); break;
        default: ++at_;
      }
    }
    return true;
  }

 private:
  void end_key() {
    dots_ = 0;
    ++at_;
  }
  // of one line or, with three quotes, of several; an unterminated string is left to the parser
  void skip_string() {
    const char quote = text_[at_];
    const std::string three(3, quote);
    const bool has_lines = text_.substr(at_, 3) == three;
    at_ += has_lines ? 3 : 1;
    while (at_ < text_.size()) {
      if (has_lines ? text_.substr(at_, 3) == three : text_[at_] == quote) {
        at_ += has_lines ? 3 : 1;
        return;
      }
      if (!has_lines && text_[at_] == '\n') return;
      at_ += quote == '"' && text_[at_] == '\\' ? 2 : 1;
    }
  }
  bool fail(const std::string& fact) {
    const std::string_view before = text_.substr(0, at_);
    const std::string_view line = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
    const auto column = std::count_if(line.begin(), line.end(),
                                      [](char c) { return (c & 0xC0) != 0x80; });  // UTF-8
    diagnostics_.error(
        {source_.name, int(std::count(before.begin(), before.end(), '\n')) + 1, int(column) + 1},
        fact, "no model needs that; is this the right file?");
    return false;
  }

  const Source& source_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  int depth_ = 0, dots_ = 0;
};

struct Advice {
  std::string_view complaint;  // its beginning
  std::string_view hint;
};
constexpr Advice advice[] = {
    {"could not determine value type", "a text stands in quotes: \"shoulder\""},
    {"expected 'true'", "a text stands in quotes: \"shoulder\""},
    {"expected 'false'", "a text stands in quotes: \"shoulder\""},
    {"expected a comment or whitespace",
     "one value a line; a number with a unit and a formula stand in quotes: \"5 mm\""},
    {"cannot redefine existing", "say each key and each table once"},
    {"expected '='", "a line is a heading, [body.arm], or key = value"},
    {"expected value", "a value is a number, a \"text\", a [list] or a { table }"},
    {"leading zeroes are prohibited", "write the number without the zero in front"},
};

// the parser quotes its input, line ends included
std::string printable(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n')
      result += "\\n";
    else if (static_cast<unsigned char>(c) >= 0x20)
      result += c;
  }
  return result;
}

}  // namespace

bool check_nesting(const Source& source, Diagnostics& diagnostics) {
  return NestingScan(source, diagnostics).run();
}

void report_syntax(const Source& source, TextPosition position, std::string_view complaint,
                   Diagnostics& diagnostics) {
  // "Error while parsing inline table: expected ..."
  std::string_view what = "document", fact = complaint;
  constexpr std::string_view before = "parsing ";
  const std::size_t start = complaint.find(before), colon = complaint.find(": ");
  if (start != complaint.npos && colon != complaint.npos && start < colon) {
    what = complaint.substr(start + before.size(), colon - start - before.size());
    fact = complaint.substr(colon + 2);
  }
  std::string_view hint = "the file is read as TOML: https://toml.io";
  for (const Advice& known : advice)
    if (fact.starts_with(known.complaint)) hint = known.hint;
  diagnostics.error({source.name, position.line, position.column},
                    fmt::format("in a TOML {}: {}", what, printable(shortened(fact, 200))),
                    std::string(hint));
}

}  // namespace trammel::toml
