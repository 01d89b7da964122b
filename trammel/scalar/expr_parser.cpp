#include "trammel/scalar/expr_parser.hpp"

#include <charconv>
#include <numbers>
#include <utility>
#include <vector>

#include "trammel/base/suggest.hpp"

namespace trammel {

namespace {

struct Function {
  std::string_view name;
  int arguments;
  Expr (*apply)(const Expr* arguments);
};

constexpr Function functions[] = {
    {"sin", 1, [](const Expr* x) { return sin(x[0]); }},
    {"cos", 1, [](const Expr* x) { return cos(x[0]); }},
    {"tan", 1, [](const Expr* x) { return tan(x[0]); }},
    {"asin", 1, [](const Expr* x) { return asin(x[0]); }},
    {"acos", 1, [](const Expr* x) { return acos(x[0]); }},
    {"atan", 1, [](const Expr* x) { return atan(x[0]); }},
    {"atan2", 2, [](const Expr* x) { return atan2(x[0], x[1]); }},
    {"sqrt", 1, [](const Expr* x) { return sqrt(x[0]); }},
    {"exp", 1, [](const Expr* x) { return exp(x[0]); }},
    {"log", 1, [](const Expr* x) { return log(x[0]); }},
    {"abs", 1, [](const Expr* x) { return abs(x[0]); }},
    {"min", 2, [](const Expr* x) { return min(x[0], x[1]); }},
    {"max", 2, [](const Expr* x) { return max(x[0], x[1]); }},
    {"pow", 2, [](const Expr* x) { return pow(x[0], x[1]); }},
};

const Function* find_function(std::string_view name) {
  for (const Function& function : functions)
    if (function.name == name) return &function;
  return nullptr;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return begins_name(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

enum class Pending { open, plus, minus, times, divide, negate, raise };

int precedence(Pending kind) {
  switch (kind) {
    case Pending::open: return 0;
    case Pending::plus:
    case Pending::minus: return 1;
    case Pending::times:
    case Pending::divide: return 2;
    case Pending::negate: return 3;
    case Pending::raise: return 4;
  }
  return 0;
}

// Stack entry that waits for its right-hand side: an operator, or a '(' with the function before
// it, if any.
struct Waiting {
  Pending kind;
  int position = 0;
  const Function* function = nullptr;
  int function_position = 0;
  int arguments = 1;
};

std::string in_quotes(std::string_view text) { return std::string("'").append(text).append("'"); }
std::string at_column(int position) { return "at column " + std::to_string(position + 1); }

class Parser {
 public:
  Parser(std::string_view text, const Resolve& resolve, std::span<const std::string> known)
      : text_(text), resolve_(resolve), known_(known) {}

  std::variant<Expr, ParseError> run() {
    while (!error_) {
      skip_blanks();
      if (is_at_end()) break;
      if (wants_operand_) {
        read_operand();
      } else {
        read_operator();
      }
    }
    if (!error_) finish();
    if (error_) return *error_;
    return values_.back();
  }

 private:
  // at a position for a number, a name, '(' or a sign
  void read_operand() {
    const char c = text_[at_];
    if (is_digit(c) || c == '.') return read_number();
    if (begins_name(c)) return read_name();
    if (c == '(') return open(nullptr, position());
    if (c == ')' && is_empty_call()) return close();
    if (c == '-' || c == '+') {
      if (c == '-') waiting_.push_back({.kind = Pending::negate, .position = position()});
      return pass(1);
    }
    const bool is_double_star = c == '*' && last_ == "*";
    fail(position(), expected_operand(), is_double_star ? "a power is written x^2" : "");
  }

  // at a position for an operator, ',' or ')'
  void read_operator() {
    switch (text_[at_]) {
      case '+': return push_operator(Pending::plus);
      case '-': return push_operator(Pending::minus);
      case '*': return push_operator(Pending::times);
      case '/': return push_operator(Pending::divide);
      case '^': return push_operator(Pending::raise);
      case ',': return separate();
      case ')': return close();
      default: return complain_about_neighbor();
    }
  }

  void read_number() {
    double number = 0;
    const char* begin = text_.data() + at_;
    const auto [end, problem] = std::from_chars(begin, text_.data() + text_.size(), number);
    const std::size_t length = std::size_t(end - begin);
    if (problem == std::errc::result_out_of_range)
      return fail(position(),
                  in_quotes(text_.substr(at_, length)) + " is out of the range of a number");
    if (problem != std::errc()) return fail(position(), "'.' alone is not a number");
    give(number, length);
  }

  void read_name() {
    std::size_t end = at_;
    while (end < text_.size() && continues_name(text_[end])) ++end;
    const std::string_view name = text_.substr(at_, end - at_);
    std::size_t next = end;
    while (next < text_.size() && is_blank(text_[next])) ++next;
    const bool is_called = next < text_.size() && text_[next] == '(';
    const Function* function = find_function(name);

    if (is_called && function) {
      const int start = position();
      at_ = next;
      return open(function, start);
    }
    if (const auto value = resolve_ ? resolve_(name) : std::nullopt)
      return give(*value, name.size());
    if (name == "pi") return give(std::numbers::pi, name.size());
    if (function)
      return fail(position(), in_quotes(name) + " is a function and needs its arguments",
                  "write " + std::string(name) + "(...)");
    fail(position(),
         (is_called ? "no function is called " : "nothing is called ") + in_quotes(name),
         did_you_mean(name, is_called));
  }

  std::string did_you_mean(std::string_view name, bool is_called) const {
    std::vector<std::string> candidates(known_.begin(), known_.end());
    if (is_called) candidates.clear();
    for (const Function& function : functions) candidates.emplace_back(function.name);
    if (!is_called) candidates.emplace_back("pi");
    const auto nearest = suggest(name, candidates);
    return nearest ? "did you mean " + in_quotes(*nearest) + "?" : "";
  }

  // pushes an operand that was read
  void give(Expr value, std::size_t length) {
    values_.push_back(value);
    wants_operand_ = false;
    pass(length);
  }

  void push_operator(Pending kind) {
    // operators of higher precedence are complete now; of equal precedence too, but a^b^c is
    // a^(b^c)
    const int own = precedence(kind);
    const int least = kind == Pending::raise ? own + 1 : own;
    while (!waiting_.empty() && precedence(waiting_.back().kind) >= least) apply_last();
    waiting_.push_back({.kind = kind, .position = position()});
    wants_operand_ = true;
    pass(1);
  }

  void open(const Function* function, int function_position) {
    waiting_.push_back({Pending::open, position(), function, function_position});
    pass(1);
  }

  void apply_to_open() {
    while (!waiting_.empty() && waiting_.back().kind != Pending::open) apply_last();
  }

  void separate() {
    apply_to_open();
    if (waiting_.empty() || !waiting_.back().function)
      return fail(position(), "',' stands only between the arguments of a function",
                  "decimals are written with a point: 0.5");
    ++waiting_.back().arguments;
    wants_operand_ = true;
    pass(1);
  }

  bool is_empty_call() const {
    return last_ == "(" && !waiting_.empty() && waiting_.back().function;
  }

  void close() {
    const int arguments_missing = is_empty_call() ? 1 : 0;
    apply_to_open();
    if (waiting_.empty()) return fail(position(), "')' has no '(' before it");
    const Waiting call = waiting_.back();
    waiting_.pop_back();
    if (call.function) {
      const int given = call.arguments - arguments_missing, needed = call.function->arguments;
      if (given != needed)
        return fail(call.function_position, std::string(call.function->name) + " takes " +
                                                std::to_string(needed) +
                                                (needed == 1 ? " argument" : " arguments") +
                                                ", got " + std::to_string(given));
      const std::size_t first = values_.size() - std::size_t(needed);
      const Expr result = call.function->apply(&values_[first]);
      values_.resize(first);
      values_.push_back(result);
    }
    wants_operand_ = false;
    pass(1);
  }

  void apply_last() {
    const Pending kind = waiting_.back().kind;
    waiting_.pop_back();
    const Expr y = values_.back();
    if (kind == Pending::negate) {
      values_.back() = -y;
      return;
    }
    values_.pop_back();
    Expr& x = values_.back();
    switch (kind) {
      case Pending::plus: x += y; break;
      case Pending::minus: x -= y; break;
      case Pending::times: x *= y; break;
      case Pending::divide: x /= y; break;
      default: x = pow(x, y); break;
    }
  }

  void finish() {
    if (wants_operand_) return fail(position(), expected_operand());
    apply_to_open();
    if (!waiting_.empty())
      fail(position(), "')' is missing for the '(' " + at_column(waiting_.back().position));
  }

  // two values without an operator, or a character without meaning here
  void complain_about_neighbor() {
    const char c = text_[at_];
    if (continues_name(c) || c == '.' || c == '(')
      return fail(position(), "expected an operator after " + in_quotes(last_),
                  "a product is written with '*'");
    std::size_t length = 1;  // bytes of one UTF-8 character
    while (at_ + length < text_.size() && (text_[at_ + length] & 0xC0) == 0x80) ++length;
    fail(position(), in_quotes(text_.substr(at_, length)) + " has no meaning in an expression");
  }

  std::string expected_operand() const {
    if (last_.empty() && is_at_end()) return "the expression is empty";
    const std::string expected = "expected a number, a name or '('";
    return last_.empty() ? expected : expected + " after " + in_quotes(last_);
  }

  int position() const { return int(at_); }
  bool is_at_end() const { return at_ == text_.size(); }
  void skip_blanks() {
    while (!is_at_end() && is_blank(text_[at_])) ++at_;
  }
  void pass(std::size_t length) {
    last_ = text_.substr(at_, length);
    at_ += length;
  }
  void fail(int where, std::string message, std::string hint = {}) {
    error_ = ParseError{where, std::move(message), std::move(hint)};
  }

  std::string_view text_;
  const Resolve& resolve_;
  std::span<const std::string> known_;

  std::size_t at_ = 0;            // the next character
  std::string_view last_;         // the token before it
  bool wants_operand_ = true;     // a value comes next, not an operator
  std::vector<Expr> values_;      // operands read and not yet used
  std::vector<Waiting> waiting_;  // operators read and waiting for operands
  std::optional<ParseError> error_;
};

}  // namespace

std::variant<Expr, ParseError> parse(std::string_view text, const Resolve& resolve,
                                     std::span<const std::string> known) {
  return Parser(text, resolve, known).run();
}

}  // namespace trammel
