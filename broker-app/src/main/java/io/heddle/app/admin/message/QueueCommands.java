package io.heddle.app.admin.message;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.output.Table;
import io.heddle.app.admin.request.ApiPath;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Shows and clears the queues of DEVICE clients. */
@Command(name = "queues", description = "Shows and clears the queues of DEVICE clients.")
public final class QueueCommands {
    private static final String CLIENT_ID = "clientId";
    private static final String ID = "CLIENT-ID";

    private static final List<Column> MESSAGES = List.of(
            Column.of("SEQUENCE", "sequence"),
            Column.of("TOPIC", "message.topic"),
            Column.of("QOS", "message.qos"),
            Column.of("RETAIN", "message.retain"),
            Column.of("RECEIVED", "received"),
            Column.bytes("SIZE", "message.payloadBytes"),
            Column.of("PUBLISHER", "message.publisher"),
            Column.excerpt("PAYLOAD", QueueCommands::payload));

    private QueueCommands() {}

    private static String payload(JsonNode entry) {
        JsonNode message = entry.path("message");
        JsonNode text = message.path("payload");
        return text.isString()
                ? text.asString("")
                : "base64:" + message.path("payloadBase64").asString("");
    }

    @Command(name = "show", description = "Shows the size of the queue of a client.")
    void show(@Mixin OutputOptions output, @Parameters(paramLabel = ID) String clientId) {
        output.print(node -> node.get(ApiPath.of("queues/queue").with(CLIENT_ID, clientId)));
    }

    @Command(name = "peek", description = "Shows the first messages in the queue of a client. They stay in it.")
    void peek(
            @Mixin OutputOptions output,
            @Parameters(paramLabel = ID) String clientId,
            @Option(
                            names = "--limit",
                            paramLabel = "NUMBER",
                            description = "how many messages, 1 to 100 (default: ${DEFAULT-VALUE})",
                            defaultValue = "10")
                    int limit) {
        output.print(
                node -> node.get(
                        ApiPath.of("queues/messages").with(CLIENT_ID, clientId).with("limit", limit)),
                answer -> Table.of(MESSAGES, answer.path("items")));
    }

    @Command(
            name = "clear",
            description = "Removes all messages from the queue of a client that were acknowledged to their publishers.")
    void clear(@Mixin OutputOptions output, @Parameters(paramLabel = ID) String clientId) {
        output.print(
                node -> node.delete(ApiPath.of("queues/messages").with(CLIENT_ID, clientId)),
                answer -> "Messages in the queue: " + answer.path("messages").asLong(0)
                        + (answer.path("applied").asBoolean(false)
                                ? "; the queue is empty now"
                                : "; the queue is cleared when its bucket has caught up"));
    }
}
