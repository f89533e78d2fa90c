package walpost.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.transforms.Transformation;

/**
 * The first transformation of the chain. It takes out the logical decoding messages that the
 * recorder writes behind each transaction and notes them: when a mark is there, everything before it
 * has passed the router. All else goes by untouched.
 */
public final class MarkCapture implements Transformation<SourceRecord> {
  private static final String PREFIX = "walpost.conformance.";
  private Path file;

  @Override
  public ConfigDef config() {
    return new ConfigDef()
        .define("file", ConfigDef.Type.STRING, ConfigDef.Importance.HIGH, "where marks are noted");
  }

  @Override
  public void configure(Map<String, ?> configs) {
    file = Path.of((String) configs.get("file"));
  }

  @Override
  public SourceRecord apply(SourceRecord record) {
    String mark = markOf(record);
    if (mark == null) return record;
    ObjectNode line = Capture.JSON.createObjectNode();
    line.put("mark", mark);
    Capture.note(file, line);
    return null;
  }

  private static String markOf(SourceRecord record) {
    if (!(record.value() instanceof Struct value)) return null;
    if (value.schema().field("message") == null) return null;
    if (!(value.get("message") instanceof Struct message)) return null;
    if (message.schema().field("prefix") == null) return null;
    String prefix = message.getString("prefix");
    return prefix.startsWith(PREFIX) ? prefix.substring(PREFIX.length()) : null;
  }

  @Override
  public void close() {}
}
