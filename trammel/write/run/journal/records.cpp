#include "trammel/write/run/journal/records.hpp"

#include "trammel/base/diagnostics.hpp"
#include "trammel/write/run/journal/bytes.hpp"

namespace trammel {

namespace {

constexpr std::uint32_t format_version = 1;

// Writing and reading share one list of fields, so that they cannot differ.
struct Putting {
  Bytes bytes = {};
  template <class T> void operator()(const T& value) { bytes.put(value); }
  template <class T, class Each> void list(const std::vector<T>& items, Each each) {
    bytes.put(std::uint64_t(items.size()));
    for (const T& item : items) each(item);
  }
};
struct Taking {
  ByteReader reader;
  template <class T> void operator()(T& value) { reader.take(value); }
  template <class T, class Each> void list(std::vector<T>& items, Each each) {
    std::uint64_t count = 0;
    reader.take(count);
    for (; count > 0; --count) each(items.emplace_back());  // a wrong count ends at the last byte
  }
};

// By name, since the numbers of methods may change.
void field(Putting& io, const Method& method) { io(to_string(method)); }
void field(Taking& io, Method& method) {
  std::string name;
  io(name);
  const std::optional<Method> known = method_named(name);
  if (!known) throw std::out_of_range("there is no method " + name);
  method = *known;
}
template <class Io> void fields_of_state(Io& io, auto& state) {
  io(state.time);
  io(state.q);
  io(state.v);
  io(state.z);
  io(state.discrete);
}
template <class Io> void fields_of_statistics(Io& io, auto& statistics) {
  io(statistics.end);
  io(statistics.steps);
  io(statistics.rejected);
  io(statistics.evaluations);
  io(statistics.shortest);
  io(statistics.longest);
  io(statistics.impacts);
  io.list(statistics.events, [&](auto& event_record) {
    io(event_record.time);
    io(event_record.what);
    io(event_record.lost);
  });
}

template <class Io> void fields_of_metadata(Io& io, auto& metadata) {
  auto& run = metadata.run;
  for (auto* text : {&run.program, &run.model_name, &run.model_text, &run.mode}) io(*text);
  io(run.has_loops);
  auto& options = run.options;
  field(io, options.method);
  for (auto* number : {&options.duration, &options.relative, &options.absolute, &options.step,
                       &options.sample, &options.rest_speed})
    io(*number);
  io(options.most_steps);
  fields_of_state(io, run.start);
  io.list(run.acting, [&](auto& each) {
    io(each.first);
    io(each.second);
  });
  io.list(run.columns, [&](auto& column) {
    io(column.name);
    io(column.unit);
    io(column.group);
  });
  io(metadata.keeps_states);
}

template <class Io> void fields_of_checkpoint(Io& io, auto& checkpoint) {
  fields_of_state(io, checkpoint.state);
  io(checkpoint.y_dot);
  for (auto* number : {&checkpoint.start, &checkpoint.h, &checkpoint.last_miss}) io(*number);
  io(checkpoint.was_rejected);
  io(checkpoint.samples);
  io(checkpoint.grid);
  fields_of_statistics(io, checkpoint.statistics);
  auto& past = checkpoint.past;
  io.list(past.events, [&](auto& each) {
    io(each.event);
    fields_of_state(io, each.state);
  });
  for (auto* list : {&past.holding, &past.over, &past.above, &past.reported, &past.grips})
    io(*list);
}

template <class Io> void fields_of_block(Io& io, auto& block) {
  io(block.first_sample);
  io(block.values);
  io.list(block.states, [&](auto& state) { fields_of_state(io, state); });
  fields_of_statistics(io, block.statistics);
  auto& audit = block.audit;
  io(audit.has_begun);
  io(audit.must_conserve_energy);
  for (auto* number : {&audit.energy_at_start, &audit.energy_change, &audit.largest_kinetic,
                       &audit.largest_violation, &audit.largest_violation_rate})
    io(*number);
  io(block.seconds);
  fields_of_state(io, block.end);
  bool has_checkpoint = block.checkpoint.has_value();
  io(has_checkpoint);
  if constexpr (std::same_as<Io, Taking>)
    if (has_checkpoint) block.checkpoint.emplace();
  if (has_checkpoint) fields_of_checkpoint(io, *block.checkpoint);
  io(block.has_ended);
  io(block.is_complete);
  io(block.stopped);
}

}  // namespace

std::string payload_of(const JournalMetadata& metadata) {
  Putting io;
  io(format_version);
  fields_of_metadata(io, metadata);
  return std::move(io.bytes.text);
}

std::string payload_of(const JournalBlock& block) {
  Putting io;
  fields_of_block(io, block);
  return std::move(io.bytes.text);
}

JournalMetadata metadata_of(std::string_view payload) {
  Taking io{ByteReader(payload)};
  std::uint32_t version = 0;
  io(version);
  if (version != format_version) throw std::domain_error(std::to_string(version));
  JournalMetadata metadata;
  fields_of_metadata(io, metadata);
  return metadata;
}

JournalBlock block_of(std::string_view payload) {
  Taking io{ByteReader(payload)};
  JournalBlock block;
  fields_of_block(io, block);
  return block;
}

void refuse_journal(const std::string& path, std::string fact, std::string hint) {
  Diagnostics found;
  found.error({path, 0, 0}, std::move(fact), std::move(hint));
  throw ModelError(std::move(found));
}

}  // namespace trammel
