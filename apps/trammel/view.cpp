// `trammel view`: a motion as a page in the browser, served on this machine only.
#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "command.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "model_options.hpp"
#include "motion_options.hpp"
#include "motion_page.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "run_watch.hpp"
#include "trammel/base/file_bytes.hpp"
#include "trammel/simulate/recorder.hpp"
#include "trammel/write/report/run_report.hpp"

// last: it brings the macro _res of <resolv.h>, a name in Eigen's products
#include <httplib.h>

namespace trammel::cli {

namespace {

// Thread pool of the server: as many threads as the system grants, at least one. httplib's own pool
// ends the program if a thread cannot be created.
class Answering final : public httplib::TaskQueue {
 public:
  explicit Answering(int count) {
    for (int k = 0; k < count; ++k) {
      try {
        threads_.emplace_back([this] { work(); });
      } catch (const std::system_error&) { break; }
    }
  }
  ~Answering() override { shutdown(); }
  std::size_t count() const { return threads_.size(); }
  void enqueue(std::function<void()> task) override {
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    is_given_.notify_one();
  }
  void shutdown() override {  // may be called twice
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    is_given_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      is_given_.wait(lock, [&] { return is_over_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
  }

  std::vector<std::thread> threads_;
  std::deque<std::function<void()>> tasks_;
  std::mutex mutex_;
  std::condition_variable is_given_;
  bool is_over_ = false;
};

constexpr int answering_threads = 8;
constexpr std::size_t largest_page = std::size_t(1) << 32;  // [bytes]

// A request with another Host comes from a page elsewhere whose name resolves to this machine (DNS
// rebinding): it must not read the model.
bool is_for_this_machine(const httplib::Request& request, int port) {
  const std::string host = request.get_header_value("Host");
  for (const char* const name : {"127.0.0.1", "localhost", "[::1]"})
    if (host == fmt::format("{}:{}", name, port) || (port == 80 && host == name)) return true;
  return false;
}

// Refuses before a body is read or a handler called.
httplib::Server::HandlerResponse guard(const httplib::Request& request, httplib::Response& response,
                                       int port) {
  // range requests are ignored: a request of 3 kB could ask for a thousand copies. The server owns
  // the request and passes it as const.
  const_cast<httplib::Request&>(request).ranges.clear();
  const auto refuse = [&](int status, const char* why) {
    response.status = status;
    response.set_content(why, "text/plain; charset=utf-8");
    return httplib::Server::HandlerResponse::Handled;
  };
  if (!is_for_this_machine(request, port))
    return refuse(403, "trammel view answers requests to 127.0.0.1 and localhost only\n");
  if (request.method != "GET" && request.method != "HEAD")
    return refuse(405, "trammel view answers GET and HEAD only\n");
  return httplib::Server::HandlerResponse::Unhandled;
}

class View final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("Serve a motion, or a page of simulate, to a browser on this machine.");
    app.footer(
        "trammel view @double_pendulum --duration 10\n"
        "trammel view run.html --port 8000");
    model_.offer(app);
    run_.offer(app);
    motion_.offer(app);
    app.add_option("--port", port_, "port on 127.0.0.1; default: any free port")
        ->type_name("NUMBER");
    app.add_option("--for", seconds_, "seconds to serve; default: until Ctrl-C")
        ->type_name("SECONDS");
    terminal.offer(app);
  }

