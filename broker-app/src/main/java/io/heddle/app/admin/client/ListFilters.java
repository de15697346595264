package io.heddle.app.admin.client;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.ListOptions;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists the topic filters in use. */
@Command(
        name = "filters",
        description =
                "Lists the topic filters to which clients of all nodes have subscribed, with the number of subscribers. The"
                        + " subscribers of a filter that begins with $share/ are the members of a group.",
        mixinStandardHelpOptions = true)
public final class ListFilters implements Runnable {
    private static final List<Column> FILTERS =
            List.of(Column.of("FILTER", "topicFilter"), Column.of("SUBSCRIBERS", "subscribers"));

    @Mixin
    private final NodeRequest request = new NodeRequest();

    @Mixin
    private final ListOptions list = new ListOptions();

    @Parameters(
            arity = "0..1",
            paramLabel = "PREFIX",
            description = "only filters that begin with this text, such as plant/ or $share/")
    private @Nullable String prefix;

    private ListFilters() {}

    @Override
    public void run() {
        list.print(request, ApiPath.of("filters").with("topicFilterPrefix", prefix), FILTERS);
    }
}
