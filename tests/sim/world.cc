#include "world.h"

#include <fmt/format.h>

#include <algorithm>

namespace walpost::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint64_t kKeys = 5;

}  // namespace

Process::Process(ModelServer& server, ModelBroker& broker, const ModelClock& clock, Random& random,
                 Violations& violations, const PipelineOptions& options)
    : source(server, random, violations),
      sink(broker, random, violations),
      decoder({{{"public", "outbox"}}}, OutboxMapper(OutboxColumns{}),
              Router(RouterOptions{}, OutboxColumns{}), stats, log),
      pipeline(options, {.source = source,
                         .sink = sink,
                         .decoder = decoder,
                         .clock = clock,
                         .stats = stats,
                         .log = log}) {}

World::World(std::uint64_t seed) : random(seed) {
  options = {.slot = "walpost",
             .max_in_flight_records = 1 + random.below(20),
             .max_in_flight_bytes = 100 + random.below(1'000),
             .backoff_seed = seed};
  broker.on_append = [this](const StoredRecord& record) { on_append(record); };
}

// ---------------------------------------------------------------------------------------------
// What happens

void World::commit_events(std::uint64_t event_count, std::uint64_t other_rows) {
  std::vector<Event> events;
  for (std::uint64_t i = 0; i < event_count; ++i) {
    // A key has one type, hence one topic, so that its order means something.
    const auto key = random.below(kKeys);
    events.push_back({.number = committed_.size(),
                      .key = fmt::format("key-{}", key),
                      .type = fmt::format("type-{}", key % 2)});
    committed_.push_back(events.back());
    by_key_[events.back().key].push_back(events.back().number);
  }
  server.commit(std::move(events), other_rows);
}

void World::start_process() {
  acked_.clear();
  sent_.clear();
  last_exit.reset();
  last_reported_ = Lsn();
  last_reference_ = Lsn();
  idle_spins_ = 0;
  process_ = std::make_unique<Process>(server, broker, clock, random, violations, options);
  process_->source.on_status = [this](Lsn flush_lsn) { on_status(flush_lsn); };
  process_->source.on_start = [this](Lsn start, const Received& before) {
    on_start(start, before);
  };
  process_->sink.on_sent = [this](std::uint64_t event) {
    sent_.insert(event);
    return process_->source.received().generation;
  };
  process_->sink.on_acked = [this](std::uint64_t event, std::uint64_t generation) {
    acked_[event] = std::max(acked_[event], generation);
  };
}

void World::kill_process() { process_.reset(); }

void World::stall(Duration by) {
  clock.advance(by);
  reference_advanced_at_ = clock.now();
}

void World::work(std::uint64_t server_units, std::uint64_t sink_units) {
  server.tick();
  for (; server_units > 0; --server_units) (void)server.pump();
  for (; sink_units > 0 && process_; --sink_units) (void)process_->sink.pump();
}

void World::step(Duration wait) {
  if (!process_) return;
  const auto until_deadline = std::max(process_->pipeline.deadline() - clock.now(), Duration(0));
  clock.advance(std::min(wait, until_deadline));
  const std::uint64_t effects_before = effects();
  try {
    process_->pipeline.step();
  } catch (const Error& error) {
    if (error.exit_code() != ExitCode::kUndeliverable) {
      violations.add(fmt::format("the process ended: {}", error.what()));
    }
    return end_process(error.exit_code());
  }
  check_step(effects_before);
  if (const auto code = process_->pipeline.stopped()) {
    if (*code == ExitCode::kOk) check_clean_end();
    end_process(*code);
  }
}

void World::end_process(ExitCode code) {
  process_.reset();
  last_exit = code;
}

void World::settle() {
  constexpr int kSteps = 4'000;
  broker.poison.clear();
  server.refuse_logins(0);
  server.drop_copy_done_answer(false);
  for (int i = 0; i < kSteps && !violations.first(); ++i) {
    if (!process_) start_process();
    process_->sink.set_full(false);
    work(20, 20);
    server.notice_gone_client();
    step(milliseconds(100));
    if (everything_arrived() && server.confirmed() == server.wal_end()) return;
  }
  violations.add(fmt::format("not everything arrived: {} of {} events, confirmed {} of {}",
                             broker.stored().size(), committed_.size(),
                             server.confirmed().to_string(), server.wal_end().to_string()));
}

void World::run_until_stopped(std::uint64_t step_count) {
  for (; step_count > 0 && process_ && !violations.first(); --step_count) {
    work(5, 5);
    server.notice_gone_client();
    step(milliseconds(50));
  }
}

bool World::everything_arrived() const { return broker.stored().size() == committed_.size(); }

// ---------------------------------------------------------------------------------------------
// What must hold

// Per key, repeats removed, everything comes in commit order and without a hole.
void World::on_append(const StoredRecord& record) {
  const Event& event = committed_.at(record.number);
  const bool is_null = server.writes_nulls() && record.number % 8 == 3;
  const std::string payload = is_null ? "NULL" : fmt::format("payload {}", record.number);
  if (record.key != event.key || record.topic != "outbox.event." + event.type ||
      record.value != payload) {
    violations.add(fmt::format("event {} arrived as topic {} key {} value {}", record.number,
                               record.topic, record.key, record.value));
  }
  const auto& order = by_key_[event.key];
  std::size_t& arrived = arrived_[event.key];
  const auto place = std::lower_bound(order.begin(), order.end(), record.number);
  const auto index = static_cast<std::size_t>(place - order.begin());
  if (index < arrived) {
    ++repeats;
  } else if (index == arrived) {
    ++arrived;
  } else {
    violations.add(fmt::format("event {} of {} arrived before event {}", record.number, event.key,
                               order[arrived]));
  }
}

// A reported position may be the last thing that this process ever said.
void World::on_status(Lsn flush_lsn) {
  for (const Transaction& transaction : server.wal()) {
    if (transaction.commit_lsn >= flush_lsn) break;
    for (const Event& event : transaction.events) {
      if (!broker.has(event.number)) {
        violations.add(fmt::format("{} was confirmed, and event {} before it is not in the log",
                                   flush_lsn.to_string(), event.number));
      }
    }
  }
  const Received& received = process_->source.received();
  if (flush_lsn > received.newest) {
    violations.add(fmt::format("{} was confirmed, and only {} was received", flush_lsn.to_string(),
                               received.newest.to_string()));
  }
  if (flush_lsn > reference_flush(received)) {
    violations.add(fmt::format("{} was confirmed, and only {} is acknowledged",
                               flush_lsn.to_string(), reference_flush(received).to_string()));
  }
  if (flush_lsn < last_reported_ && !promoted) {
    violations.add(fmt::format("the confirmed position went back from {} to {}",
                               last_reported_.to_string(), flush_lsn.to_string()));
  }
  last_reported_ = flush_lsn;
}

// What this process saw acknowledged is not asked for again.
void World::on_start(Lsn start, const Received& before) {
  if (before.generation == 0 || promoted) return;
  if (start < reference_flush(before)) {
    violations.add(fmt::format("the stream starts at {} although {} is acknowledged",
                               start.to_string(), reference_flush(before).to_string()));
  }
  if (start > reference_flush(before)) {
    violations.add(fmt::format("the stream starts at {}, beyond what is acknowledged, {}",
                               start.to_string(), reference_flush(before).to_string()));
  }
}

Lsn World::reference_flush(const Received& received) const {
  Lsn flush = received.start;
  for (const auto& unit : received.units) {
    for (const std::uint64_t event : unit.events) {
      const auto ack = acked_.find(event);
      if (ack == acked_.end() || ack->second != received.generation) return flush;
    }
    flush = std::max(flush, unit.position);
  }
  return flush;
}

std::uint64_t World::effects() const {
  return process_->source.calls_with_effect() + process_->sink.calls_with_effect();
}

void World::check_step(std::uint64_t effects_before) {
  const ModelSink& sink = process_->sink;
  if (sink.in_flight_records() > options.max_in_flight_records ||
      sink.in_flight_bytes() > options.max_in_flight_bytes + kLargestRecordBytes) {
    violations.add(fmt::format("{} records, {} bytes are in flight; the caps are {} and {}",
                               sink.in_flight_records(), sink.in_flight_bytes(),
                               options.max_in_flight_records, options.max_in_flight_bytes));
  }
  // Of a client that is lost nothing is in flight any more (sink.h).
  if (!sink.is_lost() && process_->stats.in_flight_records != sink.in_flight_records()) {
    violations.add(fmt::format("{} records are in flight, counted were {}",
                               sink.in_flight_records(), process_->stats.in_flight_records.load()));
  }
  const bool waits = process_->pipeline.deadline() > clock.now() || process_->pipeline.stopped();
  idle_spins_ = waits || effects() != effects_before ? 0 : idle_spins_ + 1;
  constexpr std::uint64_t kSpins = 10;
  if (idle_spins_ > kSpins) violations.add("the loop turns without waiting and without effect");
  check_confirmable();
}

// The tracker knows exactly what is confirmable, and the server hears of it soon.
void World::check_confirmable() {
  const ModelSource& source = process_->source;
  if (source.received().generation == 0) return;
  const Lsn reference = reference_flush(source.received());
  const Lsn flush(process_->stats.flush_lsn.load());
  if (flush != reference) {
    violations.add(fmt::format("{} is confirmable, the pipeline says {}", reference.to_string(),
                               flush.to_string()));
  }
  // A report takes along all that came before it, so what is still untold after one is of this
  // step.
  const bool told_in_this_step = source.reported() != last_seen_report_;
  const bool first_untold = reference != last_reference_ && source.reported() == last_reference_;
  if (!source.streams() || source.reported() == reference || told_in_this_step || first_untold) {
    reference_advanced_at_ = clock.now();
  }
  last_reference_ = reference;
  last_seen_report_ = source.reported();
  constexpr milliseconds kPromised(100);
  if (clock.now() - reference_advanced_at_ > kPromised) {
    violations.add(fmt::format("{} has been confirmable for more than 100 ms and is not reported",
                               reference.to_string()));
  }
}

// Exit 0: nothing of what this process sent comes again. (It cannot know of the one before it.)
void World::check_clean_end() {
  for (const Transaction& transaction : server.wal()) {
    if (transaction.commit_lsn < server.ever_confirmed()) continue;
    for (const Event& event : transaction.events) {
      if (sent_.contains(event.number)) {
        violations.add(fmt::format("the end was clean, and event {} comes again: confirmed is {}",
                                   event.number, server.ever_confirmed().to_string()));
      }
    }
  }
}

}  // namespace walpost::sim
