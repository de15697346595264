package io.heddle.app.admin.client;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.ListOptions;
import io.heddle.app.admin.request.ApiPath;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists shared subscriptions and their members. */
@Command(name = "shared-groups", description = "Lists the shared subscriptions of all nodes, and the members of one.")
public final class SharedGroupCommands {
    private static final String GROUPS = "shared-groups";

    /** The largest part that the REST API returns. */
    private static final int LARGEST_PART_OF_MEMBERS = 50;

    private static final List<Column> COLUMNS = List.of(
            Column.of("GROUP", "shareName"),
            Column.of("FILTER", "filter"),
            Column.of("MEMBERS", "members"),
            Column.of("CONNECTED", "connected"));

    private static final List<Column> MEMBERS = List.of(
            Column.of("CLIENT", "clientId"),
            Column.lower("STATE", "state"),
            Column.of("NODE", "node"),
            Column.of("QOS", "qos"),
            Column.of("IN-FLIGHT", "inFlight"),
            Column.of("MAXIMUM", "maximumInFlight"),
            Column.of("WAITING", "waiting"),
            Column.of("WHAT IT GETS", "explanation"));

    private SharedGroupCommands() {}

    @Command(name = "list", description = "Lists the shared subscriptions in use.")
    void list(
            @Mixin ListOptions list,
            @Parameters(
                            arity = "0..1",
                            paramLabel = "PREFIX",
                            description = "only share names that begin with this text")
                    @Nullable
                    String prefix) {
        list.print(ApiPath.of(GROUPS).with("shareNamePrefix", prefix), COLUMNS);
    }

    @Command(
            name = "members",
            description =
                    "Lists the members of a shared subscription, which messages each of them gets, and who gets the next one.")
    void members(
            @Mixin ListOptions list,
            @Parameters(paramLabel = "FILTER", description = "shared subscription, such as $share/group/a/#")
                    String filter) {
        list.print(
                ApiPath.of(GROUPS).then("members").with("topicFilter", filter),
                MEMBERS,
                LARGEST_PART_OF_MEMBERS,
                "nextMember.explanation");
    }
}
