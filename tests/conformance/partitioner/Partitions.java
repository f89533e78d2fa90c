import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;

/**
 * Prints the partitions that Java's producer chooses: per line of a file of keys in hexadecimal, one
 * number for each of the counts of partitions that follow.
 */
final class Partitions {
  public static void main(String[] arguments) throws Exception {
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      byte[] key = HexFormat.of().parseHex(line);
      StringBuilder text = new StringBuilder();
      for (int i = 1; i < arguments.length; i++) {
        int count = Integer.parseInt(arguments[i]);
        text.append(i == 1 ? "" : " ").append(BuiltInPartitioner.partitionForKey(key, count));
      }
      System.out.println(text);
    }
  }
}
