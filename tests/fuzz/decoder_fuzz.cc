#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "walpost/error.h"
#include "walpost/pgoutput.h"
#include "walpost/replication_message.h"

namespace {

// Walks over every byte of a row, so that a view outside of the message is noticed.
std::size_t weight_of(const walpost::pgoutput::TupleData& tuple) {
  std::size_t weight = 0;
  std::size_t column_count = 0;
  for (const auto& column : tuple) {
    ++column_count;
    for (const char c : column.data) weight += static_cast<unsigned char>(c);
  }
  if (column_count != tuple.column_count()) __builtin_trap();
  return weight;
}

struct RowVisitor {
  std::size_t operator()(const walpost::pgoutput::Insert& insert) const {
    return weight_of(insert.new_tuple);
  }
  std::size_t operator()(const walpost::pgoutput::Update& update) const {
    return weight_of(update.new_tuple) + (update.key_tuple ? weight_of(*update.key_tuple) : 0) +
           (update.old_tuple ? weight_of(*update.old_tuple) : 0);
  }
  std::size_t operator()(const walpost::pgoutput::Delete& deleted) const {
    return (deleted.key_tuple ? weight_of(*deleted.key_tuple) : 0) +
           (deleted.old_tuple ? weight_of(*deleted.old_tuple) : 0);
  }
  template <typename Other>
  std::size_t operator()(const Other&) const {
    return 0;
  }
};

}  // namespace

// The input is the payload of one CopyData.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto frame = std::as_bytes(std::span(data, size));
  try {
    const auto message = walpost::decode_replication_message(frame);
    if (const auto* wal = std::get_if<walpost::XLogData>(&message)) {
      (void)std::visit(RowVisitor{}, walpost::pgoutput::decode(wal->data));
    }
  } catch (const walpost::Error& error) {
    if (error.exit_code() != walpost::ExitCode::kUndecodable || error.is_retryable()) {
      __builtin_trap();
    }
  }
  return 0;
}
