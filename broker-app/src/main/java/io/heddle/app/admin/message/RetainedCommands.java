package io.heddle.app.admin.message;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.ListOptions;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.request.Answer;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.app.console.Console;
import io.heddle.core.mqtt.ControlCharacters;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists, shows and removes retained messages. */
@Command(name = "retained", description = "Lists, shows and removes retained messages.")
public final class RetainedCommands {
    private static final List<Column> MESSAGES = List.of(
            Column.of("TOPIC", "topic"),
            Column.of("QOS", "qos"),
            Column.bytes("SIZE", "payloadBytes"),
            Column.of("PUBLISHER", "publisher"),
            Column.of("EXPIRES", "expiresAt"),
            Column.of("CONTENT", "contentType"));

    private RetainedCommands() {}

    @Command(name = "list", description = "Lists retained messages by topic.")
    void list(
            @Mixin ListOptions list,
            @Parameters(arity = "0..1", paramLabel = "FILTER", description = "topic filter (default: #)") @Nullable
                    String filter) {
        list.print(ApiPath.of("retained").with("filter", filter), MESSAGES);
    }

    @Command(name = "show", description = "Shows the retained message of a topic.")
    void show(@Mixin OutputOptions output, @Parameters(paramLabel = "TOPIC") String topic) {
        output.print(node -> node.get(ApiPath.of("retained/message").with("topic", topic)));
    }

    static final class Selection {
        @Parameters(paramLabel = "TOPIC", description = "topic of the message")
        private @Nullable String topic;

        @Option(
                names = "--filter",
                paramLabel = "FILTER",
                description = "topic filter of the messages; # removes all of them")
        private @Nullable String filter;
    }

    @Command(
            name = "delete",
            description = "Removes the retained message of a topic, or all that match a filter. Subscribers receive"
                    + " nothing.")
    int delete(@Mixin NodeRequest request, @ArgGroup(multiplicity = "1") Selection selection) {
        String topic = selection.topic;
        if (topic != null) {
            var _ = request.delete(ApiPath.of("retained/message").with("topic", topic));
            Console.print("Topic " + ControlCharacters.escaped(topic) + " has no retained message any more");
            return 0;
        }
        Answer answer = request.delete(ApiPath.of("retained").with("filter", selection.filter));
        Console.print(
                "Retained messages removed: " + answer.json().path("removed").asLong(0));
        if (answer.json().path("complete").asBoolean(true)) {
            return 0;
        }
        Console.printError("Further retained messages match the filter: repeat the command");
        return 1;
    }
}
