package io.heddle.app.admin.access;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.ListOptions;
import io.heddle.app.admin.output.OrderOption;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.Body;
import io.heddle.app.admin.request.NodeClient;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.app.console.Console;
import io.heddle.core.mqtt.ControlCharacters;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "administrators",
        description =
                "Lists, creates, changes and removes administrators. A change takes effect with their next request.")
public final class AdministratorCommands {
    private static final String NAME = "NAME";
    private static final String PASSWORD = "password";
    private static final String ROLE = "role";
    private static final String USER_NAME = "userName";

    private static final List<Column> COLUMNS =
            List.of(Column.of(NAME, USER_NAME), Column.lower("ROLE", ROLE), Column.of("ID", "id"));

    private AdministratorCommands() {}

    private static ApiPath path(String name) {
        return ApiPath.of("administrator").with(USER_NAME, name);
    }

    @Command(name = "list", description = "Lists administrators by name.")
    void list(
            @Mixin ListOptions list,
            @Mixin OrderOption order,
            @Option(
                            names = "--role",
                            paramLabel = "ROLE",
                            description = "only those with the role admin, operator or viewer")
                    @Nullable
                    String role) {
        list.print(ApiPath.of("administrators").with(ROLE, role).with("sort", order.ofDefault(USER_NAME)), COLUMNS);
    }

    @Command(name = "show", description = "Shows an administrator.")
    void show(@Mixin OutputOptions output, @Parameters(paramLabel = NAME) String name) {
        output.print(node -> node.get(path(name)));
    }

    @Command(name = "create", description = "Creates an administrator.")
    void create(
            @Mixin OutputOptions output,
            @Parameters(paramLabel = NAME) String name,
            @Option(
                            names = "--role",
                            paramLabel = "ROLE",
                            description =
                                    "admin, who may do everything; operator, who may run the cluster, but not decide who"
                                            + " may connect; or viewer, who may read all but payloads",
                            required = true)
                    String role,
            @Mixin NewPassword password) {
        output.print(request -> {
            try (NodeClient node = request.connect()) {
                Body body = Body.empty().with(USER_NAME, name).withUpper(ROLE, role);
                return node.post(ApiPath.of("administrators"), body.with(PASSWORD, password.read()));
            }
        });
    }

    @Command(
            name = "set-role",
            description = "Changes the role of an administrator. There is always one with the role admin.")
    void setRole(
            @Mixin OutputOptions output,
            @Parameters(paramLabel = NAME) String name,
            @Parameters(paramLabel = "ROLE", description = "admin, operator or viewer") String role) {
        output.print(node -> node.send("PATCH", path(name), Body.empty().withUpper(ROLE, role)));
    }

    @Command(name = "set-password", description = "Changes the password of an administrator.")
    void setPassword(
            @Mixin NodeRequest request, @Parameters(paramLabel = NAME) String name, @Mixin NewPassword password) {
        try (NodeClient node = request.connect()) {
            var _ = node.send("PATCH", path(name), Body.empty().with(PASSWORD, password.read()));
        }
        Console.print("Changed the password of administrator " + ControlCharacters.escaped(name));
    }

    @Command(name = "delete", description = "Removes an administrator. Succeeds if there is none with this name.")
    void delete(@Mixin NodeRequest request, @Parameters(paramLabel = NAME) String name) {
        var _ = request.delete(path(name));
        Console.print("There is no administrator " + ControlCharacters.escaped(name) + " any more");
    }
}
