import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.openapitools.client.ApiClient;

/** Decode the value of each line as the model of its schema, and print the number of lines. */
public final class Decode {
  public static void main(String[] arguments) throws Exception {
    ObjectMapper mapper = new ApiClient().getObjectMapper();
    List<String> lines = Files.readAllLines(Path.of(arguments[0]));
    for (String line : lines) {
      JsonNode answer = mapper.readTree(line);
      Class<?> model = Class.forName("org.openapitools.client.model." + answer.get("schema").textValue());
      mapper.treeToValue(answer.get("value"), model);
    }
    System.out.println(lines.size());
  }
}
