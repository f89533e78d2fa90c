package walpost.conformance;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;

/**
 * Notes each record exactly as Kafka Connect hands it to its producer, that is after router and
 * converters, with the explicit partition or none, and what the broker said to it. The record itself
 * is left alone.
 */
public final class RecordCapture implements ProducerInterceptor<byte[], byte[]> {
  private Path file;

  @Override
  public void configure(Map<String, ?> configs) {
    file = Path.of((String) configs.get("walpost.capture.file"));
  }

  @Override
  public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
    ObjectNode line = Capture.JSON.createObjectNode();
    line.put("topic", record.topic());
    line.put("partition", record.partition());
    line.put("timestamp", record.timestamp());
    Capture.putBytes(line, "key", record.key());
    Capture.putBytes(line, "value", record.value());
    ArrayNode headers = line.putArray("headers");
    for (Header header : record.headers()) {
      ArrayNode pair = headers.addArray();
      pair.add(header.key());
      Capture.addBytes(pair, header.value());
    }
    Capture.note(file, line);
    return record;
  }

  @Override
  public void onAcknowledgement(RecordMetadata metadata, Exception exception) {
    ObjectNode line = Capture.JSON.createObjectNode();
    line.put("answer", exception == null ? "written" : exception.getClass().getName());
    Capture.note(file, line);
  }

  @Override
  public void close() {}
}
