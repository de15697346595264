package io.heddle.app.admin.access;

import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.Body;
import io.heddle.app.admin.request.NodeClient;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.app.console.Console;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the administrator who signs in, and changes their own password. */
@Command(name = "account", description = "Shows the administrator who signs in, and changes their own password.")
public final class AccountCommands {
    private AccountCommands() {}

    @Command(name = "show", description = "Shows the administrator who signs in, with the role.")
    void show(@Mixin OutputOptions output) {
        output.print(node -> node.get(ApiPath.of("account")));
    }

    @Command(name = "set-password", description = "Changes the password of the administrator who signs in.")
    void setPassword(@Mixin NodeRequest request, @Mixin NewPassword password) {
        try (NodeClient node = request.connect()) {
            var _ = node.send(
                    "PUT", ApiPath.of("account/password"), Body.empty().with("password", password.read()));
        }
        Console.print("Changed the password");
    }
}
