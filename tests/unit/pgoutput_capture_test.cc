#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "walpost/byte_reader.h"
#include "walpost/error.h"
#include "walpost/pgoutput.h"

// The decoder over what real servers of all majors sent: data/pgoutput/<major>/<case>.txt, made by
// data/capture. Each file names the statements that produced it.

namespace walpost::pgoutput {
namespace {

using Lines = std::vector<std::string>;

std::vector<std::byte> from_hex(const std::string& line) {
  std::vector<std::byte> bytes;
  for (std::size_t at = 0; at + 1 < line.size(); at += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(line.substr(at, 2), nullptr, 16)));
  }
  return bytes;
}

std::string hex_of(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    hex += kDigits[static_cast<unsigned char>(c) >> 4];
    hex += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return hex;
}

// A stream as text, without what differs from capture to capture: LSNs and times are only checked
// against each other, and relations go by their names.
class Transcript final {
 public:
  void add(const std::vector<std::byte>& bytes) {
    std::visit([this](const auto& message) { add(message); }, decode(bytes));
  }
  [[nodiscard]] const Lines& lines() const { return lines_; }

 private:
  static std::string text_of(const TupleData& tuple) {
    std::string text = "(";
    for (const ColumnValue& column : tuple) {
      if (text.size() > 1) text += ", ";
      switch (column.kind) {
        case ValueKind::kNull:
          text += "NULL";
          break;
        case ValueKind::kUnchangedToast:
          text += "unchanged";
          break;
        case ValueKind::kText:
          text += column.data.size() > 100 ? std::to_string(column.data.size()) + " bytes"
                                           : "'" + std::string(column.data) + "'";
          break;
        case ValueKind::kBinary:
          text += "b'" + hex_of(column.data) + "'";
          break;
      }
    }
    return text + ")";
  }
  static std::string old_of(const std::optional<TupleData>& key,
                            const std::optional<TupleData>& old) {
    return (key ? " key " + text_of(*key) : "") + (old ? " old " + text_of(*old) : "");
  }
  std::string name_of(Oid relid) const { return names_.at(relid); }

  void add(const Begin& begin) {
    begin_ = begin;
    lines_.emplace_back("Begin");
  }
  void add(const Commit& commit) {
    EXPECT_EQ(commit.commit_lsn, begin_.final_lsn);
    EXPECT_GT(commit.end_lsn, commit.commit_lsn);
    EXPECT_GE(begin_.final_lsn, last_end_);
    EXPECT_EQ(commit.commit_time, begin_.commit_time);
    EXPECT_NE(begin_.xid, Xid{});
    last_end_ = commit.end_lsn;
    lines_.emplace_back("Commit");
  }
  void add(const Origin& origin) { lines_.push_back("Origin " + std::string(origin.name)); }
  void add(const Relation& relation) {
    names_[relation.relid] = relation.relname;
    std::string text = "Relation " + relation.nspname + "." + relation.relname + " " +
                       relation.replica_identity + " (";
    for (const RelationColumn& column : relation.columns) {
      if (text.back() != '(') text += ", ";
      text += column.name + (column.is_key ? "*" : "");
      // Types of the test itself have other oids each time.
      constexpr std::uint32_t kFirstNormalObjectId = 16'384;
      const bool built_in = column.type_oid.value < kFirstNormalObjectId;
      text += " " + (built_in ? std::to_string(column.type_oid.value) : "own");
    }
    lines_.push_back(text + ")");
  }
  void add(const Type& type) {
    lines_.push_back("Type " + std::string(type.nspname) + "." + std::string(type.typname));
  }
  void add(const Insert& insert) {
    lines_.push_back("Insert " + name_of(insert.relid) + " " + text_of(insert.new_tuple));
  }
  void add(const Update& update) {
    lines_.push_back("Update " + name_of(update.relid) +
                     old_of(update.key_tuple, update.old_tuple) + " new " +
                     text_of(update.new_tuple));
  }
  void add(const Delete& deleted) {
    lines_.push_back("Delete " + name_of(deleted.relid) +
                     old_of(deleted.key_tuple, deleted.old_tuple));
  }
  void add(const Truncate& truncate) {
    std::string text = "Truncate";
    ByteReader reader(truncate.relids, "relids");
    while (reader.remaining() > 0) text += " " + name_of(Oid{reader.u32("relid")});
    lines_.push_back(text + (truncate.cascade ? " CASCADE" : "") +
                     (truncate.restart_identity ? " RESTART IDENTITY" : ""));
  }
  void add(const Message& message) {
    lines_.push_back("Message " + std::string(message.prefix) + " " +
                     hex_of(as_text(message.content)) +
                     (message.transactional ? " transactional" : ""));
  }

  Lines lines_;
  std::map<Oid, std::string> names_;
  Begin begin_;
  Lsn last_end_;
};

Lines transcript_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  EXPECT_TRUE(stream) << file;
  Transcript transcript;
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with('#') && !line.empty()) transcript.add(from_hex(line));
  }
  return transcript.lines();
}

