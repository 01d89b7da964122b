#include "chromium_film.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "state_json.hpp"
#include "terminal.hpp"

namespace trammel::cli {

namespace {

constexpr std::chrono::minutes longest_film{20};

[[noreturn]] void no_film(const std::string& why) {
  throw WorkFailed("the video cannot be made: " + why);
}

// A folder that is removed with all its files.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "trammel-film-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) no_film("no temporary folder can be made");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// One direction of a pipe; the file descriptors lie above those that the child is given.
struct Pipe {
  int read_end = -1, write_end = -1;
  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) no_film("no pipe can be opened");
    read_end = fcntl(ends[0], F_DUPFD_CLOEXEC, 10);
    write_end = fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
    ::close(ends[0]), ::close(ends[1]);
  }
  ~Pipe() { close_read(), close_write(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_read() { close_end(read_end); }
  void close_write() { close_end(write_end); }

 private:
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

// A browser of its own process group, ended with this object. Messages are JSON texts that end with
// a zero byte: written to its file descriptor 3, read from 4.
class Browser {
 public:
  Browser(const std::string& program, const std::filesystem::path& folder) {
    std::vector<std::string> words{program,
                                   "--headless=new",
                                   "--remote-debugging-pipe",
                                   "--use-angle=swiftshader",
                                   "--enable-unsafe-swiftshader",
                                   "--ignore-gpu-blocklist",
                                   "--no-first-run",
                                   "--disable-extensions",
                                   "--disable-background-networking",
                                   "--hide-scrollbars",
                                   "--mute-audio",
                                   "--user-data-dir=" + (folder / "profile").string(),
                                   "about:blank"};
    if (geteuid() == 0) words.emplace_back("--no-sandbox");  // it refuses to run as root with one
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    for (const int silent : {1, 2})
      posix_spawn_file_actions_addopen(&actions, silent, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, to_browser_.read_end, 3);
    posix_spawn_file_actions_adddup2(&actions, from_browser_.write_end, 4);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const int error =
        posix_spawn(&process_, program.c_str(), &actions, &attributes, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) no_film(fmt::format("{} does not start", program));
    to_browser_.close_read(), from_browser_.close_write();
  }
  ~Browser() {
    ::kill(-process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  // Calls a method of the protocol and waits for its result, or its error.
  Json call(const std::string& method, const Json& parameters, const std::string& session = {}) {
    Json message{{"id", ++last_id_}, {"method", method}, {"params", parameters}};
    if (!session.empty()) message["sessionId"] = session;
    send(message.dump());
    while (true) {
      Json answer = Json::parse(receive(), nullptr, false);
      if (answer.is_object() && answer.value("id", 0) == last_id_) return answer;
    }
  }

 private:
  void send(std::string text) {
    text += '\0';
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t written = ::write(to_browser_.write_end, text.data() + at, text.size() - at);
      if (written <= 0) no_film("the browser has ended");
      at += std::size_t(written);
    }
  }
  std::string receive() {
    const auto begin = std::chrono::steady_clock::now();
    while (true) {
      if (const std::size_t end = read_.find('\0', searched_); end != read_.npos) {
        std::string message = read_.substr(0, end);
        read_.erase(0, end + 1);
        searched_ = 0;
        return message;
      }
      searched_ = read_.size();
      pollfd wait{from_browser_.read_end, POLLIN, 0};
      if (::poll(&wait, 1, 200) > 0) {
        std::array<char, 65536> piece;
        const ssize_t count = ::read(from_browser_.read_end, piece.data(), piece.size());
        if (count <= 0) no_film("the browser has ended");
        read_.append(piece.data(), std::size_t(count));
      }
      if (Interrupt::has_come()) no_film("it was interrupted");
      if (std::chrono::steady_clock::now() - begin > longest_film)
        no_film("the browser has given none in 20 minutes");
    }
  }

  Pipe to_browser_, from_browser_;
  pid_t process_ = -1;
  int last_id_ = 0;
  std::string read_;
  std::size_t searched_ = 0;  // bytes without a zero among those read
};

std::string bytes_of_base64(const std::string& text) {
  std::string out;
  unsigned word = 0;
  int bits = 0;
  for (const char c : text) {
    const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (value < 0) continue;
    word = word << 6 | unsigned(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += char(word >> bits & 0xffu);
  }
  return out;
}

}  // namespace

std::string find_chromium() {
  const char* const path = std::getenv("PATH");
  for (const char* name :
       {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}) {
    std::string_view left = path == nullptr ? "" : path;
    while (!left.empty()) {
      const std::size_t end = std::min(left.find(':'), left.size());
      const std::string program = fmt::format("{}/{}", left.substr(0, end), name);
      if (end > 0 && access(program.c_str(), X_OK) == 0) return program;
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  }
  return {};
}

std::string film_of_page(const std::string& chromium, const std::string& page) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "page.html";
  if (!(std::ofstream(file, std::ios::binary) << page).flush()) no_film("the disk is full");
  Browser browser(chromium, folder.path());
  const auto result = [](const Json& answer, const char* name) -> std::string {
    if (answer.contains("result") && answer["result"].contains(name))
      return answer["result"][name].get<std::string>();
    no_film("the browser answers " + answer.dump().substr(0, 200));
  };
  const std::string target =
      result(browser.call("Target.createTarget", {{"url", "file://" + file.string()}}), "targetId");
  const std::string session =
      result(browser.call("Target.attachToTarget", {{"targetId", target}, {"flatten", true}}),
             "sessionId");
  (void)browser.call("Emulation.setDeviceMetricsOverride",
                     {{"width", 960}, {"height", 540}, {"deviceScaleFactor", 1}, {"mobile", false}},
                     session);
  // until the page is there, the call is lost with the empty page before it
  const Json film{{"expression",
                   "new Promise((done) => { const wait = () => window.trammel ? "
                   "done(window.trammel.film()) : setTimeout(wait, 50); wait(); })"},
                  {"awaitPromise", true},
                  {"returnByValue", true}};
  Json answer;
  for (int attempt = 0; attempt < 5; ++attempt) {
    answer = browser.call("Runtime.evaluate", film, session);
    if (!answer.contains("error")) break;
  }
  const Json::json_pointer value("/result/result/value"),
      why("/result/exceptionDetails/exception/description");
  if (answer.contains(value) && answer[value].is_string())
    return bytes_of_base64(answer[value].get<std::string>());
  no_film(answer.contains(why) && answer[why].is_string() ? answer[why].get<std::string>()
                                                          : answer.dump().substr(0, 200));
}

}  // namespace trammel::cli
