#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "walpost/ids.h"

namespace walpost {

// A type as pg_type has it.
struct TypeFacts {
  Oid oid;
  std::string typname;                   // "citext"
  char typtype = 'b';                    // b base, c composite, e enum, m multirange, r range
  std::vector<std::string> enum_labels;  // in their sort order; of typtype e
};

// What pgoutput does not carry of a column and a Connect schema needs. It comes from the catalog
// when a Relation message arrived, hence shows the present: where its name or type differs from the
// Relation's, it says nothing of the column (docs/ARCHITECTURE.md).
struct ColumnFacts {
  std::string attname;
  Oid atttypid;  // as Relation has it: a domain's own OID

  bool attnotnull = false;                        // by the column or by its domain
  std::optional<std::string> default_expression;  // pg_get_expr(adbin, adrelid)

  // Of the column's type, or of what its domain is made of in the end.
  TypeFacts type;
  std::int32_t typmod = -1;
  bool is_domain = false;
  std::optional<TypeFacts> element;  // of an array: its elements' type, domains resolved
  bool is_element_domain = false;
  std::int32_t element_typmod = -1;  // of elements of a domain: what their domain says
};

// What pgoutput does not carry of a relation.
struct RelationFacts {
  std::vector<ColumnFacts> columns;  // in their order; none: there is no such relation (any more)
  // The topmost table that this one is a partition of; empty: it is none.
  std::string root_nspname;
  std::string root_relname;
};

}  // namespace walpost
