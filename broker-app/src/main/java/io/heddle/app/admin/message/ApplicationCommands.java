package io.heddle.app.admin.message;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.ListOptions;
import io.heddle.app.admin.output.OrderOption;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.Body;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "applications",
        description = "Shows the logs of APPLICATION clients, and changes the clients' positions in them.")
public final class ApplicationCommands {
    private static final String CLIENT_ID = "clientId";
    private static final String ID = "CLIENT-ID";

    private static final List<Column> LOGS = List.of(
            Column.of("CLIENT", CLIENT_ID),
            Column.of("CONNECTED", "connected"),
            Column.of("LAG", "lag"),
            Column.of("POSITION", "position"),
            Column.of("FIRST", "firstOffset"),
            Column.of("END", "endOffset"),
            Column.bytes("SIZE", "logBytes"));

    private ApplicationCommands() {}

    @Command(name = "list", description = "Lists the logs of APPLICATION clients by client id.")
    void list(
            @Mixin ListOptions list,
            @Mixin OrderOption order,
            @Option(names = "--prefix", paramLabel = "TEXT", description = "only client ids that begin with this text")
                    @Nullable
                    String prefix) {
        list.print(
                ApiPath.of("applications").with("clientIdPrefix", prefix).with("sort", order.ofDefault(CLIENT_ID)),
                LOGS);
    }

    @Command(name = "show", description = "Shows the log of a client.")
    void show(@Mixin OutputOptions output, @Parameters(paramLabel = ID) String clientId) {
        output.print(node -> node.get(ApiPath.of("applications/log").with(CLIENT_ID, clientId)));
    }

    /** Where the client continues. */
    static final class Position {
        @Option(names = "--to", paramLabel = "END", description = "beginning or end of the log")
        private @Nullable String to;

        @Option(
                names = "--time",
                paramLabel = "TIME",
                description = "first message of this time or later, such as 2026-11-01T10:00:00Z")
        private @Nullable String time;

        @Option(names = "--offset", paramLabel = "NUMBER", description = "message with this offset")
        private @Nullable Long offset;
    }

    @Command(
            name = "seek",
            description =
                    "Changes the position from which a client continues to read its log. A connection of the client"
                            + " is closed first.")
    void seek(
            @Mixin OutputOptions output,
            @Parameters(paramLabel = ID) String clientId,
            @ArgGroup(multiplicity = "1") Position position) {
        Body body = Body.empty()
                .with(CLIENT_ID, clientId)
                .withUpper("to", position.to)
                .with("time", position.time)
                .with("offset", position.offset);
        output.print(node -> node.post(ApiPath.of("applications/seek"), body), ApplicationCommands::change);
    }

    @Command(
            name = "clear",
            description =
                    "Skips all messages that are in the log of a client. A connection of the client is closed first.")
    void clear(@Mixin OutputOptions output, @Parameters(paramLabel = ID) String clientId) {
        output.print(
                node -> node.delete(ApiPath.of("applications/messages").with(CLIENT_ID, clientId)),
                ApplicationCommands::change);
    }

    private static String change(JsonNode answer) {
        return "The client continues at offset " + answer.path("position").asLong(0) + "; before, it was "
                + answer.path("positionBefore").asLong(0);
    }
}
