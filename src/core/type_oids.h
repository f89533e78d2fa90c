#pragma once

#include <cstdint>

// OIDs of PostgreSQL's own types, which never change: pg_type.dat.
namespace walpost::type_oid {

inline constexpr std::uint32_t kBool = 16;
inline constexpr std::uint32_t kBytea = 17;
inline constexpr std::uint32_t kChar = 18;
inline constexpr std::uint32_t kName = 19;
inline constexpr std::uint32_t kInt8 = 20;
inline constexpr std::uint32_t kInt2 = 21;
inline constexpr std::uint32_t kInt2Vector = 22;
inline constexpr std::uint32_t kInt4 = 23;
inline constexpr std::uint32_t kText = 25;
inline constexpr std::uint32_t kOid = 26;
inline constexpr std::uint32_t kOidVector = 30;
inline constexpr std::uint32_t kJson = 114;
inline constexpr std::uint32_t kXml = 142;
inline constexpr std::uint32_t kPoint = 600;
inline constexpr std::uint32_t kBox = 603;
inline constexpr std::uint32_t kCidr = 650;
inline constexpr std::uint32_t kFloat4 = 700;
inline constexpr std::uint32_t kFloat8 = 701;
inline constexpr std::uint32_t kMacaddr8 = 774;
inline constexpr std::uint32_t kMoney = 790;
inline constexpr std::uint32_t kMacaddr = 829;
inline constexpr std::uint32_t kInet = 869;
inline constexpr std::uint32_t kBpchar = 1042;
inline constexpr std::uint32_t kVarchar = 1043;
inline constexpr std::uint32_t kDate = 1082;
inline constexpr std::uint32_t kTime = 1083;
inline constexpr std::uint32_t kTimestamp = 1114;
inline constexpr std::uint32_t kTimestamptz = 1184;
inline constexpr std::uint32_t kInterval = 1186;
inline constexpr std::uint32_t kTimetz = 1266;
inline constexpr std::uint32_t kBit = 1560;
inline constexpr std::uint32_t kVarbit = 1562;
inline constexpr std::uint32_t kNumeric = 1700;
inline constexpr std::uint32_t kUuid = 2950;
inline constexpr std::uint32_t kTsvector = 3614;
inline constexpr std::uint32_t kJsonb = 3802;
inline constexpr std::uint32_t kInt4Range = 3904;
inline constexpr std::uint32_t kNumRange = 3906;
inline constexpr std::uint32_t kTsRange = 3908;
inline constexpr std::uint32_t kTstzRange = 3910;
inline constexpr std::uint32_t kDateRange = 3912;
inline constexpr std::uint32_t kInt8Range = 3926;

}  // namespace walpost::type_oid
