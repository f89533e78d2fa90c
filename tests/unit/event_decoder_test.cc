#include "walpost/event_decoder.h"

#include <gmock/gmock.h>

#include "wire/pgoutput_bytes.h"
#include "wire/thrown.h"

namespace walpost {
namespace {

using testing::HasSubstr;
using wire::Bytes;

constexpr std::uint32_t kOutbox = 1;
constexpr std::uint32_t kOrders = 2;
constexpr std::int64_t kCommitTime = 5'000'000;

class EventDecoderTest : public testing::Test {
 protected:
  EventDecoderTest() { use({}); }

  EventDecoder::Decoded decode(Bytes data) {
    data_ = std::move(data);
    return decoder_->decode({.data_start = Lsn(0xABC), .data = data_.span()}, PgTimestamp(9));
  }
  Record decode_record(Bytes data) { return std::get<Record>(decode(std::move(data))); }
  std::string refusal(Bytes data) {
    const Error error = thrown([&] { return decode(std::move(data)); });
    EXPECT_EQ(error.exit_code(), ExitCode::kUndecodable);
    return error.what();
  }
  bool is_nothing(Bytes data) {
    return std::holds_alternative<std::monostate>(decode(std::move(data)));
  }

  static Bytes outbox() {
    return wire::relation(kOutbox, "public", "outbox",
                          {{"id"}, {"aggregatetype"}, {"aggregateid"}, {"type"}, {"payload"}});
  }
  static Bytes orders() { return wire::relation(kOrders, "public", "orders", {{"id"}}); }
  static Bytes begin() { return wire::begin(Lsn(0x100), kCommitTime, 7); }
  static Bytes commit() { return wire::commit(Lsn(0x100), Lsn(0x130), kCommitTime); }
  static Bytes event(const std::string& id) {
    return wire::insert(kOutbox, {id, "invoice", "inv-7", "Issued", "{}"});
  }

  Stats stats_;
  void use(const OutboxColumns& columns, const RouterOptions& router = {},
           InvalidOperation on_update = InvalidOperation::kWarn) {
    decoder_ = std::make_unique<EventDecoder>(
        EventDecoderOptions{{{"public", "outbox"}}, on_update}, OutboxMapper(columns),
        Router(router, columns), stats_, [this](LogLevel level, std::string_view message, auto) {
          logged_.emplace_back(level, message);
        });
  }

  std::vector<std::pair<LogLevel, std::string>> logged_;
  std::unique_ptr<EventDecoder> decoder_;

