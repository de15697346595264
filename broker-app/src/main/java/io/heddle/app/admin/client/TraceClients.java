package io.heddle.app.admin.client;

import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeClient;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.app.console.Console;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "trace",
        description =
                "Prints the packets of clients of all nodes while they are sent and received, refusals, dropped messages and"
                        + " what else happens to them: one line of JSON each. The last line says why the trace has ended;"
                        + " Ctrl-C ends it early.")
public final class TraceClients implements Runnable {
    private static final Pattern CONTROLS = Pattern.compile("[\\x7f-\\x9f]");
    private static final String JSON_LINES = "application/x-ndjson";

    @Mixin
    private final NodeRequest request = new NodeRequest();

    @ArgGroup(exclusive = false, multiplicity = "1")
    private final Criteria criteria = new Criteria();

    @Option(names = "--seconds", paramLabel = "SECONDS", description = "how long to trace, up to 3600 (default: 60)")
    private @Nullable Integer seconds;

    @Option(
            names = "--max-events",
            paramLabel = "NUMBER",
            description = "end after this number of events, up to 100000 (default: 1000)")
    private @Nullable Integer maximumEvents;

    @Option(names = "--payload", description = "show payloads; only for the role ADMIN, and written to the audit log")
    private boolean payload;

    /** The clients and packets to trace: those to which all criteria apply. */
    static final class Criteria {
        @Option(names = "--client-id", paramLabel = "CLIENT-ID", description = "packets of this client")
        private @Nullable String clientId;

        @Option(names = "--user", paramLabel = "NAME", description = "packets of the clients of this user")
        private @Nullable String user;

        @Option(
                names = "--address",
                paramLabel = "ADDRESS",
                description = "packets of clients at this address, or in this network such as 10.0.0.0/8")
        private @Nullable String address;

        @Option(
                names = "--topic-filter",
                paramLabel = "FILTER",
                description = "messages on topics that match this filter, and subscriptions to some of them")
        private @Nullable String topicFilter;
    }

    @Override
    public void run() {
        try (NodeClient node = request.connect()) {
            node.lines(
                    ApiPath.of("trace")
                            .with("clientId", criteria.clientId)
                            .with("userName", criteria.user)
                            .with("address", criteria.address)
                            .with("topicFilter", criteria.topicFilter)
                            .with("seconds", seconds)
                            .with("maxEvents", maximumEvents)
                            .with("payload", payload ? true : null),
                    JSON_LINES,
                    line -> Console.print(printable(line)));
        }
    }

    /** Returns the same JSON without characters that control a terminal. */
    static String printable(String json) {
        return CONTROLS.matcher(json)
                .replaceAll(found -> "\\\\u%04x".formatted((int) found.group().charAt(0)));
    }
}
