#include "model_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "walpost/pgoutput.h"

namespace walpost::sim {

void ModelSource::expect(std::initializer_list<State> allowed, const char* call) {
  if (std::find(allowed.begin(), allowed.end(), state_) == allowed.end()) {
    violations_.add(fmt::format("Source::{} in state {}", call, static_cast<int>(state_)));
  }
}

void ModelSource::fail(ExitCode code, const char* why) {
  state_ = State::kFailed;
  throw Error::retryable(code, why);
}

void ModelSource::fail_if_broken() {
  if (!server_.is_slot_active() || server_.session().broken) {
    fail(ExitCode::kPostgresUnreachable, "the connection was lost");
  }
}

void ModelSource::connect() {
  close();
  state_ = State::kLogin;
  polls_left_ = random_.below(3);
  ++calls_with_effect_;
}

std::optional<ServerIdentity> ModelSource::poll_connected() {
  expect({State::kLogin}, "poll_connected");
  if (polls_left_ > 0) {
    --polls_left_;
    return std::nullopt;
  }
  if (!server_.take_login()) fail(ExitCode::kPostgresUnreachable, "connection refused");
  if (server_.is_slot_active()) fail(ExitCode::kPostgresSetup, "the slot is active");
  state_ = State::kReady;
  identity_ = server_.identity();
  ++calls_with_effect_;
  return identity_;
}

void ModelSource::start_replication(Lsn start) {
  expect({State::kReady}, "start_replication");
  if (on_start) on_start(start, received_);
  start_ = start.is_valid() ? start : identity_.confirmed_flush_lsn;
  server_.start_session(start);
  state_ = State::kStarting;
  polls_left_ = random_.below(3);
}

bool ModelSource::poll_streaming() {
  expect({State::kStarting}, "poll_streaming");
  fail_if_broken();
  if (polls_left_ > 0) {
    --polls_left_;
    return false;
  }
  state_ = State::kStreaming;
  received_ = Received{
      .generation = received_.generation + 1, .start = start_, .units = {}, .newest = start_};
  reported_.reset();
  return true;
}

std::optional<ReplicationMessage> ModelSource::try_receive() {
  expect({State::kStreaming}, "try_receive");
  spoil_frame();
  if (frames_until_loss_ && (*frames_until_loss_)-- == 0) {
    frames_until_loss_.reset();
    server_.break_connection();
  }
  fail_if_broken();
  auto& waiting = server_.session().to_client;
  if (waiting.empty()) return std::nullopt;
  frame_ = waiting.front().data();
  waiting.pop_front();
  const auto message = decode_replication_message(frame_);
  note(message);
  ++calls_with_effect_;
  return message;
}

void ModelSource::note(const ReplicationMessage& message) {
  if (const auto* keepalive = std::get_if<PrimaryKeepalive>(&message)) {
    if (received_.open) return;
    received_.units.push_back({.position = keepalive->wal_end, .events = {}});
    received_.newest = std::max(received_.newest, keepalive->wal_end);
    return;
  }
  const auto decoded = pgoutput::decode(std::get<XLogData>(message).data);
  if (std::holds_alternative<pgoutput::Begin>(decoded)) {
    received_.open.emplace();
  } else if (const auto* commit = std::get_if<pgoutput::Commit>(&decoded)) {
    received_.units.push_back({.position = commit->end_lsn, .events = *received_.open});
    received_.open.reset();
    received_.newest = std::max(received_.newest, commit->end_lsn);
  } else if (const auto* insert = std::get_if<pgoutput::Insert>(&decoded)) {
    constexpr Oid kOutbox{1};
    if (insert->relid != kOutbox) return;
    for (const auto& column : insert->new_tuple) {
      // The id is the only column of digits alone.
      if (column.data.empty()) continue;  // NULL
      if (column.data.find_first_not_of("0123456789") != std::string_view::npos) continue;
      received_.open->push_back(std::stoull(std::string(column.data)));
    }
  }
}

void ModelSource::send_status(const StandbyStatusUpdate& status) {
  expect({State::kStreaming}, "send_status");
  fail_if_broken();
  if (on_status) on_status(status.flush_lsn);
  reported_ = status.flush_lsn;
  server_.session().to_server.push_back(decode_standby_status_update(encode(status)));
  ++calls_with_effect_;
}

void ModelSource::send_copy_done() {
  expect({State::kStreaming}, "send_copy_done");
  fail_if_broken();
  state_ = State::kFinishing;
  server_.session().copy_done_received = true;
  ++calls_with_effect_;
}

bool ModelSource::poll_finished() {
  expect({State::kFinishing}, "poll_finished");
  spoil_frame();
  fail_if_broken();
  server_.session().to_client.clear();
  return server_.session().copy_done_sent;
}

void ModelSource::close() noexcept {
  const bool has_session =
      state_ == State::kStarting || state_ == State::kStreaming || state_ == State::kFinishing;
  spoil_frame();
  state_ = State::kClosed;
  relation_facts_polls_left_.reset();
  frames_until_loss_.reset();
  if (has_session) {
    server_.client_closes();
  } else {
    server_.notice_gone_client();
  }
}

void ModelSource::request_relation_facts(Oid) {
  expect({State::kStreaming}, "request_relation_facts");
  if (relation_facts_polls_left_) violations_.add("a second question to the catalog");
  relation_facts_polls_left_ = random_.below(4);
  ++calls_with_effect_;
}

// The catalog may not be there to be asked, however well the stream does.
std::optional<RelationFacts> ModelSource::poll_relation_facts() {
  expect({State::kStreaming}, "poll_relation_facts");
  if (!relation_facts_polls_left_) violations_.add("an answer without a question");
  fail_if_broken();
  if (random_.below(20) == 0) fail(ExitCode::kPostgresUnreachable, "the catalog does not answer");
  if (*relation_facts_polls_left_ > 0) {
    --*relation_facts_polls_left_;
    return std::nullopt;
  }
  relation_facts_polls_left_.reset();
  ++calls_with_effect_;
  return RelationFacts{};
}

WaitFor ModelSource::wait_for(bool) const { return {}; }

WaitFor ModelSource::wait_for_relation_facts() const { return {}; }

void ModelSource::spoil_frame() { std::fill(frame_.begin(), frame_.end(), std::byte{0xDD}); }

}  // namespace walpost::sim