 private:
  Bytes data_;
};

TEST_F(EventDecoderTest, AnInsertBecomesARecord) {
  EXPECT_EQ(std::get<pgoutput::Begin>(decode(begin())).final_lsn, Lsn(0x100));
  EXPECT_TRUE(is_nothing(outbox()));
  const Record record = decode_record(event("e1"));
  EXPECT_EQ(record.topic, "outbox.event.invoice");
  EXPECT_EQ(record.event_id, "e1");
  EXPECT_EQ(record.timestamp_ms, PgTimestamp(kCommitTime).to_unix_ms());
  EXPECT_EQ(std::get<pgoutput::Commit>(decode(commit())).end_lsn, Lsn(0x130));
  EXPECT_EQ(stats_.transactions, 1u);
}

TEST_F(EventDecoderTest, ARowOfARenamedOutboxTableIsNotPassedOver) {
  (void)decode(begin());
  (void)decode(outbox());
  (void)decode_record(event("e1"));
  (void)decode(wire::relation(kOutbox, "public", "outbox_old", {{"id"}}));
  EXPECT_TRUE(is_nothing(wire::update(kOutbox, {"e"}))) << "no event under either name";
  const std::string text = refusal(wire::insert(kOutbox, {"e2"}));
  EXPECT_THAT(text, HasSubstr("\"public\".\"outbox\" is now called \"public\".\"outbox_old\""));
  EXPECT_THAT(text, HasSubstr("0/ABC"));
}

TEST_F(EventDecoderTest, OtherChangesAreNothing) {
  (void)decode(begin());
  (void)decode(outbox());
  (void)decode(orders());
  EXPECT_TRUE(is_nothing(wire::insert(kOrders, {"1"})));
  EXPECT_TRUE(is_nothing(wire::update(kOutbox, {"e", "a", "b", "c", "d"})));
  EXPECT_TRUE(is_nothing(wire::erase(kOutbox, {"e"})));
  EXPECT_TRUE(is_nothing(wire::truncate({kOutbox})));
  EXPECT_EQ(stats_.skipped_changes, 4u);
}

TEST_F(EventDecoderTest, AnUpdateOfAnOutboxRowIsSaidOnce) {
  (void)decode(begin());
  (void)decode(outbox());
  (void)decode(orders());
  EXPECT_TRUE(is_nothing(wire::update(kOrders, {"1"})));
  EXPECT_TRUE(logged_.empty());
  EXPECT_TRUE(is_nothing(wire::update(kOutbox, {"e", "a", "b", "c", "d"})));
  EXPECT_TRUE(is_nothing(wire::update(kOutbox, {"e", "a", "b", "c", "d"})));
  ASSERT_EQ(logged_.size(), 1u);
  EXPECT_EQ(logged_[0].first, LogLevel::kWarn);
}

TEST_F(EventDecoderTest, OrEndsTheProcess) {
  use({}, {}, InvalidOperation::kFatal);
  (void)decode(begin());
  (void)decode(outbox());
  EXPECT_THAT(refusal(wire::update(kOutbox, {"e", "a", "b", "c", "d"})),
              HasSubstr("0/ABC was updated"));
}

TEST_F(EventDecoderTest, ANullAsksTheCatalogForDefaultsOnce) {
  (void)decode(begin());
  (void)decode(outbox());
  const Bytes row = wire::insert(kOutbox, {"e1", "r", "k", "t", std::nullopt});
  EXPECT_EQ(std::get<EventDecoder::NeedsRelationFacts>(decode(row)).relid, Oid{kOutbox});
  decoder_->learn(Oid{kOutbox}, {.columns = {{.attname = "payload",
                                              .atttypid = Oid{25},
                                              .default_expression = "'none'::text",
                                              .type = {.oid = Oid{25}, .typname = "text"}}}});
  EXPECT_EQ(decode_record(row).value, "none");
  EXPECT_EQ(decode_record(row).value, "none");
  (void)decode(outbox());
  EXPECT_TRUE(std::holds_alternative<EventDecoder::NeedsRelationFacts>(decode(row)))
      << "a new Relation message, and what was known is the past";
  decoder_->learn(Oid{kOutbox}, {});
  EXPECT_EQ(decode_record(row).value, std::nullopt);
}

TEST_F(EventDecoderTest, ANullInAColumnThatIsNotNullByNowIsNull) {
  use({}, {.value_format = FieldFormat::kJsonSchema});
  (void)decode(begin());
  (void)decode(outbox());
  const Bytes row = wire::insert(kOutbox, {"e1", "r", "k", "t", std::nullopt});
  EXPECT_TRUE(std::holds_alternative<EventDecoder::NeedsRelationFacts>(decode(row)));
  decoder_->learn(Oid{kOutbox}, {.columns = {{.attname = "payload",
                                              .atttypid = Oid{25},
                                              .attnotnull = true,
                                              .type = {.oid = Oid{25}, .typname = "text"}}}});
  EXPECT_EQ(decode_record(event("e2")).value,
            R"({"schema":{"type":"string","optional":false},"payload":"{}"})");
  EXPECT_EQ(decode_record(row).value,
            R"({"schema":{"type":"string","optional":true},"payload":null})");
}

TEST_F(EventDecoderTest, ATypeOfItsDatabaseAsksTheCatalog) {
  (void)decode(begin());
  (void)decode(wire::relation(kOutbox, "public", "outbox",
                              {{"id"}, {"aggregatetype", 16'500}, {"aggregateid"}, {"payload"}}));
  const Bytes row = wire::insert(kOutbox, {"e1", "invoice", "k", "p"});
  EXPECT_TRUE(std::holds_alternative<EventDecoder::NeedsRelationFacts>(decode(row)));
  decoder_->learn(Oid{kOutbox}, {.columns = {{.attname = "aggregatetype",
                                              .atttypid = Oid{16'500},
                                              .type = {.oid = Oid{16'500},
                                                       .typname = "kind",
                                                       .typtype = 'e',
                                                       .enum_labels = {"invoice"}}}}});
  EXPECT_EQ(decode_record(row).topic, "outbox.event.invoice");
}

class PartitionTest : public EventDecoderTest {
 protected:
  PartitionTest() {
    (void)decode(begin());
    (void)decode(wire::relation(kOutbox, "public", "outbox_2026",
                                {{"id"}, {"aggregatetype"}, {"aggregateid"}, {"payload"}}));
    row_ = wire::insert(kOutbox, {"e1", "invoice", "k", "p"});
    EXPECT_TRUE(std::holds_alternative<EventDecoder::NeedsRelationFacts>(decode(row_)));
  }

  static RelationFacts facts(const std::string& root) {
    return {.columns = {{.attname = "id",
                         .atttypid = Oid{25},
                         .type = {.oid = Oid{25}, .typname = "text"}}},
            .root_nspname = root.empty() ? "" : "public",
            .root_relname = root};
  }

  Bytes row_;
};

TEST_F(PartitionTest, OfAnOutboxTableHasItsEvents) {
  decoder_->learn(Oid{kOutbox}, facts("outbox"));
  EXPECT_EQ(decode_record(row_).topic, "outbox.event.invoice");
  EXPECT_EQ(decode_record(row_).event_id, "e1");
}

TEST_F(PartitionTest, OfAnotherTableHasNone) {
  decoder_->learn(Oid{kOutbox}, facts("orders"));
  EXPECT_TRUE(is_nothing(row_));
}

TEST_F(PartitionTest, OrNoPartitionAtAll) {
  decoder_->learn(Oid{kOutbox}, facts(""));
  EXPECT_TRUE(is_nothing(row_));
}

TEST_F(PartitionTest, ThatIsGoneByNowCannotBeToldFromAnotherTable) {
  const Error error = thrown([&] { decoder_->learn(Oid{kOutbox}, {}); });
  EXPECT_EQ(error.exit_code(), ExitCode::kUndecodable);
  EXPECT_THAT(error.hint(), HasSubstr(R"(--table "public"."outbox_2026")"));
}

TEST_F(PartitionTest, AnUpdateOfItIsNothing) {
  EXPECT_TRUE(is_nothing(wire::update(kOutbox, {"e1", "invoice", "k", "p"})));
}

TEST_F(EventDecoderTest, OriginTypeAndMessageAreNothing) {
  (void)decode(begin());
  EXPECT_TRUE(is_nothing(Bytes().character('O').u64(1).string("o")));
  EXPECT_TRUE(is_nothing(Bytes().character('Y').u32(1).string("n").string("t")));
  EXPECT_TRUE(is_nothing(Bytes().character('M').u8(1).u64(1).string("p").u32(0)));
  EXPECT_EQ(stats_.skipped_changes, 0u);
}

TEST_F(EventDecoderTest, ARowIsReadThroughTheLatestRelation) {
  (void)decode(begin());
  (void)decode(outbox());
  EXPECT_EQ(decode_record(event("e1")).key, "inv-7");
  (void)decode(wire::relation(kOutbox, "public", "outbox",
                              {{"payload"}, {"aggregateid"}, {"aggregatetype"}, {"id"}}));
  const Record record = decode_record(wire::insert(kOutbox, {"p", "k", "r", "e2"}));
  EXPECT_EQ(record.key, "k");
  EXPECT_EQ(record.value, "p");
  EXPECT_EQ(record.topic, "outbox.event.r");
  EXPECT_EQ(record.event_id, "e2");
}

TEST_F(EventDecoderTest, AnInfiniteTimestampIsCounted) {
  use({.event_timestamp = "at"});
  const auto feed = [&](const Bytes& data) {
    return decoder_->decode({.data = data.span()}, PgTimestamp(9));
  };
  (void)feed(begin());
  (void)feed(
      wire::relation(kOutbox, "public", "outbox",
                     {{"id"}, {"aggregatetype"}, {"aggregateid"}, {"payload"}, {"at", 1114}}));
  const Bytes row = wire::insert(kOutbox, {"e", "r", "k", "p", "infinity"});
  EXPECT_EQ(std::get<Record>(feed(row)).timestamp_ms, PgTimestamp(kCommitTime).to_unix_ms());
  EXPECT_EQ(stats_.timestamp_fallbacks, 1u);
}

TEST_F(EventDecoderTest, AMisfitOfAnotherTableDoesNotMatter) {
  (void)decode(begin());
  (void)decode(orders());
  EXPECT_TRUE(is_nothing(wire::insert(kOrders, {"1", "more", "than", "announced"})));
}

TEST_F(EventDecoderTest, AnOutboxWithoutItsColumnsIsRefusedAtItsFirstRow) {
  (void)decode(begin());
  EXPECT_TRUE(is_nothing(wire::relation(kOutbox, "public", "outbox", {{"id"}})));
  EXPECT_THAT(refusal(wire::insert(kOutbox, {"1"})), HasSubstr("no column"));
}

TEST_F(EventDecoderTest, ChangesOutsideOfATransactionAreRefused) {
  (void)decode(outbox());
  EXPECT_THAT(refusal(event("e")), HasSubstr("no transaction is open"));
  (void)refusal(wire::update(kOutbox, {"e"}));
  (void)refusal(wire::erase(kOutbox, {"e"}));
  (void)refusal(wire::truncate({kOutbox}));
  (void)refusal(commit());
}

TEST_F(EventDecoderTest, ATransactionWithinATransactionIsRefused) {
  (void)decode(begin());
  EXPECT_THAT(refusal(begin()), HasSubstr("the last transaction is open"));
}

TEST_F(EventDecoderTest, ACommitOfAnotherTransactionIsRefused) {
  (void)decode(begin());
  EXPECT_THAT(refusal(wire::commit(Lsn(0x101), Lsn(0x130), kCommitTime)), HasSubstr("commit_lsn"));
}

TEST_F(EventDecoderTest, ARelationThatWasNotAnnouncedIsRefused) {
  (void)decode(begin());
  EXPECT_THAT(refusal(event("e")), HasSubstr("not announced"));
}

TEST_F(EventDecoderTest, ANewConnectionBeginsAnew) {
  (void)decode(begin());
  (void)decode(outbox());
  decoder_->reset();
  (void)decode(begin());
  EXPECT_THAT(refusal(event("e")), HasSubstr("not announced"));
}

}  // namespace
}  // namespace walpost
