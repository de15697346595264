package io.heddle.app.admin.client;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.Details;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.output.Table;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.core.mqtt.ControlCharacters;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "explain",
        description =
                "Explains why a client gets the messages on a topic, or does not, and lists the messages that it has"
                        + " missed last; with --since, also what became of earlier messages on the topic. Sends nothing"
                        + " to the client.")
public final class ExplainDelivery implements Runnable {
    private static final Pattern DURATION = Pattern.compile("[0-9]{1,6}[smhd]");
    private static final String MISSED = "missed";
    private static final String SUMMARY = "summary";
    private static final String PAST = "past";

    private static final List<Column> MESSAGES = List.of(
            Column.of("MISSED", "at"),
            Column.of("REASON", "reason"),
            Column.of("TOPIC", "topic"),
            Column.of("QOS", "qos"),
            Column.bytes("PAYLOAD", "payloadBytes"));

    private static final List<Column> PAST_MESSAGES = List.of(
            Column.of("TIME", "at"),
            Column.of("OUTCOME", "outcome"),
            Column.of("REASON", "reason"),
            Column.of("QOS", "qos"),
            Column.bytes("PAYLOAD", "payloadBytes"),
            Column.of("PACKET-ID", "packetId"),
            Column.of("SENT-AGAIN", "sentAgainAt"),
            Column.of("ACKNOWLEDGED", "acknowledgedAt"),
            Column.of("NODE", "node"));

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Parameters(index = "0", paramLabel = "CLIENT-ID", description = "id of the client")
    private String clientId = "";

    @Parameters(index = "1", paramLabel = "TOPIC", description = "topic of the message")
    private String topic = "";

    @Option(names = "--qos", paramLabel = "QOS", description = "QoS with which it is published (default: 1)")
    private @Nullable Integer qos;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description =
                    "tells what became of earlier messages on the topic, too, since a time such as 2026-11-01T10:00:00Z or"
                            + " for a duration such as 10m")
    private @Nullable String since;

    @Override
    public void run() {
        output.print(
                node -> node.get(ApiPath.of("explain")
                        .with("clientId", clientId)
                        .with("topic", topic)
                        .with("qos", qos)
                        .with("since", since == null ? null : ago(since, Instant.now()))),
                ExplainDelivery::text);
    }

    /** Returns the time that was a duration ago; a time, and a duration of ISO 8601, which the node reads, as they are. */
    static String ago(String since, Instant now) {
        if (since.startsWith("P")) {
            return since;
        }
        try {
            return DURATION.matcher(since).matches()
                    ? now.minus(DurationStyle.SIMPLE.parse(since)).toString()
                    : Instant.parse(since).toString();
        } catch (DateTimeException _) {
            throw new IllegalArgumentException("--since is " + since
                    + ": use a time in UTC such as 2026-11-01T10:00:00Z, or a duration such as 10m");
        }
    }

    /** Returns what became of earlier messages, the conclusion for further ones, what has led to it, and the messages that were missed. */
    static String text(JsonNode explanation) {
        ObjectNode rest = ((ObjectNode) explanation).deepCopy();
        rest.remove(List.of(SUMMARY, MISSED, PAST));
        // Absent values and empty lists explain nothing.
        rest.properties()
                .removeIf(member -> member.getValue().isNull()
                        || (member.getValue().isArray() && member.getValue().isEmpty()));
        JsonNode missed = explanation.path(MISSED);
        return past(explanation.path(PAST))
                + ControlCharacters.escaped(explanation.path(SUMMARY).asString("")) + "\n\n" + Details.of(rest)
                + (missed.isEmpty() ? "" : "\n\n" + Table.of(MESSAGES, missed.values()));
    }

    private static String past(JsonNode past) {
        if (!past.isObject()) {
            return "";
        }
        JsonNode messages = past.path("messages");
        return ControlCharacters.escaped(past.path(SUMMARY).asString("")) + "\n\n"
                + (messages.isEmpty() ? "" : Table.of(PAST_MESSAGES, messages.values()) + "\n\n");
    }
}
