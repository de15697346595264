package io.heddle.app.admin.message;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.ListOptions;
import io.heddle.app.admin.output.OrderOption;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the buckets. */
@Command(
        name = "buckets",
        description =
                "Lists the buckets with their owners, their holders, and how far the holders have applied the logs.",
        mixinStandardHelpOptions = true)
public final class ListBuckets implements Runnable {
    private static final List<Column> BUCKETS = List.of(
            Column.of("BUCKET", "bucket"),
            Column.of("OWNER", "owner"),
            Column.of("HOLDER", "holder"),
            Column.of("END", "endOffset"),
            Column.of("APPLIED", "appliedOffset"),
            Column.of("LAG-SECONDS", "lagSeconds"),
            Column.bytes("LAG", "lagBytes"),
            Column.bytes("SIZE", "logBytes"),
            Column.of("BLOCKED", "blocked"));

    @Mixin
    private final NodeRequest request = new NodeRequest();

    @Mixin
    private final ListOptions list = new ListOptions();

    @Mixin
    private final OrderOption order = new OrderOption();

    @Option(names = "--holder", paramLabel = "ID", description = "only buckets that this node holds")
    private @Nullable String holder;

    @Option(
            names = "--lagging",
            description = "only buckets with commands that are not applied, that are blocked, that no node holds, or"
                    + " whose holder has not answered")
    private boolean isLagging;

    private ListBuckets() {}

    @Override
    public void run() {
        list.print(
                request,
                ApiPath.of("buckets")
                        .with("holder", holder)
                        .with("lagging", isLagging ? true : null)
                        .with("sort", order.ofDefault("bucket")),
                BUCKETS);
    }
}
