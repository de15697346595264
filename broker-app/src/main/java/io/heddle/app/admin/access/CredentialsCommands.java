package io.heddle.app.admin.access;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.ListOptions;
import io.heddle.app.admin.output.OrderOption;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.request.Answer;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.Body;
import io.heddle.app.admin.request.NodeClient;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.app.console.Console;
import io.heddle.core.mqtt.ControlCharacters;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "credentials",
        description = "Lists, creates, changes, removes and imports the credentials of MQTT clients. Clients whose"
                + " credentials change or are removed are disconnected.")
public final class CredentialsCommands {
    private static final String CREDENTIALS = "credentials";

    private static final List<Column> COLUMNS = List.of(
            Column.of("ID", "id"),
            Column.of("USER", "userName"),
            Column.of("CLIENT", "clientId"),
            Column.lower("TYPE", "type"),
            new Column("GROUPS", CredentialsCommands::groups));

    private CredentialsCommands() {}

    private static String groups(JsonNode credentials) {
        return credentials.path("groups").valueStream().map(JsonNode::asString).collect(Collectors.joining(","));
    }

    private static ApiPath path(UUID id) {
        return ApiPath.of(CREDENTIALS + "/" + id);
    }

    static final class Prefix {
        @Option(names = "--user-prefix", paramLabel = "TEXT", description = "only user names that begin with this text")
        private @Nullable String user;

        @Option(
                names = "--client-prefix",
                paramLabel = "TEXT",
                description = "only credentials that name a client id that begins with this text, by client id")
        private @Nullable String client;
    }

    @Command(name = "list", description = "Lists credentials by user name.")
    void list(
            @Mixin ListOptions list,
            @Mixin OrderOption order,
            @ArgGroup @Nullable Prefix prefix,
            @Option(
                            names = "--type",
                            paramLabel = "TYPE",
                            description = "only credentials of device or application clients")
                    @Nullable
                    String type) {
        String client = prefix == null ? null : prefix.client;
        list.print(
                ApiPath.of(CREDENTIALS)
                        .with("userNamePrefix", prefix == null ? null : prefix.user)
                        .with("clientIdPrefix", client)
                        .with("type", type)
                        .with("sort", client == null ? order.ofDefault("userName") : order.of("clientId")),
                COLUMNS);
    }

    @Command(name = "show", description = "Shows credentials.")
    void show(@Mixin OutputOptions output, @Parameters(paramLabel = "ID", converter = ListedId.class) UUID id) {
        output.print(node -> node.get(path(id)));
    }

    static final class Names {
        @Option(names = "--user", paramLabel = "NAME", description = "user name (default: any)")
        private @Nullable String user;

        @Option(names = "--client-id", paramLabel = "ID", description = "client id (default: any)")
        private @Nullable String clientId;

        @Option(names = "--type", paramLabel = "TYPE", description = "device or application (default: device)")
        private @Nullable String type;

        @Option(
                names = "--groups",
                paramLabel = "NAMES",
                split = ",",
                description = "groups for rules, separated by commas (default: none; replace keeps the present ones)")
        private @Nullable List<String> groups;

        @Option(
                names = "--certificate",
                paramLabel = "PIN",
                description =
                        "clients prove themselves by certificate, not by password: any, issuer:NAME (RFC 2253), or"
                                + " sha256:FINGERPRINT")
        private @Nullable String certificate;

        Body body() {
            return Body.empty()
                    .with("clientId", clientId)
                    .with("userName", user)
                    .withUpper("type", type)
                    .with(
                            "groups",
                            groups == null
                                    ? null
                                    : groups.stream()
                                            .filter(name -> !name.isEmpty())
                                            .toList())
                    .with("certificate", certificate);
        }
    }

    @Command(name = "create", description = "Creates credentials for a user name, a client id, or both.")
    void create(
            @Mixin OutputOptions output,
            @Mixin Names names,
            @Mixin NewPassword password,
            @Option(
                            names = "--scram",
                            paramLabel = "HASH",
                            description = "sha-256 or sha-512: stores a verifier for SCRAM with this hash function")
                    @Nullable
                    String scram) {
        output.print(request -> {
            try (NodeClient node = request.connect()) {
                return node.post(
                        ApiPath.of(CREDENTIALS),
                        names.body()
                                .withUpper("scram", scram)
                                .with("password", names.certificate == null ? password.read() : null));
            }
        });
    }

    @Command(
            name = "replace",
            description = "Replaces the names, the type and the groups of credentials. Their password stays,"
                    + " unless there is a certificate in its place.")
    void replace(
            @Mixin OutputOptions output,
            @Parameters(paramLabel = "ID", converter = ListedId.class) UUID id,
            @Mixin Names names) {
        output.print(node -> node.send("PUT", path(id), names.body()));
    }

    @Command(name = "set-password", description = "Changes the password of credentials.")
    void setPassword(
            @Mixin NodeRequest request,
            @Parameters(paramLabel = "ID", converter = ListedId.class) UUID id,
            @Mixin NewPassword password) {
        try (NodeClient node = request.connect()) {
            var _ = node.send("PUT", path(id).then("password"), Body.empty().with("password", password.read()));
        }
        Console.print("Changed the password of credentials " + id);
    }

    @Command(name = "delete", description = "Removes credentials. Succeeds if there are none with this id.")
    void delete(@Mixin NodeRequest request, @Parameters(paramLabel = "ID", converter = ListedId.class) UUID id) {
        var _ = request.delete(path(id));
        Console.print("There are no credentials " + id + " any more");
    }

    @Command(
            name = "import",
            description = {
                "Stores the credentials of a CSV file. Its first line names the columns: clientId, userName or both,"
                        + " type, groups, and either password or passwordHash. A file may have 1,000 plain passwords; heddle"
                        + " credentials import has no limit.",
                "The exit status is 1 if there are wrong lines. They do not prevent the others."
            })
    int importFile(
            @Mixin OutputOptions output,
            @Parameters(paramLabel = "FILE") Path file,
            @Option(
                            names = "--replace",
                            description = "replace credentials for the same names; otherwise such lines are rejected")
                    boolean replace) {
        ApiPath path = ApiPath.of(CREDENTIALS + "/import").with("replace", replace ? true : null);
        Answer answer = output.print(node -> node.postCsv(path, file), CredentialsCommands::report);
        return answer.json().path("rejected").asLong(0) == 0 ? 0 : 1;
    }

    private static String report(JsonNode answer) {
        StringBuilder text = new StringBuilder();
        for (JsonNode problem : answer.path("problems")) {
            long line = problem.path("line").asLong(0);
            long lastLine = problem.path("lastLine").asLong(line);
            text.append(line == lastLine ? "line " + line : "lines " + line + " to " + lastLine)
                    .append(": ")
                    .append(ControlCharacters.escaped(problem.path("message").asString("")))
                    .append('\n');
        }
        return text.append("Stored: ")
                .append(answer.path("stored").asLong(0))
                .append(", rejected: ")
                .append(answer.path("rejected").asLong(0))
                .toString();
    }
}
