package io.heddle.app.admin.client;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.ListOptions;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists those who receive the messages of a topic, or the subscribers of a topic filter. */
@Command(
        name = "subscribers",
        description =
                "Lists the clients of all nodes that receive the messages of a topic, or whose subscriptions have a topic"
                        + " filter. Of the clients with the same filter that begins with $share/, one receives each message.",
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
                paramLabel = "TOPIC",
                description =
                        "topic that the filters of the subscriptions match; with a wildcard, or $share/ at its beginning,"
                                + " the filter itself, such as plant/+/state or $share/group/a/#")
        private @Nullable String topic;

        @Option(
                names = "--filter",
                paramLabel = "FILTER",
                description = "the filter of the subscriptions, exactly, also if it has no wildcard")
        private @Nullable String filter;

        ApiPath of(ApiPath subscriptions) {
            return topic == null
                    ? subscriptions.with("topicFilter", filter)
                    : subscriptions.with(isFilter(topic) ? "topicFilter" : "topic", topic);
        }

        private static boolean isFilter(String text) {
            return text.indexOf('+') >= 0 || text.indexOf('#') >= 0 || text.startsWith("$share/");
        }
    }

    private ListSubscribers() {}

    @Override
    public void run() {
        list.print(request, subject.of(ApiPath.of("subscriptions")), SUBSCRIBERS);
    }
}
