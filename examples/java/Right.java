import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Right {
  static final String SECRET = System.getenv().getOrDefault("WEBHOOK_SECRET", "only-for-trying");
  static final int LIMIT = 16 * 1024 * 1024;
  static final ObjectMapper mapper = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  static final Map<String, Integer> effects = new ConcurrentHashMap<>();

  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/hooks", exchange -> answer(exchange, take(exchange), ""));
    // The probe: how often did this notification take effect?
    server.createContext("/effects/", exchange -> {
      String id = exchange.getRequestURI().getPath().substring("/effects/".length());
      answer(exchange, 200, "{\"count\": " + effects.getOrDefault(id, 0) + "}");
    });
    // Without threads of their own, one slow request would keep all others waiting.
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
  }

  static int take(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestMethod().equals("POST")) return 405;
    byte[] body = exchange.getRequestBody().readNBytes(LIMIT);
    List<String> signatures = exchange.getRequestHeaders().getOrDefault("X-SVC-Webhook-Signature", List.of());
    if (!isSigned(body, String.join(",", signatures))) return 401;
    try {
      String id = mapper.readTree(body).path("data").path("id").textValue();
      if (id == null || id.isEmpty()) return 400;
      effects.putIfAbsent(id, 1);
      return 202;
    } catch (IOException | StackOverflowError error) {
      return 400;
    }
  }

  static boolean isSigned(byte[] body, String signature) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(), "HmacSHA256"));
      String expected = HexFormat.of().formatHex(mac.doFinal(body));
      return MessageDigest.isEqual(expected.getBytes(), signature.getBytes());
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }

  static void answer(HttpExchange exchange, int status, String text) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(status, text.isEmpty() ? -1 : text.length());
      exchange.getResponseBody().write(text.getBytes());
    }
  }
}
