package walpost.conformance;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The file in which one connector's records, and the marks between them, are noted: a line of JSON
 * each, in the order in which the connector's one task came to them.
 */
final class Capture {
  static final ObjectMapper JSON = new ObjectMapper();

  private Capture() {}

  /** Adds one line; the lock is for the producer's own thread, which notes the broker's answers. */
  static synchronized void note(Path file, ObjectNode line) {
    try {
      Files.write(
          file,
          (line + "\n").getBytes(StandardCharsets.UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void putBytes(ObjectNode node, String name, byte[] bytes) {
    if (bytes == null) {
      node.putNull(name);
    } else {
      node.put(name, bytes);
    }
  }

  static void addBytes(ArrayNode node, byte[] bytes) {
    if (bytes == null) {
      node.addNull();
    } else {
      node.add(bytes);
    }
  }
}
