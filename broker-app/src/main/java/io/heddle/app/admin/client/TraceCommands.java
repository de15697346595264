package io.heddle.app.admin.client;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.output.Table;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.app.console.Console;
import java.util.List;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists and ends the traces that run. */
@Command(name = "traces", description = "Lists and ends the traces of all administrators that run.")
public final class TraceCommands {
    private static final String TRACES = "traces";

    private static final List<Column> COLUMNS = List.of(
            Column.of("ID", "id"),
            Column.of("ADMINISTRATOR", "administrator"),
            Column.of("SINCE", "since"),
            Column.of("CLIENT", "clientId"),
            Column.of("USER", "userName"),
            Column.of("ADDRESS", "address"),
            Column.of("FILTER", "topicFilter"),
            Column.of("PAYLOAD", "payload"));

    private TraceCommands() {}

    @Command(name = "list", description = "Lists the traces that run.")
    void list(@Mixin OutputOptions output) {
        output.print(
                node -> node.get(ApiPath.of(TRACES)),
                answer -> Table.of(COLUMNS, answer.path("items").values()));
    }

    @Command(name = "end", description = "Ends a trace on all nodes. Succeeds if it does not run.")
    void end(
            @Mixin NodeRequest request,
            @Parameters(paramLabel = "ID", description = "id of the trace, as in the list") UUID id) {
        var _ = request.delete(ApiPath.of(TRACES).then(id.toString()));
        Console.print("Ended; its output names you");
    }
}
