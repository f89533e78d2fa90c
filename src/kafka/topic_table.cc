#include "topic_table.h"

namespace walpost {

Topic* TopicTable::find(std::string_view name) {
  if (last_ != nullptr && last_->name == name) {
    return last_;
  }
  const auto found = topics_.find(name);
  if (found == topics_.end()) {
    return nullptr;
  }
  last_ = &found->second;
  return last_;
}

Topic* TopicTable::add(std::string_view name) {
  if (topics_.size() >= kMaxTopics) {
    last_ = nullptr;
    std::erase_if(topics_, [](const auto& entry) { return entry.second.in_flight_count == 0; });
    if (topics_.size() >= kMaxTopics) {
      return nullptr;
    }
  }
  Topic& topic = topics_[std::string(name)];
  topic.name = name;
  last_ = &topic;
  return &topic;
}

void TopicTable::reset_client() {
  for (auto& [name, topic] : topics_) {
    topic.handle.reset();
    topic.is_ready = false;
    topic.is_being_created = false;
    topic.in_flight_count = 0;
    topic.partitions.clear();
  }
}

}  // namespace walpost
