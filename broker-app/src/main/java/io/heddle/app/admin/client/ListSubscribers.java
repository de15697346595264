package io.heddle.app.admin.client;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.ListOptions;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeClient;
import io.heddle.app.admin.request.NodeRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the subscribers of a topic filter, or those who receive a topic. */
@Command(
        name = "subscribers",
        description =
                "Lists the clients of all nodes that have subscribed to a topic filter, or that receive the messages of"
                        + " a topic.",
        mixinStandardHelpOptions = true)
public final class ListSubscribers implements Runnable {
    private static final List<Column> SUBSCRIBERS = List.of(
            Column.of("CLIENT", "clientId"),
            Column.of("FILTER", "topicFilter"),
            Column.of("QOS", "qos"),
            Column.of("NO-LOCAL", "noLocal"),
            Column.of("PERSISTENT", "persistent"));

    @Mixin
    private final NodeRequest request = new NodeRequest();

    @Mixin
    private final ListOptions list = new ListOptions();

    @ArgGroup(multiplicity = "1")
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private Subject subject;

    /** The topic filter or the topic. */
    static final class Subject {
        @Parameters(
                paramLabel = "FILTER",
                description = "topic filter of the subscriptions, exactly, such as plant/+/state or $share/group/a/#")
        private @Nullable String filter;

        @Option(
                names = "--topic",
                paramLabel = "TOPIC",
                description = "topic that the filters of the subscriptions match")
        private @Nullable String topic;
    }

    private ListSubscribers() {}

    @Override
    public void run() {
        try (NodeClient node = request.connect()) {
            list.print(
                    node,
                    ApiPath.of("subscriptions").with("topic", subject.topic).with("topicFilter", subject.filter),
                    SUBSCRIBERS);
        }
    }
}
