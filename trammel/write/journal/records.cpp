#include "trammel/write/journal/records.hpp"

#include "trammel/write/journal/bytes.hpp"

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
    for (; count > 0; --count)
      each(items.emplace_back());  // a wrong count ends at the last byte
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
template <class Io> void fields_of_facts(Io& io, auto& facts) {
  io(facts.end);
  io(facts.steps);
  io(facts.rejected);
  io(facts.slopes);
  io(facts.shortest);
  io(facts.longest);
  io(facts.impacts);
  io.list(facts.happenings, [&](auto& happening) {
    io(happening.time);
    io(happening.what);
    io(happening.lost);
  });
}

template <class Io> void fields_of_card(Io& io, auto& card) {
  auto& run = card.run;
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
  io(card.keeps_states);
}

template <class Io> void fields_of_checkpoint(Io& io, auto& checkpoint) {
  fields_of_state(io, checkpoint.state);
  io(checkpoint.y_dot);
  for (auto* number : {&checkpoint.start, &checkpoint.h, &checkpoint.last_miss}) io(*number);
  io(checkpoint.was_rejected);
  io(checkpoint.samples);
  io(checkpoint.grid);
  fields_of_facts(io, checkpoint.facts);
  auto& past = checkpoint.past;
  io.list(past.events, [&](auto& each) {
    io(each.event);
    fields_of_state(io, each.state);
  });
  for (auto* list : {&past.holding, &past.over, &past.above, &past.told, &past.grips}) io(*list);
}

template <class Io> void fields_of_block(Io& io, auto& block) {
  io(block.first_sample);
  io(block.values);
  io.list(block.states, [&](auto& state) { fields_of_state(io, state); });
  fields_of_facts(io, block.facts);
  auto& audit = block.audit;
  io(audit.has_begun);
  io(audit.must_keep_energy);
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

std::string payload_of(const JournalCard& card) {
  Putting io;
  io(format_version);
  fields_of_card(io, card);
  return std::move(io.bytes.text);
}

std::string payload_of(const JournalBlock& block) {
  Putting io;
  fields_of_block(io, block);
  return std::move(io.bytes.text);
}

JournalCard card_of(std::string_view payload) {
  Taking io{ByteReader(payload)};
  std::uint32_t version = 0;
  io(version);
  if (version != format_version) throw std::domain_error(std::to_string(version));
  JournalCard card;
  fields_of_card(io, card);
  return card;
}

JournalBlock block_of(std::string_view payload) {
  Taking io{ByteReader(payload)};
  JournalBlock block;
  fields_of_block(io, block);
  return block;
}

}  // namespace trammel
