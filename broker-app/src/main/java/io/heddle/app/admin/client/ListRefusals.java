package io.heddle.app.admin.client;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.ListOptions;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists what all nodes have refused last. */
@Command(
        name = "refusals",
        description =
                "Lists what all nodes have refused last: connections, messages, subscriptions. Repeated refusals to a client"
                        + " are one line.",
        mixinStandardHelpOptions = true)
public final class ListRefusals implements Runnable {
    /** The largest part that the REST API returns. */
    private static final int LARGEST_PART = 250;

    private static final List<Column> REFUSALS = List.of(
            Column.of("LAST", "last"),
            Column.of("COUNT", "count"),
            Column.lower("KIND", "kind"),
            Column.of("REASON", "reason"),
            Column.of("CLIENT", "clientId"),
            Column.of("USER", "userName"),
            Column.of("ADDRESS", "address"),
            Column.of("NODE", "node"),
            Column.excerpt("DETAIL", refusal -> refusal.path("detail").asString("")));

    @Mixin
    private final NodeRequest request = new NodeRequest();

    @Mixin
    private final ListOptions list = new ListOptions();

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = "only of this kind: connect, publish, subscribe, will, limit or protocol")
    private @Nullable String kind;

    @Option(names = "--prefix", paramLabel = "TEXT", description = "only client ids that begin with this text")
    private @Nullable String prefix;

    private ListRefusals() {}

    @Override
    public void run() {
        list.print(
                request,
                ApiPath.of("refusals").with("kind", kind).with("clientIdPrefix", prefix),
                REFUSALS,
                LARGEST_PART);
    }
}
