package io.heddle.app.admin.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.ListOptions;
import io.heddle.app.admin.output.OrderOption;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.Body;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.app.console.Console;
import io.heddle.core.mqtt.ControlCharacters;
import java.net.URLEncoder;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "api-keys",
        description =
                "Lists, adds and removes API keys, with which tools use the REST API in place of a password. A change"
                        + " takes effect with the next request.")
public final class ApiKeyCommands {
    private static final String KEYS = "api-keys";
    private static final String NAME = "NAME";
    private static final String NONE = "none";
    private static final String ROLE = "role";

    private static final List<Column> COLUMNS = List.of(
            Column.of(NAME, "name"),
            Column.lower("ROLE", ROLE),
            Column.of("EXPIRES", "expiresAt"),
            Column.of("BY", "createdBy"),
            Column.of("CREATED", "createdAt"));

    private ApiKeyCommands() {}

    @Command(name = "list", description = "Lists API keys by name, with those that have expired.")
    void list(
            @Mixin ListOptions list,
            @Mixin OrderOption order,
            @Option(
                            names = "--role",
                            paramLabel = "ROLE",
                            description = "only those with the role admin, operator or viewer")
                    @Nullable
                    String role) {
        list.print(ApiPath.of(KEYS).with(ROLE, role).with("sort", order.ofDefault("name")), COLUMNS);
    }

    @Command(
            name = "add",
            description = "Creates an API key and prints its token, which is not shown again. Requests send it as"
                    + " \"Authorization: Bearer TOKEN\".")
    void add(
            @Mixin OutputOptions output,
            @Parameters(
                            paramLabel = NAME,
                            description =
                                    "the name, for the list and the audit log: letters of ASCII, digits and . _ -")
                    String name,
            @Option(
                            names = "--role",
                            paramLabel = "ROLE",
                            description = "admin, operator or viewer, as administrators have it; but no key may manage"
                                    + " administrators and API keys",
                            required = true)
                    String role,
            @Option(
                            names = "--for",
                            paramLabel = "TIME",
                            description =
                                    "how long it is valid, such as 12h or 30d; or none if it does not expire (default:"
                                            + " 90 days)")
                    @Nullable
                    String time) {
        Body body = Body.empty()
                .with("name", name)
                .withUpper(ROLE, role)
                .with("expiresAt", time == null || time.equals(NONE) ? time : TimeFromNow.of(time));
        output.print(node -> node.post(ApiPath.of(KEYS), body));
    }

    @Command(name = "remove", description = "Removes an API key. Succeeds if there is none with this name.")
    void remove(@Mixin NodeRequest request, @Parameters(paramLabel = NAME) String name) {
        var _ = request.delete(ApiPath.of(KEYS).then(URLEncoder.encode(name, UTF_8)));
        Console.print("There is no API key " + ControlCharacters.escaped(name) + " any more");
    }
}
