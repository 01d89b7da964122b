#include "trammel/read/urdf/xml_scan.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "trammel/base/diagnostics.hpp"

namespace trammel::urdf {

namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || (c & 0x80);
}
bool continues_name(char c) {
  return begins_name(c) || (c >= '0' && c <= '9') || c == '.' || c == '-';
}

class XmlScan {
 public:
  explicit XmlScan(std::string_view text) : text_(text) {}

  XmlTags scan() {
    std::size_t after = 0;  // the end of the last markup
    while (!found_.mistake && (at_ = text_.find('<', after)) != std::string_view::npos) {
      pass_markup();
      after = at_;
    }
    if (found_.mistake) return std::move(found_);
    at_ = after;
    pass_space();
    if (open_.empty() && !found_.tags.empty() && at_ < text_.size())
      mistake(at_, "text follows the end of the last element", "take it out");
    if (!open_.empty())
      mistake(open_.back().at, fmt::format("<{}> is never closed", shortened(open_.back().name)),
              fmt::format("close it with </{}>, or write <{} .../>", shortened(open_.back().name),
                          shortened(open_.back().name)));
    return std::move(found_);
  }

 private:
  struct Open {
    std::size_t at;
    std::string_view name;
  };

  void mistake(std::size_t at, std::string message, std::string hint) {
    found_.mistake = {at, std::move(message), std::move(hint)};
  }

  void pass_markup() {
    if (next_is("<!--")) return pass_until("<!--", "-->", "a comment");
    if (next_is("<![CDATA[")) return pass_until("<![CDATA[", "]]>", "a CDATA section");
    if (next_is("<?")) return pass_until("<?", "?>", "a declaration <? ... ?>");
    if (next_is("<!")) return pass_until("<!", ">", "a declaration <! ... >");
    pass_tag();
  }
  bool next_is(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  void pass_until(std::string_view begin, std::string_view end, std::string_view what) {
    const std::size_t last = text_.find(end, at_ + begin.size());
    if (last == std::string_view::npos)
      return mistake(at_, fmt::format("{} has no end", what), fmt::format("end it with {}", end));
    at_ = last + end.size();
  }

  void pass_tag() {
    const std::size_t start = at_++;
    const bool closes = next_is("/");
    if (closes) ++at_;
    const std::string_view name = pass_name();
    if (name.empty())
      return mistake(start, "a '<' begins no tag", "write &lt; where a '<' is meant as text");
    if (closes) return pass_closing(start, name);

    if (open_.size() == deepest_xml)
      return mistake(start, fmt::format("elements are nested more than {} deep", deepest_xml),
                     "no robot is like that; is this the right file?");
    found_.tags.push_back({start, found_.attributes.size()});
    open_.push_back({start, name});
    pass_attributes(start, name);
  }

  void pass_closing(std::size_t start, std::string_view name) {
    pass_space();
    if (!next_is(">"))
      return mistake(start, fmt::format("the tag </{}> is not finished", shortened(name)),
                     "end it with '>'");
    ++at_;
    if (open_.empty())
      return mistake(start, fmt::format("</{}> closes nothing", shortened(name)), "take it out");
    if (open_.back().name != name)
      return mistake(start,
                     fmt::format("</{}> stands where <{}> is still open", shortened(name),
                                 shortened(open_.back().name)),
                     fmt::format("close <{}> first, with </{}>", shortened(open_.back().name),
                                 shortened(open_.back().name)));
    open_.pop_back();
  }

  void pass_attributes(std::size_t start, std::string_view tag) {
    seen_.clear();
    while (!found_.mistake) {
      pass_space();
      if (at_ < text_.size() && begins_name(text_[at_])) {
        pass_attribute(tag);
      } else if (next_is(">")) {
        ++at_;
        return;
      } else if (next_is("/>")) {
        at_ += 2;
        open_.pop_back();
        return;
      } else {
        return mistake(start, fmt::format("the tag <{}> is not finished", shortened(tag)),
                       "end it with '>' or '/>'");
      }
    }
  }
  void pass_attribute(std::string_view tag) {
    const std::size_t start = at_;
    found_.attributes.push_back(start);
    const std::string_view whole_name = pass_name();
    const std::string name = shortened(whole_name);
    if (std::ranges::find(seen_, whole_name) != seen_.end())
      return mistake(start, fmt::format("<{}> has the attribute '{}' twice", shortened(tag), name),
                     "take one of them out");
    if (seen_.size() == most_attributes)
      return mistake(
          start, fmt::format("<{}> has more than {} attributes", shortened(tag), most_attributes),
          "no robot is like that; is this the right file?");
    seen_.push_back(whole_name);
    pass_space();
    if (!next_is("="))
      return mistake(start, fmt::format("attribute '{}' has no value", name),
                     fmt::format("write {}=\"...\"", name));
    ++at_;
    pass_space();
    const char quote = at_ < text_.size() ? text_[at_] : ' ';
    if (quote != '"' && quote != '\'')
      return mistake(start, fmt::format("the value of attribute '{}' is not in quotes", name),
                     fmt::format("write {}=\"...\"", name));
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos)
      return mistake(start, fmt::format("the value of attribute '{}' has no closing quote", name),
                     fmt::format("end it with {}", quote));
    at_ = end + 1;
  }

  void pass_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  std::string_view pass_name() {
    const std::size_t start = at_;
    if (at_ == text_.size() || !begins_name(text_[at_])) return {};
    while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Open> open_;
  std::vector<std::string_view> seen_;  // attributes of this tag
  XmlTags found_;
};

}  // namespace

XmlTags scan_xml(std::string_view text) { return XmlScan(text).scan(); }

}  // namespace trammel::urdf
