#include "walpost/column_type.h"

#include <fmt/format.h>

#include "type_oids.h"
#include "value_reader.h"

namespace walpost {
namespace {

bool is_vector(Oid oid) {
  return oid.value == type_oid::kInt2Vector || oid.value == type_oid::kOidVector;
}

TypeShape shape_of(const pgoutput::RelationColumn& column, const ColumnFacts* facts) {
  TypeShape shape{.oid = column.type_oid, .typmod = column.type_modifier};
  if (facts) {
    shape.oid = facts->type.oid;
    if (facts->is_domain) shape.typmod = facts->typmod;
    shape.facts = &facts->type;
  }
  shape.element_oid = element_of_builtin_array(shape.oid);
  shape.element_typmod = shape.typmod;
  // int2vector and oidvector have elements in the catalog, and are no arrays in their text.
  if (facts && facts->element && !is_vector(shape.oid)) {
    shape.element_oid = facts->element->oid;
    shape.element_facts = &*facts->element;
    shape.is_element_domain = facts->is_element_domain;
    if (facts->is_element_domain) shape.element_typmod = facts->element_typmod;
  }
  return shape;
}

}  // namespace

void refuse_malformed(std::string_view type) {
  throw ValueRefusal(fmt::format(
      "has a text that is not the one of {} under the session settings of walpost", type));
}

bool needs_facts(const pgoutput::RelationColumn& column) noexcept {
  return is_foreign_type(column.type_oid);
}

bool facts_apply(const pgoutput::RelationColumn& column, const ColumnFacts* facts) {
  return facts && facts->attname == column.name && facts->atttypid == column.type_oid;
}

ColumnType::ColumnType(SchemaPtr schema, std::shared_ptr<const ValueReader> reader)
    : schema_(std::move(schema)),
      reader_(std::move(reader)),
      is_plain_text_(reader_->parse == parse::text),
      is_plain_bytes_(reader_->parse == parse::bytea_bytes) {}

std::optional<ColumnType> ColumnType::make(const pgoutput::RelationColumn& column,
                                           const ColumnFacts* facts, const ValueModes& modes) {
  if (!facts_apply(column, facts)) facts = nullptr;
  const TypeShape shape = shape_of(column, facts);
  auto choice = choose_type(shape, modes);
  if (!choice) return std::nullopt;
  if (facts && facts->default_expression && !facts->is_domain) {
    choice->schema.default_value = exported_default(*facts->default_expression, shape, *choice);
  }
  const bool is_nullable = !facts || !facts->attnotnull;
  choice->schema.optional = choice->schema.optional || is_nullable;
  return ColumnType(std::make_shared<const ConnectSchema>(std::move(choice->schema)),
                    std::make_shared<const ValueReader>(std::move(choice->reader)));
}

ConnectValue ColumnType::parse(std::string_view text) const {
  return reader_->parse(text, *reader_);
}

}  // namespace walpost
