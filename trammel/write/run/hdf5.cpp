#include "trammel/write/run/hdf5.hpp"

#include "trammel/base/diagnostics.hpp"

#ifdef TRAMMEL_HDF5

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace trammel {

namespace {

constexpr const char* format_name = "trammel run 1";
// Files are made and read in memory; the library refuses a name that exists on the disk.
constexpr const char* no_file = "/dev/null/run.h5";

// First cause in the error stack of the library.
std::string cause() {
  std::string text = "the library gives no reason";
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned depth, const H5E_error2_t* error, void* out) -> herr_t {
        if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(out) = error->desc;
        return 0;
      },
      &text);
  return text;
}

// Serializes calls, since the library may be built without thread safety, and silences its own
// error output.
class Session {
 public:
  Session() : lock_(mutex()) {
    H5open();
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Session() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Session(const Session&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  std::lock_guard<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

// Owns an id of the library, and closes it.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), std::string_view what) : id_(id), close_(close) {
    if (id < 0) throw std::runtime_error(fmt::format("HDF5: {}: {}", what, cause()));
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};
void expect(herr_t result, std::string_view what) {
  if (result < 0) throw std::runtime_error(fmt::format("HDF5: {}: {}", what, cause()));
}

Handle scalar() { return {H5Screate(H5S_SCALAR), H5Sclose, "a scalar"}; }
Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "a type of text");
  expect(H5Tset_size(type, H5T_VARIABLE), "a type of text");
  expect(H5Tset_cset(type, H5T_CSET_UTF8), "a type of text");
  return type;
}
Handle group(hid_t where, const char* name, bool is_new) {
  return {is_new ? H5Gcreate2(where, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)
                 : H5Gopen2(where, name, H5P_DEFAULT),
          H5Gclose, name};
}

