package io.heddle.api.status;

import io.heddle.core.lifecycle.Node;
import io.heddle.core.lifecycle.NodeStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

/**
 * Shows the state of the node. Everybody sees at {@code /} that this is Heddle and whether it serves clients; version, names and numbers are at
 * {@code /status}, which needs a sign-in, because they help attackers more than visitors.
 */
@RestController
public final class StatusPage {
    /** The address of the icon, which browsers ask for by themselves. */
    public static final String ICON = "/favicon.ico";

    private static final MediaType ICON_TYPE = new MediaType("image", "vnd.microsoft.icon");

    private static final String LINKS = """
            <ul>
            <li><a href="/status">Status of this node</a> (sign in as an administrator)</li>
            <li><a href="/api/v1/nodes">Nodes of the cluster</a> (sign in as an administrator)</li>
            <li><a href="/api-docs">REST interface</a> (sign in as an administrator)</li>
            <li><a href="/actuator/health">Health</a></li>
            <li><a href="/actuator/prometheus">Metrics</a> (sign in as an administrator)</li>
            </ul>
            <p>The page of the REST interface describes all requests. The sources of Heddle have more in
            docs/rest.md and docs/metrics.md.</p>
            """;

    private final Node node;

    public StatusPage(Node node) {
        this.node = node;
    }

    @GetMapping(path = "/", produces = MediaType.TEXT_HTML_VALUE)
    ResponseEntity<String> summary() {
        boolean isServing = node.status().isServing();
        return page("<p>This node of an MQTT broker " + (isServing ? "serves clients" : "does not serve clients now")
                + ".</p>\n" + LINKS);
    }

    @GetMapping(path = "/status", produces = MediaType.TEXT_HTML_VALUE)
    ResponseEntity<String> details() {
        NodeStatus status = node.status();
        StringBuilder rows = new StringBuilder("<table>\n");
        row(rows, "Node", status.nodeId());
        row(rows, "Version", status.version());
        row(rows, "State", status.state().name());
        row(rows, "Role", status.role().name());
        row(rows, "Running for", uptime(status.uptime()));
        row(rows, "Listeners", String.join(", ", status.listeners()));
        row(rows, "Connected clients", Long.toString(status.connectedClients()));
        row(rows, "Subscriptions", Long.toString(status.subscriptions()));
        return page(rows.append("</table>\n") + LINKS);
    }

    @GetMapping(ICON)
    ResponseEntity<Resource> icon() {
        return ResponseEntity.ok()
                .cacheControl(CacheControl.maxAge(Duration.ofDays(1)).cachePublic())
                .contentType(ICON_TYPE)
                .body(new ClassPathResource("favicon.ico", StatusPage.class));
    }

    private static void row(StringBuilder rows, String name, String value) {
        rows.append("<tr><th scope=\"row\">")
                .append(name)
                .append("</th><td>")
                .append(HtmlUtils.htmlEscape(value))
                .append("</td></tr>\n");
    }

    private static String uptime(Duration uptime) {
        return uptime.toDays() + " d " + uptime.toHoursPart() + " h " + uptime.toMinutesPart() + " min";
    }

    private static ResponseEntity<String> page(String body) {
        return ResponseEntity.ok()
                .cacheControl(CacheControl.noStore())
                .contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
                .body("""
                        <!DOCTYPE html>
                        <html lang="en">
                        <head><meta charset="utf-8"><title>Heddle</title></head>
                        <body>
                        <h1>Heddle</h1>
                        %s</body>
                        </html>
                        """.formatted(body));
    }
}