  Exit run(Terminal& terminal) override {
    const double description = port_.empty() ? 0 : number(port_, "--port");
    const double seconds = seconds_.empty() ? 0 : number(seconds_, "--for");
    if (!(description >= 0 &&
          description <= 65535))  // before the conversion to int, which cannot hold 1e99
      throw UsageError(fmt::format("option --port is {}", description), "it takes 1 to 65535");
    const int port = int(description);
    motion_.check();
    const Interrupt watching;
    const std::string page =
        model_.path().ends_with(".html") ? page_in_file(model_.path()) : page_of_a_motion(terminal);
    if (Interrupt::has_come()) return exit_of_interrupted();

    httplib::Server server;
    server.Get("/", [&](const httplib::Request&, httplib::Response& response) {
      response.set_content(page, "text/html; charset=utf-8");
    });
    server.set_socket_options([](socket_t socket) {  // a port in use is not shared
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    const int bound = port == 0 ? server.bind_to_any_port("127.0.0.1")
                      : server.bind_to_port("127.0.0.1", port) ? port
                                                               : -1;
    if (bound < 0)
      throw WorkFailed(
          fmt::format("port {} cannot be taken: another program has it, or it may not "
                      "be used: give another --port",
                      port));
    server.set_pre_routing_handler(
        [bound](const httplib::Request& request, httplib::Response& response) {
          return guard(request, response, bound);
        });
    server.set_payload_max_length(1024);
    server.set_keep_alive_max_count(1);  // the rest of a refused body is not read as a request
    auto answering = std::make_unique<Answering>(answering_threads);
    if (answering->count() == 0)
      throw WorkFailed("the page cannot be served: this machine gives no thread to answer with");
    server.new_task_queue = [&] { return answering.release(); };  // requested once
    std::atomic<bool> has_ended = false;
    std::thread serving;
    try {
      serving = std::thread([&] {
        server.listen_after_bind();
        has_ended = true;
      });
    } catch (const std::system_error&) {
      throw WorkFailed("the page cannot be served: this machine gives no thread to listen with");
    }
    fmt::print("http://127.0.0.1:{}/\n", bound);  // printed now, not at the end
    std::fflush(stdout);
    terminal.note("open it in a browser; Ctrl-C ends");
    const auto begin = std::chrono::steady_clock::now();
    const auto is_over = [&] {
      const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - begin;
      return Interrupt::has_come() || (seconds > 0 && gone.count() > seconds);
    };
    while (!is_over()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    // stop() has no effect on a server that is not running yet, which would then never end
    while (!server.is_running() && !has_ended)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    server.stop();
    serving.join();
    return Exit::done;
  }

 private:
  static std::string page_in_file(const std::string& path) {
    FileBytes file = file_bytes(path, largest_page, [](std::string_view beginning) {
      return beginning.find('\0') == beginning.npos;
    });
    if (file.problem == FileProblem::rejected) file.fact = "this is no page: it is not text";
    if (!file.ok())
      throw WorkFailed(fmt::format("{}: {}; give a page that simulate --report wrote, or a model",
                                   path, file.fact));
    return std::move(file.bytes);
  }

  std::string page_of_a_motion(Terminal& terminal) {
    const Model model = model_.load(terminal);
    StateAndInputs state_and_inputs = motion_.state_and_inputs(model);
    RunOptions options = run_.options(model);
    const SimulationInputs run_inputs = motion_.run_inputs(model, state_and_inputs);
    motion_.set_prescribed_state(model, run_inputs, state_and_inputs);
    Workspace workspace(model);
    Recorder recorder(model, run_inputs, run_.recorded(model));
    Audit audit(model, run_inputs);
    RunReport report(model, run_inputs);
    Progress line("view", state_and_inputs.state.time, options.duration, terminal);
    RunWatch watch("view", options, state_and_inputs.state.time, terminal, [&] { line.end(); });
    options.each_step = std::ref(watch);
    State state = state_and_inputs.state;
    RunStatistics statistics;
    const Status status =
        motion_.follow()(model, state, run_inputs, options, workspace,
                         [&](const trammel::RunSnapshot& seen) {
                           line.reach(seen.state.time);
                           if (Status recorded = recorder.observe(seen); !recorded) return recorded;
                           if (Status drawn = report.observe(seen); !drawn) return drawn;
                           return audit.observe(seen);
                         },
                         statistics, {});
    line.end();
    if (Interrupt::has_come()) {
      terminal.complain(status.message(), "nothing is shown of it");
      return {};
    }
    if (!status.ok() && recorder.recording().samples() == 0) throw WorkFailed(status.message());
    if (!status.ok()) terminal.complain(status.message(), "what was up to there is shown");
    return motion_page(
        model, report.finish(recorder.recording(), audit, options, statistics, status.message()),
        model_, terminal);
  }

  ModelOptions model_;
  RunChoices run_;
  MotionOptions motion_;
  std::string port_, seconds_;
};

}  // namespace

std::unique_ptr<Command> make_view() { return std::make_unique<View>(); }

}  // namespace trammel::cli
