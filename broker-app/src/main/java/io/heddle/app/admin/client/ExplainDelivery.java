package io.heddle.app.admin.client;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.Details;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.output.Table;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.core.mqtt.ControlCharacters;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Explains why a client gets the messages on a topic, or does not. */
@Command(
        name = "explain",
        description =
                "Explains why a client gets the messages on a topic, or does not, and lists the messages that it has"
                        + " missed last. Sends nothing to the client.",
        mixinStandardHelpOptions = true)
public final class ExplainDelivery implements Runnable {
    private static final String MISSED = "missed";
    private static final String SUMMARY = "summary";

    private static final List<Column> MESSAGES = List.of(
            Column.of("MISSED", "at"),
            Column.of("REASON", "reason"),
            Column.of("TOPIC", "topic"),
            Column.of("QOS", "qos"),
            Column.bytes("PAYLOAD", "payloadBytes"));

    @Mixin
    private final NodeRequest request = new NodeRequest();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Parameters(index = "0", paramLabel = "CLIENT-ID", description = "id of the client")
    private String clientId = "";

    @Parameters(index = "1", paramLabel = "TOPIC", description = "topic of the message")
    private String topic = "";

    @Option(names = "--qos", paramLabel = "QOS", description = "QoS with which it is published (default: 1)")
    private @Nullable Integer qos;

    @Override
    public void run() {
        output.print(
                request.get(ApiPath.of("explain")
                        .with("clientId", clientId)
                        .with("topic", topic)
                        .with("qos", qos)),
                ExplainDelivery::text);
    }

    /** Returns the conclusion, what has led to it, and the messages that were missed. */
    static String text(JsonNode explanation) {
        ObjectNode rest = ((ObjectNode) explanation).deepCopy();
        rest.remove(List.of(SUMMARY, MISSED));
        // Absent values and empty lists explain nothing.
        rest.properties()
                .removeIf(member -> member.getValue().isNull()
                        || (member.getValue().isArray() && member.getValue().isEmpty()));
        JsonNode missed = explanation.path(MISSED);
        return ControlCharacters.escaped(explanation.path(SUMMARY).asString("")) + "\n\n" + Details.of(rest)
                + (missed.isEmpty() ? "" : "\n\n" + Table.of(MESSAGES, missed.values()));
    }
}