const std::map<std::string, Lines>& expectations() {
  static const std::map<std::string, Lines> kExpected = {
      {"changed_table",
       {"Begin", "Relation public.t d (id* 23, a 25, b 25)", "Insert t ('1', 'a', 'b')",
        "Relation public.t d (id* 23, b 25, c 23)", "Insert t ('2', 'b', '7')", "Commit"}},
      {"delete_full",
       {"Begin", "Relation public.t f (id* 23, name* 25)", "Insert t ('1', 'a')", "Commit",  //
        "Begin", "Delete t old ('1', 'a')", "Commit"}},
      {"delete_key",
       {"Begin", "Relation public.t d (id* 23, name 25)", "Insert t ('1', 'a')", "Commit",  //
        "Begin", "Delete t key ('1', NULL)", "Commit"}},
      {"generated", {"Begin", "Relation public.t d (id* 23)", "Insert t ('21')", "Commit"}},
      {"insert",
       {"Begin", "Relation public.t d (id* 23, name 25, data 17, n 1700, at 1184, ok 16)",
        "Insert t ('1', 'Grüße 😀', '\\x00ff10', '12.50', '2026-01-02 03:04:05.678901+00', 't')",
        "Insert t ('2', NULL, '\\x', NULL, 'infinity', NULL)", "Commit"}},
      {"insert_binary",
       {"Begin", "Relation public.t d (id* 23, name 25, data 17, missing 25)",
        "Insert t (b'00000102', b'4772c3bcc39f65', b'00ff10', NULL)", "Commit"}},
      {"message",
       {"Begin", "Message walpost 696e2061207472616e73616374696f6e transactional", "Commit",
        "Message walpost 00ff"}},
      {"origin",
       {"Begin", "Origin elsewhere", "Relation public.t d (id* 23)", "Insert t ('1')", "Commit"}},
      // The partition is announced too, and its rows come as the root's.
      {"partition_root",
       {"Begin", "Relation public.t d (id 23, day 1082)", "Relation public.t1 d (id 23, day 1082)",
        "Insert t ('1', '2026-01-01')", "Commit"}},
      {"quoted_names",
       {"Begin", "Relation Outbox.DomainEvents d (Id* 23, Aggregate Id 25)",
        "Insert DomainEvents ('1', 'x')", "Commit"}},
      {"truncate",
       {"Begin", "Relation public.t d (id* 23)", "Relation public.u d (id 23)",
        "Truncate t u CASCADE", "Commit",  //
        "Begin", "Relation public.t d (id* 23)", "Relation public.u d (id 23)",
        "Truncate t u RESTART IDENTITY", "Commit",  //
        "Begin", "Relation public.u d (id 23)", "Truncate u", "Commit"}},
      {"two_transactions",
       {"Begin", "Relation public.t d (id* 23, name 25)", "Insert t ('1', 'first')", "Commit",  //
        "Begin", "Insert t ('2', 'second')", "Commit"}},
      // Type's namespace is empty on the wire for pg_catalog.
      {"types",
       {"Begin", "Type public.mood", "Type .varchar", "Relation public.t d (id* 23, m own, s own)",
        "Insert t ('1', 'happy', 'abc')", "Commit"}},
      {"unchanged_toast",
       {"Begin", "Relation public.t d (id* 23, big 25, n 23)", "Update t new ('1', unchanged, '2')",
        "Commit"}},
      {"update_full",
       {"Begin", "Relation public.t f (id* 23, name* 25)", "Insert t ('1', NULL)", "Commit",  //
        "Begin", "Update t old ('1', NULL) new ('1', 'b')", "Commit"}},
      {"update_key",
       {"Begin", "Relation public.t d (id* 23, name 25)", "Insert t ('1', 'a')", "Commit",  //
        "Begin", "Update t new ('1', 'b')", "Commit",                                       //
        "Begin", "Update t key ('1', NULL) new ('2', 'b')", "Commit"}},
  };
  return kExpected;
}

// PostgreSQL 14 announces transactions in which nothing was published.
Lines without_empty_transactions(const Lines& lines) {
  Lines kept;
  for (const std::string& line : lines) {
    if (line == "Commit" && !kept.empty() && kept.back() == "Begin") {
      kept.pop_back();
    } else {
      kept.push_back(line);
    }
  }
  return kept;
}

class PgoutputCapture : public testing::TestWithParam<int> {
 protected:
  static std::filesystem::path folder() {
    return std::filesystem::path(WALPOST_TEST_DATA) / "pgoutput" / std::to_string(GetParam());
  }
};

TEST_P(PgoutputCapture, DecodesToItsStatements) {
  for (const auto& [name, expected] : expectations()) {
    SCOPED_TRACE(name);
    const Lines lines = transcript_of(folder() / (name + ".txt"));
    if (GetParam() == 18 && name == "generated") {
      // It can publish generated columns, and this capture asks for them.
      EXPECT_THAT(lines, testing::Contains("Insert t ('21', '42')"));
    } else {
      EXPECT_EQ(GetParam() == 14 ? without_empty_transactions(lines) : lines, expected);
    }
  }
}

TEST_P(PgoutputCapture, HasNoFileWithoutExpectations) {
  for (const auto& file : std::filesystem::directory_iterator(folder())) {
    EXPECT_TRUE(expectations().contains(file.path().stem().string())) << file.path();
  }
}

TEST_P(PgoutputCapture, NoPrefixOfAMessageIsAMessage) {
  for (const auto& file : std::filesystem::directory_iterator(folder())) {
    std::ifstream stream(file.path());
    for (std::string line; std::getline(stream, line);) {
      if (line.starts_with('#')) continue;
      const auto bytes = from_hex(line);
      for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_THROW((void)decode(std::span(bytes).first(size)), Error) << line << " " << size;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Postgres, PgoutputCapture, testing::Values(14, 15, 16, 17, 18),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace walpost::pgoutput
