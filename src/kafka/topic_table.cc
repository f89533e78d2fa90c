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
  if (topics_.size() >= most_topics_) {
    make_room();
  }
  if (topics_.size() >= most_topics_) {
    return nullptr;
  }
  Topic& topic = topics_[std::string(name)];
  topic.name = name;
  last_ = &topic;
  return &topic;
}

void TopicTable::make_room() {
  last_ = nullptr;
  const auto is_unused = [](const Topic& topic) { return topic.handle == nullptr; };
  // What is wrong with a topic is worth remembering, where there is room for it.
  std::erase_if(topics_, [&](const auto& entry) {
    return is_unused(entry.second) && entry.second.problem == 0;
  });
  if (topics_.size() >= most_topics_) {
    std::erase_if(topics_, [&](const auto& entry) { return is_unused(entry.second); });
  }
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
