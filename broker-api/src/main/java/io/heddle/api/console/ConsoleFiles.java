package io.heddle.api.console;

import io.heddle.api.problem.RequestProblem;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Scripts and styles of the console, compressed in memory. Their address has a hash of all of them, so browsers keep them until a node has
 * others. Pages are not compressed: an attacker who sees the length of a compressed page and chooses a part of it could guess a secret in it.
 */
@RestController
public final class ConsoleFiles {
    static final String PATH = "/assets/";

    static final String UPLOT_VERSION = "1.6.30";

    private static final String UPLOT = "/META-INF/resources/webjars/uplot/" + UPLOT_VERSION + "/dist/";
    private static final String OWN = "/io/heddle/api/console/assets/";
    private static final List<String> OWN_NAMES = List.of(
            "console.js",
            "console.css",
            "charts.js",
            "ledger.js",
            "trace.js",
            "mqtt-addresses.js",
            "mqtt-client.js",
            "mqtt-client.css",
            "mqtt-connection.js",
            "mqtt-forms.js",
            "mqtt-messages.js",
            "mqtt-network.js",
            "mqtt-packets.js",
            "mqtt-payload.js",
            "mqtt-reasons.js",
            "mqtt-storage.js",
            "mqtt-subscriptions.js");
    private static final MediaType SCRIPT = new MediaType("text", "javascript", StandardCharsets.UTF_8);
    private static final MediaType STYLE = new MediaType("text", "css", StandardCharsets.UTF_8);
    private static final CacheControl FOREVER =
            CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();

    private static final class File {
        private final byte[] content;
        private final byte[] compressed;

        private File(byte[] content, byte[] compressed) {
            this.content = content;
            this.compressed = compressed;
        }

        private static File read(String path) {
            try {
                byte[] content = new ClassPathResource(path).getContentAsByteArray();
                ByteArrayOutputStream compressed = new ByteArrayOutputStream();
                try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
                    gzip.write(content);
                }
                return new File(content, compressed.toByteArray());
            } catch (IOException missing) {
                throw new UncheckedIOException(missing);
            }
        }
    }

    // Read when the first page is shown, not at the start of the node.
    private final SingletonSupplier<Contents> contents = SingletonSupplier.of(Contents::new);

    /** Returns the beginning of the addresses of all files. */
    String base() {
        return PATH + contents.obtain().version + "/";
    }

    /** Another version than that of this node is that of another node, during a rolling restart: the file may be another one, so it is not kept. */
    @GetMapping(PATH + "{asked}/{name}")
    ResponseEntity<byte[]> file(@PathVariable String asked, @PathVariable String name, HttpServletRequest request) {
        Contents known = contents.obtain();
        File file = known.files.get(name);
        if (file == null) {
            throw RequestProblem.notFound("The console has no such file.");
        }
        String accepted = request.getHeader(HttpHeaders.ACCEPT_ENCODING);
        boolean isCompressed = accepted != null && accepted.contains("gzip");
        ResponseEntity.BodyBuilder answer = ResponseEntity.ok()
                .cacheControl(asked.equals(known.version) ? FOREVER : CacheControl.noStore())
                .varyBy(HttpHeaders.ACCEPT_ENCODING)
                .contentType(name.endsWith(".css") ? STYLE : SCRIPT);
        if (isCompressed) {
            answer.header(HttpHeaders.CONTENT_ENCODING, "gzip");
        }
        return answer.body(isCompressed ? file.compressed : file.content);
    }

    private static final class Contents {
        private final Map<String, File> files = new TreeMap<>(Map.of(
                "uplot.js", File.read(UPLOT + "uPlot.iife.min.js"),
                "uplot.css", File.read(UPLOT + "uPlot.min.css")));
        private final String version;

        private Contents() {
            OWN_NAMES.forEach(name -> files.put(name, File.read(OWN + name)));
            CRC32 checksum = new CRC32();
            files.values().forEach(file -> checksum.update(file.content));
            version = Long.toHexString(checksum.getValue());
        }
    }
}