// Writes attributes; Taking reads them with the same list of names.
class Putting {
 public:
  explicit Putting(hid_t where) : where_(where) {}
  void operator()(const char* name, const std::string& text) {
    const Handle type = text_type();
    const char* const letters = text.c_str();
    put(name, type, type, &letters);
  }
  void operator()(const char* name, double value) {
    put(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
  }
  void operator()(const char* name, long value) {
    const auto wide = std::int64_t(value);
    put(name, H5T_STD_I64LE, H5T_NATIVE_INT64, &wide);
  }
  void operator()(const char* name, bool value) { (*this)(name, long(value)); }

 private:
  void put(const char* name, hid_t file_type, hid_t type, const void* value) {
    const Handle attribute(H5Acreate2(where_, name, file_type, scalar(), H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose, name);
    expect(H5Awrite(attribute, type, value), name);
  }
  hid_t where_;
};
class Taking {
 public:
  explicit Taking(hid_t where) : where_(where) {}
  void operator()(const char* name, std::string& text) {
    const Handle type = text_type();
    char* letters = nullptr;
    take(name, type, &letters);
    if (letters != nullptr) text = letters;
    H5free_memory(letters);
  }
  void operator()(const char* name, double& value) { take(name, H5T_NATIVE_DOUBLE, &value); }
  void operator()(const char* name, long& value) {
    std::int64_t wide = 0;
    take(name, H5T_NATIVE_INT64, &wide);
    value = long(wide);
  }
  void operator()(const char* name, bool& value) {
    long number = 0;
    (*this)(name, number);
    value = number != 0;
  }

 private:
  void take(const char* name, hid_t type, void* value) {
    const Handle attribute(H5Aopen(where_, name, H5P_DEFAULT), H5Aclose, name);
    const Handle space(H5Aget_space(attribute), H5Sclose, name);
    if (H5Sget_simple_extent_npoints(space) != 1)
      throw std::runtime_error(fmt::format("HDF5: {} is more than one value", name));
    expect(H5Aread(attribute, type, value), name);
  }
  hid_t where_;
};

void put_numbers(hid_t where, const std::string& name, const std::vector<double>& values) {
  const hsize_t size = values.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, name);
  const Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name);
  if (size > 0) {
    const hsize_t chunk = std::min<hsize_t>(size, 16384);
    expect(H5Pset_chunk(layout, 1, &chunk), name);
    expect(H5Pset_shuffle(layout), name);
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) expect(H5Pset_deflate(layout, 4), name);
    expect(H5Pset_fletcher32(layout), name);  // detects flipped bytes
  }
  const Handle set(
      H5Dcreate2(where, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, layout, H5P_DEFAULT),
      H5Dclose, name);
  expect(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
}
std::vector<double> numbers_of(hid_t where, const std::string& name) {
  const Handle set(H5Dopen2(where, name.c_str(), H5P_DEFAULT), H5Dclose, name);
  const Handle space(H5Dget_space(set), H5Sclose, name);
  if (H5Sget_simple_extent_ndims(space) != 1)
    throw std::runtime_error(fmt::format("HDF5: {} is no list of numbers", name));
  std::vector<double> values(std::size_t(H5Sget_simple_extent_npoints(space)));
  expect(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
  return values;
}

// The text of a model may exceed the size limit of attributes.
void put_text(hid_t where, const char* name, const std::string& text) {
  const Handle type = text_type();
  const Handle set(H5Dcreate2(where, name, type, scalar(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                   H5Dclose, name);
  const char* const letters = text.c_str();
  expect(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &letters), name);
}
std::string text_of(hid_t where, const char* name) {
  const Handle set(H5Dopen2(where, name, H5P_DEFAULT), H5Dclose, name);
  const Handle type = text_type();
  char* letters = nullptr;
  expect(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &letters), name);
  std::string text = letters != nullptr ? letters : "";
  H5free_memory(letters);
  return text;
}

void put_state(hid_t file, const char* name, const State& state) {
  const Handle where = group(file, name, true);
  Putting{where}("time", state.time);
  put_numbers(where, "q", state.q);
  put_numbers(where, "v", state.v);
  put_numbers(where, "z", state.z);
}
State state_of(hid_t file, const char* name) {
  const Handle where = group(file, name, false);
  State state;
  Taking{where}("time", state.time);
  state.q = numbers_of(where, "q");
  state.v = numbers_of(where, "v");
  state.z = numbers_of(where, "z");
  return state;
}

void options_fields(auto io, auto& metadata, auto& method) {
  auto& options = metadata.options;
  io("mode", metadata.mode);
  io("method", method);
  io("duration", options.duration);
  io("relative", options.relative);
  io("absolute", options.absolute);
  io("step", options.step);
  io("sample", options.sample);
  io("most_steps", options.most_steps);
  io("rest_speed", options.rest_speed);
}
void summary_fields(auto io, auto& run) {
  io("is_complete", run.is_complete);
  io("stopped", run.stopped);
  io("seconds", run.seconds);
  io("has_loops", run.metadata.has_loops);
  auto& statistics = run.statistics;
  io("end", statistics.end);
  io("steps", statistics.steps);
  io("rejected", statistics.rejected);
  io("accelerations", statistics.evaluations);
  io("shortest_step", statistics.shortest);
  io("longest_step", statistics.longest);
  io("impacts", statistics.impacts);
  auto& audit = run.audit;
  io("energy_must_be_conserved", audit.must_conserve_energy);
  io("energy_at_start", audit.energy_at_start);
  io("energy_largest_change", audit.energy_change);
  io("energy_largest_kinetic", audit.largest_kinetic);
  io("loops_largest_violation", audit.largest_violation);
  io("loops_largest_violation_rate", audit.largest_violation_rate);
}

// Event log: times, energy losses, and one line of text per event.
void put_event_log(hid_t file, const std::vector<EventRecord>& events) {
  const Handle where = group(file, "events", true);
  std::vector<double> times, lost;
  std::string what;
  for (const EventRecord& event_record : events) {
    times.push_back(event_record.time);
    lost.push_back(event_record.lost);
    what += event_record.what + "\n";
  }
  put_numbers(where, "time", times);
  put_numbers(where, "lost", lost);
  Putting{where}("what", what);
}
std::vector<EventRecord> event_log_of(hid_t file) {
  const Handle where = group(file, "events", false);
  const std::vector<double> times = numbers_of(where, "time"), lost = numbers_of(where, "lost");
  std::string what;
  Taking{where}("what", what);
  std::vector<EventRecord> events;
  for (std::size_t k = 0, at = 0; k < times.size() && at < what.size() && k < lost.size(); ++k) {
    const std::size_t end = std::min(what.find('\n', at), what.size());
    events.push_back({times[k], what.substr(at, end - at), lost[k]});
    at = end + 1;
  }
  return events;
}

std::string link_name(const std::string& name) {
  std::string out;
  for (const char c : name) out += c == '/' ? "%2F" : c == '%' ? "%25" : std::string(1, c);
  return out == "." ? "%2E" : out;
}

void put_columns(hid_t file, const Recording& recording) {
  const Handle where = group(file, "columns", true);
  std::vector<double> values(recording.samples());
  for (std::size_t c = 0; c < recording.columns.size(); ++c) {
    const auto& [name, unit, group_name] = recording.columns[c];
    for (std::size_t s = 0; s < values.size(); ++s) values[s] = recording.at(s, c);
    const std::string link = link_name(name);
    put_numbers(where, link, values);
    const Handle set(H5Dopen2(where, link.c_str(), H5P_DEFAULT), H5Dclose, name);
    Putting put(set);
    put("name", name);
    put("unit", unit);
    put("group", group_name);
    put("index", long(c));
  }
}
Recording columns_of(hid_t file) {
  const Handle where = group(file, "columns", false);
  std::vector<std::string> links;
  expect(H5Literate(
             where, H5_INDEX_NAME, H5_ITER_INC, nullptr,
             [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
               static_cast<std::vector<std::string>*>(out)->emplace_back(name);
               return 0;
             },
             &links),
         "columns");
  Recording recording;
  recording.columns.resize(links.size());
  std::vector<std::vector<double>> columns(links.size());
  for (const std::string& link : links) {
    const Handle set(H5Dopen2(where, link.c_str(), H5P_DEFAULT), H5Dclose, link);
    Column column;
    long index = -1;
    Taking take(set);
    take("name", column.name);
    take("unit", column.unit);
    take("group", column.group);
    take("index", index);
    if (index < 0 || index >= long(links.size()) || !columns[std::size_t(index)].empty())
      throw std::runtime_error(fmt::format("HDF5: column {} has index {}", link, index));
    columns[std::size_t(index)] = numbers_of(where, link);
    recording.columns[std::size_t(index)] = std::move(column);
  }
  const std::size_t samples = columns.empty() ? 0 : columns[0].size();
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (columns[c].size() != samples)
      throw std::runtime_error(fmt::format("HDF5: column {} has {} samples, the first {}",
                                           recording.columns[c].name, columns[c].size(), samples));
  for (std::size_t s = 0; s < samples; ++s)
    for (const std::vector<double>& column : columns) recording.values.push_back(column[s]);
  return recording;
}

// A file in memory, which is written and read as a whole.
Handle memory_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "memory");
  expect(H5Pset_fapl_core(access, 1 << 20, false), "memory");
  return access;
}

