package io.heddle.app.admin.client;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.ListOptions;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeClient;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.app.console.Console;
import io.heddle.core.mqtt.ControlCharacters;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "clients",
        description = "Lists and shows the clients of all nodes, disconnects them, and ends their sessions.")
public final class ClientCommands {
    private static final String CLIENT_ID = "clientId";
    private static final String ID = "CLIENT-ID";

    private static final List<Column> CLIENTS = List.of(
            Column.of("CLIENT", CLIENT_ID),
            Column.lower("TYPE", "type"),
            Column.of("USER", "userName"),
            Column.lower("STATE", "state"),
            Column.of("NODE", "node"),
            Column.of("ADDRESS", "address"),
            Column.of("MQTT", "protocolVersion"),
            Column.expiry("EXPIRY", "expirySeconds"),
            new Column(
                    "SINCE",
                    client -> client.path("connectedAt").asString("")
                            + client.path("awaySince").asString("")));
    private static final List<Column> SUBSCRIPTIONS = List.of(
            Column.of("FILTER", "topicFilter"),
            Column.of("QOS", "qos"),
            Column.of("NO-LOCAL", "noLocal"),
            Column.of("RETAIN-AS-PUBLISHED", "retainAsPublished"),
            Column.of("IDENTIFIER", "subscriptionIdentifier"));

    private ClientCommands() {}

    @Command(
            name = "list",
            description = "Lists connected clients, and clients that are away and have a session, by client id.")
    void list(
            @Mixin ListOptions list,
            @Option(names = "--prefix", paramLabel = "TEXT", description = "only client ids that begin with this text")
                    @Nullable
                    String prefix,
            @Option(
                            names = "--client-id",
                            paramLabel = "PATTERN",
                            description = "only client ids that match this pattern with * and ?")
                    @Nullable
                    String pattern,
            @Option(names = "--user", paramLabel = "NAME", description = "only clients of this user") @Nullable
                    String user,
            @Option(
                            names = "--address",
                            paramLabel = "ADDRESS",
                            description = "only clients with this address, or in this network, such as 10.0.0.0/8")
                    @Nullable
                    String address,
            @Option(names = "--node", paramLabel = "ID", description = "only clients that are connected to this node")
                    @Nullable
                    String node,
            @Option(names = "--state", paramLabel = "STATE", description = "only clients that are connected or away")
                    @Nullable
                    String state,
            @Option(names = "--type", paramLabel = "TYPE", description = "only device or application clients") @Nullable
                    String type,
            @Option(
                            names = "--connected-after",
                            paramLabel = "TIME",
                            description =
                                    "only clients that have connected after this time, such as 2026-11-01T10:00:00Z")
                    @Nullable
                    String connectedAfter,
            @Option(
                            names = "--connected-before",
                            paramLabel = "TIME",
                            description = "only clients that have connected before this time")
                    @Nullable
                    String connectedBefore,
            @Option(
                            names = "--away-before",
                            paramLabel = "TIME",
                            description = "only clients that are away since before this time")
                    @Nullable
                    String awayBefore,
            @Option(names = "--descending", description = "the greatest client id first") boolean isDescending) {
        list.print(
                ApiPath.of("clients")
                        .with("clientIdPrefix", prefix)
                        .with(CLIENT_ID, pattern)
                        .with("userName", user)
                        .with("address", address)
                        .with("node", node)
                        .with("state", state)
                        .with("type", type)
                        .with("connectedAfter", connectedAfter)
                        .with("connectedBefore", connectedBefore)
                        .with("awayBefore", awayBefore)
                        .with("sort", isDescending ? "-" + CLIENT_ID : null),
                CLIENTS);
    }

    @Command(name = "show", description = "Shows a client, its connection and its session.")
    void show(@Mixin OutputOptions output, @Parameters(paramLabel = ID) String clientId) {
        output.print(node -> node.get(ApiPath.of("client").with(CLIENT_ID, clientId)));
    }

    @Command(
            name = "disconnect",
            description = "Closes the connection of a client, whichever node has it. Its session stays. Succeeds if the"
                    + " client is not connected.")
    void disconnect(
            @Mixin NodeRequest request,
            @Parameters(paramLabel = ID) String clientId,
            @Option(
                            names = "--reason-code",
                            paramLabel = "NUMBER",
                            description = "reason code that a client of MQTT 5.0 receives (default: 152, administrative"
                                    + " action)")
                    @Nullable
                    Integer reasonCode) {
        var _ = request.delete(
                ApiPath.of("client/connection").with(CLIENT_ID, clientId).with("reasonCode", reasonCode));
        Console.print("Client " + ControlCharacters.escaped(clientId) + " is not connected any more");
    }

    /** Selects the sessions to end. */
    static final class Selection {
        @Parameters(paramLabel = ID, description = "id of the client")
        private @Nullable String clientId;

        @Option(
                names = "--pattern",
                paramLabel = "PATTERN",
                description = "pattern of the ids of clients that are away, with * and ?")
        private @Nullable String pattern;
    }

    @Command(
            name = "end",
            description = "Ends the session of a client with its subscriptions, and its queue or log. Its connection is"
                    + " closed. Succeeds if there is no session. With --pattern, ends those of many clients that are"
                    + " away.")
    int end(
            @Mixin NodeRequest request,
            @ArgGroup(multiplicity = "1") Selection selection,
            @Mixin ManySessions sessions) {
        String pattern = selection.pattern;
        String clientId = String.valueOf(selection.clientId);
        if (pattern == null) {
            sessions.requireAbsent();
        }
        try (NodeClient node = request.connect()) {
            if (pattern != null) {
                return sessions.end(node, pattern, Instant.now());
            }
            if (!node.has(ApiPath.of("client").with(CLIENT_ID, clientId))) {
                // Success, so that the command can be repeated.
                Console.print("There is no client " + ControlCharacters.escaped(clientId));
                return 0;
            }
            var _ = node.delete(ApiPath.of("client/session").with(CLIENT_ID, clientId));
        }
        Console.print("Client " + ControlCharacters.escaped(clientId) + " has no session any more");
        return 0;
    }

    @Command(name = "subscriptions", description = "Lists the subscriptions of a client by topic filter.")
    void subscriptions(@Mixin ListOptions list, @Parameters(paramLabel = ID) String clientId) {
        list.print(ApiPath.of("client/subscriptions").with(CLIENT_ID, clientId), SUBSCRIPTIONS);
    }
}
