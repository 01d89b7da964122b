// Did the numbers work out? The answer of every public call that can fail for reasons nobody is to
// blame for: a singular inertia, a state that is not finite, a constraint no one can honour yet.
#pragma once

#include <string>
#include <utility>

namespace trammel {

class [[nodiscard]] Status {
 public:
  Status() = default;  // all went well; costs nothing
  static Status failure(std::string message) {
    Status status;
    status.message_ = std::move(message);
    return status;
  }

  bool ok() const { return message_.empty(); }
  explicit operator bool() const { return ok(); }
  const std::string& message() const { return message_; }  // the thing, the fact, the next step

 private:
  std::string message_;
};

}  // namespace trammel
