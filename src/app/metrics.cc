#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <array>
#include <limits>
#include <utility>

#include "process_view.h"

namespace walpost {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

template <typename T>
double read(const std::atomic<T>& value) {
  return static_cast<double>(value.load(std::memory_order_relaxed));
}

// Builds every family at the scrape: the numbers stand in atomics, and nothing is kept twice.
class ProcessMetrics final : public prometheus::Collectable {
 public:
  explicit ProcessMetrics(const ProcessView& view) : view_(view) {}

  [[nodiscard]] std::vector<MetricFamily> Collect() const override;

 private:
  [[nodiscard]] std::vector<MetricFamily> slot_families() const;
  [[nodiscard]] std::vector<MetricFamily> counters() const;
  [[nodiscard]] std::vector<MetricFamily> state_families() const;
  [[nodiscard]] MetricFamily errors() const;
  [[nodiscard]] MetricFamily commit_to_ack() const;

  const ProcessView& view_;
};

using Labels = std::vector<ClientMetric::Label>;

ClientMetric gauge_metric(double value, Labels labels = {}) {
  ClientMetric metric;
  metric.label = std::move(labels);
  metric.gauge.value = value;
  return metric;
}

MetricFamily gauge(const char* name, const char* help, double value, Labels labels = {}) {
  return {name, help, MetricType::Gauge, {gauge_metric(value, std::move(labels))}};
}

MetricFamily counter(const char* name, const char* help, double value) {
  ClientMetric metric;
  metric.counter.value = value;
  return {name, help, MetricType::Counter, {metric}};
}

// What is not known has no sample: a 0 in its place would read as "no lag".
void add_slot_gauge(std::vector<MetricFamily>& families, MetricFamily family,
                    const std::atomic<std::int64_t>& value) {
  if (!value_of(value)) return;
  family.metric.front().gauge.value = read(value);
  families.push_back(std::move(family));
}

std::vector<MetricFamily> ProcessMetrics::slot_families() const {
  const SlotGauges& slot = view_.slot_gauges;
  const Labels labels = {{"slot", view_.slot}};
  std::vector<MetricFamily> families;
  add_slot_gauge(
      families,
      gauge("walpost_slot_lag_bytes", "WAL written and not yet confirmed by walpost.", 0, labels),
      slot.lag_bytes);
  add_slot_gauge(families,
                 gauge("walpost_slot_retained_wal_bytes",
                       "WAL that the server's disk holds for the slot.", 0, labels),
                 slot.retained_bytes);
  add_slot_gauge(families,
                 gauge("walpost_slot_safe_wal_bytes",
                       "WAL that may be written before the slot is in danger of being lost; absent "
                       "without max_slot_wal_keep_size.",
                       0, labels),
                 slot.safe_wal_bytes);
  MetricFamily wal_status =
      gauge("walpost_slot_wal_status", "1 for the wal_status that the server reports.", 0);
  wal_status.metric.clear();
  const WalStatus current = slot.wal_status.load(std::memory_order_relaxed);
  for (const WalStatus status :
       {WalStatus::kReserved, WalStatus::kExtended, WalStatus::kUnreserved, WalStatus::kLost}) {
    wal_status.metric.push_back(
        gauge_metric(status == current ? 1 : 0,
                     {{"slot", view_.slot}, {"wal_status", std::string(to_string(status))}}));
  }
  families.push_back(std::move(wal_status));
  return families;
}

std::vector<MetricFamily> ProcessMetrics::counters() const {
  const Stats& stats = view_.stats;
  return {
      counter("walpost_events_total", "Outbox rows whose record was acknowledged.",
              read(stats.events)),
      counter("walpost_event_bytes_total", "Key and value bytes of acknowledged records.",
              read(stats.event_bytes)),
      counter("walpost_transactions_total", "Transactions received up to their commit.",
              read(stats.transactions)),
      counter("walpost_skipped_changes_total",
              "Changes that are no event: UPDATE, DELETE, TRUNCATE, and rows of other tables.",
              read(stats.skipped_changes)),
      counter("walpost_timestamp_fallbacks_total",
              "Rows with an infinite timestamp, which got the commit time.",
              read(stats.timestamp_fallbacks)),
      counter("walpost_dead_letters_total", "Records that went to the dead-letter topic.", 0),
      counter("walpost_reconnects_total", "Times that the stream was lost and taken up again.",
              read(stats.reconnects)),
  };
}

MetricFamily ProcessMetrics::errors() const {
  static constexpr std::array<std::pair<ErrorKind, const char*>, kErrorKinds> kNames{
      {{ErrorKind::kPostgres, "postgres"},
       {ErrorKind::kSinkLost, "sink_lost"},
       {ErrorKind::kRefused, "refused"},
       {ErrorKind::kInvalidRow, "invalid_row"}}};
  MetricFamily family{"walpost_errors_total", "Errors by kind.", MetricType::Counter, {}};
  for (const auto& [kind, name] : kNames) {
    ClientMetric metric;
    metric.label = {{"kind", name}};
    metric.counter.value = read(view_.stats.errors[static_cast<std::size_t>(kind)]);
    family.metric.push_back(std::move(metric));
  }
  return family;
}

std::vector<MetricFamily> ProcessMetrics::state_families() const {
  const Stats& stats = view_.stats;
  std::vector<MetricFamily> families = {
      gauge("walpost_in_flight_records", "Records sent and not yet acknowledged.",
            read(stats.in_flight_records)),
      gauge("walpost_in_flight_bytes", "Key and value bytes of records in flight.",
            read(stats.in_flight_bytes)),
      gauge("walpost_sink_reachable", "1 while the sink can be reached.",
            read(stats.sink_reachable)),
      gauge("walpost_standby", "1 while another process holds the slot.", read(stats.standby)),
      gauge("walpost_ready", "1 while /readyz says yes.",
            readiness_problems(view_).empty() ? 1 : 0),
      gauge("walpost_build_info", "1, with walpost's version.", 1, {{"version", WALPOST_VERSION}}),
  };
  if (const auto age = lag_time(view_)) {
    families.push_back(gauge("walpost_oldest_unacknowledged_seconds",
                             "Age of the oldest commit that was received and is not acknowledged.",
                             std::chrono::duration<double>(*age).count()));
  }
  MetricFamily state{"walpost_state", "1 for the present state.", MetricType::Gauge, {}};
  const PipelineState current = stats.state.load(std::memory_order_relaxed);
  for (const PipelineState each :
       {PipelineState::kConnecting, PipelineState::kStreaming, PipelineState::kSettling,
        PipelineState::kDraining, PipelineState::kStopped}) {
    state.metric.push_back(
        gauge_metric(each == current ? 1 : 0, {{"state", std::string(to_string(each))}}));
  }
  families.push_back(std::move(state));
  return families;
}

MetricFamily ProcessMetrics::commit_to_ack() const {
  constexpr double kMicrosPerSecond = 1e6;  // dividing gives le="0.1", multiplying does not
  ClientMetric metric;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < view_.stats.commit_to_ack_buckets.size(); ++i) {
    count += view_.stats.commit_to_ack_buckets[i].load(std::memory_order_relaxed);
    const double bound = i < kCommitToAckBoundsUs.size()
                             ? static_cast<double>(kCommitToAckBoundsUs[i]) / kMicrosPerSecond
                             : std::numeric_limits<double>::infinity();
    metric.histogram.bucket.push_back({count, bound});
  }
  metric.histogram.sample_count = count;
  metric.histogram.sample_sum = read(view_.stats.commit_to_ack_sum_us) / kMicrosPerSecond;
  return {"walpost_commit_to_ack_seconds",
          "Time from a transaction's commit to the acknowledgement of its record.",
          MetricType::Histogram,
          {metric}};
}

std::vector<MetricFamily> ProcessMetrics::Collect() const {
  std::vector<MetricFamily> families = slot_families();
  const auto append = [&](std::vector<MetricFamily> more) {
    for (MetricFamily& family : more) families.push_back(std::move(family));
  };
  append(counters());
  append({errors(), commit_to_ack()});
  append(state_families());
  return families;
}

}  // namespace

std::string metrics_text(const ProcessView& view) {
  return prometheus::TextSerializer().Serialize(ProcessMetrics(view).Collect());
}

}  // namespace walpost
