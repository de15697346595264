package io.heddle.app.admin.access;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.output.Table;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.app.console.Console;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "lockouts",
        description =
                "Lists and lifts lockouts of administrators and API keys after wrong sign-ins. Each node has its own;"
                        + " --url selects the node.")
public final class LockoutCommands {
    private static final String LOCKOUTS = "lockouts";

    private static final List<Column> COLUMNS = List.of(
            Column.of("USER", "userName"),
            Column.of("ADDRESS", "address"),
            Column.of("FAILURES", "failures"),
            Column.of("UNTIL", "until"));

    private LockoutCommands() {}

    @Command(name = "list", description = "Lists the lockouts of a node.")
    void list(@Mixin OutputOptions output) {
        output.print(
                node -> node.get(ApiPath.of(LOCKOUTS)),
                answer -> Table.of(COLUMNS, answer.path("items").values()));
    }

    static final class Selection {
        @Option(names = "--user", paramLabel = "NAME", description = "lockouts of this name")
        private @Nullable String user;

        @Option(names = "--address", paramLabel = "ADDRESS", description = "lockouts at this address, as in the list")
        private @Nullable String address;
    }

    @Command(
            name = "lift",
            description =
                    "Lifts the lockouts of a name, of an address, or of the name at the address. Succeeds if there are"
                            + " none.")
    void lift(@Mixin NodeRequest request, @ArgGroup(exclusive = false, multiplicity = "1") Selection selection) {
        var _ = request.delete(
                ApiPath.of(LOCKOUTS).with("userName", selection.user).with("address", selection.address));
        Console.print("Lifted; heddle admin lockouts list shows those that are left");
    }
}