std::string bytes_of_new_file(const RunRecord& run) {
  const Handle access = memory_access();
  const Handle file(H5Fcreate(no_file, H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, "a file");
  Putting top(file);
  top("format", std::string(format_name));
  top("program", run.metadata.program);
  put_text(file, "model", run.metadata.model_text);
  {
    const Handle set(H5Dopen2(file, "model", H5P_DEFAULT), H5Dclose, "model");
    Putting{set}("name", run.metadata.model_name);
  }
  {
    const Handle where = group(file, "options", true);
    const std::string method = to_string(run.metadata.options.method);
    options_fields(Putting(where), run.metadata, method);
    const Handle acting = group(where, "acting", true);
    for (const auto& [name, value] : run.metadata.acting) Putting{acting}(name.c_str(), value);
  }
  put_state(file, "start", run.metadata.start);
  put_state(file, "end", run.end);
  put_event_log(file, run.statistics.events);
  {
    const Handle where = group(file, "summary", true);
    summary_fields(Putting(where), run);
  }
  put_columns(file, run.recording);
  expect(H5Fflush(file, H5F_SCOPE_GLOBAL), "flush");
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  expect(herr_t(size < 0 ? -1 : 0), "its size");
  std::string bytes(std::size_t(size), '\0');
  expect(herr_t(H5Fget_file_image(file, bytes.data(), bytes.size()) < 0 ? -1 : 0), "its bytes");
  return bytes;
}

void take_acting(hid_t options, RunMetadata& metadata) {
  const Handle acting = group(options, "acting", false);
  expect(H5Aiterate2(
             acting, H5_INDEX_NAME, H5_ITER_INC, nullptr,
             [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
               static_cast<RunMetadata*>(out)->acting.emplace_back(name, "");
               return 0;
             },
             &metadata),
         "what acts");
  for (auto& [name, value] : metadata.acting) Taking{acting}(name.c_str(), value);
}

RunRecord record_of(std::string_view bytes) {
  const Handle access = memory_access();
  // the interface takes nonconst bytes, but the library copies them
  expect(H5Pset_file_image(access, const_cast<char*>(bytes.data()), bytes.size()), "its bytes");
  const Handle file(H5Fopen(no_file, H5F_ACC_RDONLY, access), H5Fclose, "the file");
  std::string format;
  if (H5Aexists(file, "format") > 0) Taking{file}("format", format);
  if (format != format_name)
    throw std::domain_error(format.empty() ? "says nothing of its format"
                                           : fmt::format("has the format '{}'", format));
  RunRecord run;
  Taking{file}("program", run.metadata.program);
  run.metadata.model_text = text_of(file, "model");
  {
    const Handle set(H5Dopen2(file, "model", H5P_DEFAULT), H5Dclose, "model");
    Taking{set}("name", run.metadata.model_name);
  }
  {
    const Handle where = group(file, "options", false);
    std::string method;
    options_fields(Taking(where), run.metadata, method);
    const std::optional<Method> known = method_named(method);
    if (!known) throw std::domain_error(fmt::format("has the method '{}'", method));
    run.metadata.options.method = *known;
    take_acting(where, run.metadata);
  }
  run.metadata.start = state_of(file, "start");
  run.end = state_of(file, "end");
  run.statistics.events = event_log_of(file);
  {
    const Handle where = group(file, "summary", false);
    summary_fields(Taking(where), run);
  }
  run.recording = columns_of(file);
  run.metadata.columns = run.recording.columns;
  run.audit.has_begun = run.recording.samples() > 0;
  return run;
}

}  // namespace

