#pragma once

namespace walpost {

// Who creates a topic that does not exist (--topic-creation).
enum class TopicCreation {
  kBroker,  // the broker, by its auto.create.topics.enable
  kCreate,  // walpost, as --topic-partitions and its siblings say
  kNever,   // nobody; the broker is not asked in a way that makes it
};

}  // namespace walpost
