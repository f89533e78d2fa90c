#include "walpost/connect_schema.h"

namespace walpost {

std::string_view json_name(ConnectType type) noexcept {
  switch (type) {
    case ConnectType::kInt16:
      return "int16";
    case ConnectType::kInt32:
      return "int32";
    case ConnectType::kInt64:
      return "int64";
    case ConnectType::kFloat32:
      return "float";
    case ConnectType::kFloat64:
      return "double";
    case ConnectType::kBoolean:
      return "boolean";
    case ConnectType::kString:
      return "string";
    case ConnectType::kBytes:
      return "bytes";
    case ConnectType::kArray:
      return "array";
    case ConnectType::kMap:
      return "map";
    case ConnectType::kStruct:
      return "struct";
  }
  return {};
}

}  // namespace walpost