std::string write_hdf5(const RunRecord& run) {
  const Session session;
  return bytes_of_new_file(run);
}

RunRecord read_hdf5(std::string_view bytes, const std::string& file) {
  const Session session;
  Diagnostics found;
  try {
    return record_of(bytes);
  } catch (const std::domain_error& other) {
    found.error({file, 0, 0}, fmt::format("is not what trammel writes: it {}", other.what()),
                fmt::format("this program reads '{}'", format_name));
  } catch (const std::runtime_error& error) {
    found.error({file, 0, 0}, fmt::format("cannot be read: {}", error.what()),
                "is it whole? trammel simulate MODEL -o FILE.h5 writes one");
  }
  throw ModelError(std::move(found));
}

std::string hdf5_lacks() { return {}; }

#else

#include <stdexcept>

namespace trammel {

std::string hdf5_lacks() {
  return "this program was built without HDF5: install libhdf5-dev and build it again, or write "
         "CSV";
}
std::string write_hdf5(const RunRecord&) { throw std::runtime_error(hdf5_lacks()); }
RunRecord read_hdf5(std::string_view, const std::string& file) {
  Diagnostics found;
  found.error({file, 0, 0}, "cannot be read", hdf5_lacks());
  throw ModelError(std::move(found));
}

#endif

bool is_hdf5(std::string_view bytes) { return bytes.starts_with("\x89HDF\r\n\x1a\n"); }

}  // namespace trammel
