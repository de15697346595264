package io.heddle.app.admin.access;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.ListOptions;
import io.heddle.app.admin.output.OrderOption;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.Body;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.app.console.Console;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "blocked",
        description = "Lists, adds and removes blocks of clients, which hold on all nodes. Connected clients that are"
                + " blocked are disconnected.")
public final class BlockedCommands {
    private static final String BLOCKED = "blocked-clients";

    private static final List<Column> COLUMNS = List.of(
            Column.of("ID", "id"),
            Column.lower("KIND", "kind"),
            Column.excerpt("VALUE", entry -> entry.path("value").asString("")),
            Column.of("UNTIL", "until"),
            Column.of("BY", "createdBy"),
            Column.excerpt("REASON", entry -> entry.path("reason").asString("")));

    private BlockedCommands() {}

    @Command(name = "list", description = "Lists blocked clients.")
    void list(
            @Mixin ListOptions list,
            @Mixin OrderOption order,
            @Option(
                            names = "--prefix",
                            paramLabel = "TEXT",
                            description =
                                    "only client ids, patterns, user names and addresses that begin with this text")
                    @Nullable
                    String prefix,
            @Option(
                            names = "--by",
                            paramLabel = "NAME",
                            description =
                                    "only entries of this administrator, or of an API key as key:NAME; flapping for those that the"
                                            + " broker has created")
                    @Nullable
                    String author) {
        list.print(
                ApiPath.of(BLOCKED)
                        .with("valuePrefix", prefix)
                        .with("createdBy", author)
                        .with("sort", order.ofDefault("value")),
                COLUMNS);
    }

    /** The client, or clients, to block. */
    static final class Subject {
        @Option(names = "--client-id", paramLabel = "ID", description = "the client with this id")
        private @Nullable String clientId;

        @Option(
                names = "--pattern",
                paramLabel = "PATTERN",
                description = "clients whose id matches: * for any characters, ? for one")
        private @Nullable String pattern;

        @Option(names = "--user", paramLabel = "NAME", description = "clients with this authenticated user name")
        private @Nullable String user;

        @Option(
                names = "--address",
                paramLabel = "ADDRESS",
                description = "clients with this address, or of a network such as 10.0.0.0/8")
        private @Nullable String address;

        Body body() {
            return clientId != null
                    ? body("CLIENT_ID", clientId)
                    : pattern != null
                            ? body("CLIENT_ID_PATTERN", pattern)
                            : user != null ? body("USER_NAME", user) : body("ADDRESS", address);
        }

        private static Body body(String kind, @Nullable String value) {
            return Body.empty().with("kind", kind).with("value", value);
        }
    }

    @Command(name = "add", description = "Blocks clients. Replaces a block of the same clients.")
    void add(
            @Mixin OutputOptions output,
            @ArgGroup(multiplicity = "1") Subject subject,
            @Option(
                            names = "--reason",
                            paramLabel = "TEXT",
                            description = "for administrators and logs",
                            required = true)
                    String reason,
            @Option(
                            names = "--for",
                            paramLabel = "TIME",
                            description = "how long, such as 30m, 12h or 7d (default: until it is removed)")
                    @Nullable
                    String time) {
        Body body = subject.body().with("reason", reason).with("until", time == null ? null : TimeFromNow.of(time));
        output.print(node -> node.post(ApiPath.of(BLOCKED), body));
    }

    @Command(name = "remove", description = "Lifts a block. Succeeds if there is none with this id.")
    void remove(@Mixin NodeRequest request, @Parameters(paramLabel = "ID", converter = ListedId.class) UUID id) {
        var _ = request.delete(ApiPath.of(BLOCKED + "/" + id));
        Console.print("There is no block " + id + " any more");
    }
}
