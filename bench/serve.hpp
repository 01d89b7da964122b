// A program that times one engine on command, so that several can run alternately. It reads
// commands from stdin, one per line, and answers each with one line:
//
//   about                              name of the engine
//   time ROBOT QUESTION MILLISECONDS   ns per state
//   answer ROBOT QUESTION STATE        the numbers, in the order of the robot's file
//   calls ROBOT QUESTION N             N calls (to count instructions)
//   allocations ROBOT QUESTION         of one call after warm-up; -1 if not countable
//   memory ROBOT                       bytes that the model, and then its workspace, take
//   large N                            what a chain of N bodies takes (large.hpp); ours only
//
// ROBOT is a file in quotes (robot.hpp). A failure is answered by `error` and the reason. Standard
// library only (and POSIX's clock): the peers' programs include this file too.
#pragma once

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>

#include "bench/robot.hpp"

namespace bench {

// A function for one robot, ready to be called repeatedly.
struct EvalContext {
  std::function<void(long)> repeat;  // this number of calls, for successive states
  std::function<std::vector<double>(std::size_t)> answer;  // for one state
  int states_per_call = 1;
  double nanoseconds = 0;  // per call, as last measured
};

// Evaluates successive states, continuing where it stopped. The loop is in here, so that
// std::function costs one call per measurement and not one per evaluation.
template <class Ask> std::function<void(long)> repeated(std::size_t states, Ask ask) {
  return [states, ask, next = std::size_t{0}](long calls) mutable {
    for (; calls > 0; --calls) {
      ask(next);
      asm volatile("" : : : "memory");  // the result is needed
      next = next + 1 == states ? 0 : next + 1;
    }
  };
}

// CPU time of this thread: time of other processes does not count.
inline double nanoseconds_used() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e9 + double(now.tv_nsec);
}
inline double timed(const EvalContext& question, long calls) {
  const double start = nanoseconds_used();
  question.repeat(calls);
  return (nanoseconds_used() - start) / double(calls);
}

// ns per state. An eighth of the time is spent unmeasured, to warm up caches and clock frequency,
// because other programs ran in between.
inline double time_function(EvalContext& question, double milliseconds) {
  for (long calls = 1; question.nanoseconds == 0; calls *= 2) {
    const double each = timed(question, calls);
    if (each * double(calls) > 5e5 || calls > 1 << 24) question.nanoseconds = each;
  }
  const long calls = std::max(1L, std::lround(milliseconds * 1e6 / question.nanoseconds));
  question.repeat(std::max(1L, calls / 8));
  question.nanoseconds = timed(question, calls);
  return question.nanoseconds / question.states_per_call;
}

// Engine: has about(), counts allocations, and makes a Subject (subject.question(name),
// subject.memory()) from a Robot.
template <class Engine> class Server {
 public:
  // Commands of this engine only, by name: each reads its words and answers.
  using Extras = std::map<std::string, std::function<std::string(std::istream& words)>>;
  explicit Server(const Extras& extras = {}) : extras_(extras) {}

  int run() {
    for (std::string line; std::getline(std::cin, line);) {
      try {
        std::cout << answer(line) << std::endl;
      } catch (const std::exception& mistake) {
        std::string reason = mistake.what();  // an answer is one line
        std::replace(reason.begin(), reason.end(), '\n', ' ');
        std::cout << "error " << reason << std::endl;
      }
    }
    return 0;
  }

 private:
  using Subject = typename Engine::Subject;

  std::string answer(const std::string& line) {
    std::istringstream words(line);
    std::string command, path, name;
    words >> command;
    if (command == "about") return Engine::about();
    if (const auto extra = extras_.find(command); extra != extras_.end())
      return extra->second(words);
    words >> std::quoted(path);
    if (command == "memory") return subject(path).memory();

    words >> name;
    EvalContext& asked = question(path, name);
    std::ostringstream out;
    out << std::setprecision(17);
    double number = 0;
    if (command == "time" && words >> number) {
      out << time_function(asked, number);
    } else if (command == "calls" && words >> number) {
      asked.repeat(long(number));
      out << "done";
    } else if (command == "answer" && words >> number) {
      for (const double x : asked.answer(std::size_t(number))) out << x << ' ';
    } else if (command == "allocations") {
      asked.repeat(1);
      const long before = Engine::allocations();
      asked.repeat(1);
      out << (before < 0 ? -1 : Engine::allocations() - before);
    } else {
      throw std::runtime_error("not understood: " + line);
    }
    return out.str();
  }
  Subject& subject(const std::string& path) {
    auto& place = subjects_[path];
    if (!place) place = std::make_unique<Subject>(RobotReader(path).read());
    return *place;
  }
  EvalContext& question(const std::string& path, const std::string& name) {
    const auto [place, is_new] = questions_.try_emplace({path, name});
    if (is_new) try {
        place->second = subject(path).question(name);
      } catch (...) {
        questions_.erase(place);
        throw;
      }
    return place->second;
  }

  Extras extras_;
  std::map<std::string, std::unique_ptr<Subject>> subjects_;
  std::map<std::pair<std::string, std::string>, EvalContext> questions_;
};

inline std::string compiler() {
#ifdef __clang__
  return "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__);
#else
  return "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__);
#endif
}

// "inverse_batch/64" is a batch of 64 states, "inverse_batch" one of 256.
inline std::size_t batch_states(const std::string& question) {
  const std::size_t slash = question.find('/');
  return slash == std::string::npos ? 256 : std::stoul(question.substr(slash + 1));
}

}  // namespace bench
