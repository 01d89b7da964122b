// A motion to look at in the browser, served on this machine only.
#include <httplib.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
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
#include "trammel/simulate/recorder.hpp"
#include "trammel/write/run_report.hpp"

namespace trammel::cli {

namespace {

class View final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("A motion, or a page that simulate wrote, served to a browser here.");
    app.footer(
        "trammel view @double_pendulum --duration 10\n"
        "trammel view run.html --port 8000");
    model_.offer(app);
    run_.offer(app);
    motion_.offer(app);
    app.add_option("--port", port_, "of 127.0.0.1; any that is free if left out")
        ->type_name("NUMBER");
    app.add_option("--for", seconds_, "seconds after which it ends; until Ctrl-C if left out")
        ->type_name("SECONDS");
    terminal.offer(app);
  }

  Exit run(Terminal& terminal) override {
    const double said = port_.empty() ? 0 : number(port_, "--port");
    const double seconds = seconds_.empty() ? 0 : number(seconds_, "--for");
    if (!(said >= 0 && said <= 65535))  // before it is cut to an int, which has no room for 1e99
      throw UsageError(fmt::format("option --port is {}", said), "it takes 1 to 65535");
    const int port = int(said);
    motion_.check();
    const std::string page =
        model_.path().ends_with(".html") ? page_in_file(model_.path()) : page_of_a_motion(terminal);

    httplib::Server server;
    server.Get("/", [&](const httplib::Request&, httplib::Response& response) {
      response.set_content(page, "text/html; charset=utf-8");
    });
    server.set_socket_options([](socket_t socket) {  // a port that is taken stays taken
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
    const Interrupt watching;
    std::atomic<bool> has_ended = false;
    std::thread serving([&] {
      server.listen_after_bind();
      has_ended = true;
    });
    fmt::print("http://127.0.0.1:{}/\n", bound);  // now, not when all is over
    std::fflush(stdout);
    terminal.note("open it in a browser; Ctrl-C ends");
    const auto begin = std::chrono::steady_clock::now();
    const auto is_over = [&] {
      const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - begin;
      return Interrupt::has_come() || (seconds > 0 && gone.count() > seconds);
    };
    while (!is_over()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    // one that has not begun would not hear of it, and never end
    while (!server.is_running() && !has_ended)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    server.stop();
    serving.join();
    return Exit::done;
  }

 private:
  static std::string page_in_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string page{std::istreambuf_iterator<char>(file), {}};
    if (!file)
      throw WorkFailed(
          fmt::format("{}: cannot be read: give a page that simulate --report wrote, "
                      "or a model",
                      path));
    return page;
  }

  std::string page_of_a_motion(Terminal& terminal) {
    const Model model = model_.load(terminal);
    const Situation situation = motion_.situation(model);
    const RunOptions options = run_.options(model);
    const Drives drives = motion_.drives(model, situation);
    Workspace workspace(model);
    Recorder recorder(model, drives, run_.recorded(model));
    Audit audit(model, drives);
    RunReport report(model, drives);
    Progress line("view", situation.state.time, options.duration, terminal);
    State state = situation.state;
    RunFacts facts;
    const Status status = motion_.follow()(model, state, drives, options, workspace,
                                           [&](const trammel::Moment& seen) {
                                             line.reach(seen.state.time);
                                             if (Status kept = recorder.see(seen); !kept)
                                               return kept;
                                             if (Status drawn = report.see(seen); !drawn)
                                               return drawn;
                                             return audit.see(seen);
                                           },
                                           facts, {});
    line.end();
    if (!status.ok() && recorder.recording().samples() == 0) throw WorkFailed(status.message());
    if (!status.ok()) terminal.complain(status.message(), "what was up to there is shown");
    return motion_page(model,
                       report.finish(recorder.recording(), audit, options, facts, status.message()),
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
