package io.heddle.app.admin;

import io.heddle.app.admin.access.AccountCommands;
import io.heddle.app.admin.access.AdministratorCommands;
import io.heddle.app.admin.access.ApiKeyCommands;
import io.heddle.app.admin.access.BlockedCommands;
import io.heddle.app.admin.access.CredentialsCommands;
import io.heddle.app.admin.access.LockoutCommands;
import io.heddle.app.admin.access.RuleCommands;
import io.heddle.app.admin.client.ClientCommands;
import io.heddle.app.admin.client.ExplainDelivery;
import io.heddle.app.admin.client.SharedGroupCommands;
import io.heddle.app.admin.client.ShowAlerts;
import io.heddle.app.admin.client.ShowTop;
import io.heddle.app.admin.client.ShowTopics;
import io.heddle.app.admin.client.SlowClients;
import io.heddle.app.admin.client.TraceClients;
import io.heddle.app.admin.client.TraceCommands;
import io.heddle.app.admin.message.ApplicationCommands;
import io.heddle.app.admin.message.PublishMessage;
import io.heddle.app.admin.message.QueueCommands;
import io.heddle.app.admin.message.RetainedCommands;
import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.ListOptions;
import io.heddle.app.admin.output.OrderOption;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.credentials.CredentialsCommand;
import io.heddle.app.credentials.ResetPassword;
import io.heddle.core.mqtt.ControlCharacters;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;

/** The command that administers a cluster and its administrators. */
@Command(
        name = "heddle admin",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        description =
                "Administers a cluster over the REST API of one of its nodes. reset-password works on the database,"
                        + " also while no broker runs.",
        subcommands = {
            ClientCommands.class,
            ExplainDelivery.class,
            ShowTop.class,
            ShowTopics.class,
            SlowClients.class,
            TraceClients.class,
            TraceCommands.class,
            SharedGroupCommands.class,
            RetainedCommands.class,
            PublishMessage.class,
            ApplicationCommands.class,
            QueueCommands.class,
            StoreCommands.class,
            CredentialsCommands.class,
            BlockedCommands.class,
            LockoutCommands.class,
            RuleCommands.class,
            AdministratorCommands.class,
            AccountCommands.class,
            ApiKeyCommands.class,
            ShowLedger.class,
            ShowAlerts.class,
            ShowNode.class,
            ListNodes.class,
            DrainNode.class,
            RebalanceCluster.class,
            AwaitSteady.class,
            ReloadCertificates.class,
            ResetPassword.class
        })
public final class AdminCommand {
    /** First argument that selects this command. */
    public static final String NAME = "admin";

    /** The largest part that the REST API returns. */
    private static final int LARGEST_PART_OF_REFUSALS = 250;

    private static final int LARGEST_PART_OF_RECIPIENTS = 50;

    private static final List<Column> RECIPIENTS = List.of(
            Column.of("CLIENT", "clientId"), Column.lower("VERDICT", "verdict"), Column.of("SUMMARY", "summary"));

    private static final List<Column> FILTERS =
            List.of(Column.of("FILTER", "topicFilter"), Column.of("SUBSCRIBERS", "subscribers"));

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

    private static final List<Column> SUBSCRIBERS = List.of(
            Column.of("CLIENT", "clientId"),
            Column.of("FILTER", "topicFilter"),
            Column.of("QOS", "qos"),
            Column.of("NO-LOCAL", "noLocal"),
            Column.of("PERSISTENT", "persistent"));

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

    private static final List<Column> AUDIT_ENTRIES = List.of(
            Column.of("TIME", "time"),
            Column.of("ADMINISTRATOR", "administrator"),
            Column.of("ADDRESS", "address"),
            Column.of("ACTION", "action"),
            Column.of("TARGET", "target"),
            Column.lower("OUTCOME", "outcome"),
            Column.of("DETAIL", "detail"));

    private static final List<Column> SETTINGS =
            List.of(Column.of("KEY", "key"), Column.of("VALUE", "value"), Column.of("ORIGIN", "origin"));

    private AdminCommand() {}

    /**
     * @param arguments arguments after the name of the command
     * @return the exit status: 0 success, 1 failure, 2 wrong arguments
     */
    public static int run(List<String> arguments) {
        return CredentialsCommand.execute(new AdminCommand(), arguments, CommandSpec::qualifiedName);
    }

    @Command(
            name = "filters",
            description =
                    "Lists the topic filters to which clients of all nodes have subscribed, with the number of subscribers. The"
                            + " subscribers of a filter that begins with $share/ are the members of a group.")
    void filters(
            @Mixin ListOptions list,
            @Parameters(
                            arity = "0..1",
                            paramLabel = "PREFIX",
                            description = "only filters that begin with this text, such as plant/ or $share/")
                    @Nullable
                    String prefix) {
        list.print(ApiPath.of("filters").with("topicFilterPrefix", prefix), FILTERS);
    }

    @Command(
            name = "refusals",
            description =
                    "Lists what all nodes have refused last: connections, messages, subscriptions. Repeated refusals to a client"
                            + " are one line.")
    void refusals(
            @Mixin ListOptions list,
            @Option(
                            names = "--kind",
                            paramLabel = "KIND",
                            description = "only of this kind: connect, publish, subscribe, will, limit, protocol or"
                                    + " takeover")
                    @Nullable
                    String kind,
            @Option(names = "--client-id", paramLabel = "CLIENT-ID", description = "only to the client with this id")
                    @Nullable
                    String clientId,
            @Option(names = "--prefix", paramLabel = "TEXT", description = "only client ids that begin with this text")
                    @Nullable
                    String prefix) {
        list.print(
                ApiPath.of("refusals")
                        .with("kind", kind)
                        .with("clientId", clientId)
                        .with("clientIdPrefix", prefix),
                REFUSALS,
                LARGEST_PART_OF_REFUSALS);
    }

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

    @Command(
            name = "subscribers",
            description =
                    "Lists the clients of all nodes that receive the messages of a topic, or whose subscriptions have a topic"
                            + " filter. Of the clients with the same filter that begins with $share/, one receives each message.")
    void subscribers(@Mixin ListOptions list, @ArgGroup(multiplicity = "1") Subject subject) {
        list.print(subject.of(ApiPath.of("subscriptions")), SUBSCRIBERS);
    }

    @Command(
            name = "recipients",
            description =
                    "Explains for each subscriber of a topic, on all nodes, whether it gets the messages. Sends nothing to the clients.")
    void recipients(
            @Mixin ListOptions list,
            @Parameters(paramLabel = "TOPIC", description = "topic of the message") String topic,
            @Option(
                            names = "--qos",
                            paramLabel = "QOS",
                            description = "QoS with which the message is published (default: 1)")
                    @Nullable
                    Integer qos) {
        list.print(
                ApiPath.of("explain/recipients").with("topic", topic).with("qos", qos),
                RECIPIENTS,
                LARGEST_PART_OF_RECIPIENTS);
    }

    @Command(
            name = "buckets",
            description =
                    "Lists the buckets with their owners, their holders, and how far the holders have applied the logs.")
    void buckets(
            @Mixin ListOptions list,
            @Mixin OrderOption order,
            @Option(names = "--holder", paramLabel = "ID", description = "only buckets that this node holds") @Nullable
                    String holder,
            @Option(
                            names = "--lagging",
                            description =
                                    "only buckets with commands that are not applied, that are blocked, that no node holds, or"
                                            + " whose holder has not answered")
                    boolean isLagging) {
        list.print(
                ApiPath.of("buckets")
                        .with("holder", holder)
                        .with("lagging", isLagging ? true : null)
                        .with("sort", order.ofDefault("bucket")),
                BUCKETS);
    }

    @Command(
            name = "audit",
            description =
                    "Lists the changes that administrators made on all nodes, the newest first. --json also has the objects"
                            + " before and after each change.")
    void audit(
            @Mixin ListOptions list,
            @Option(
                            names = "--administrator",
                            paramLabel = "NAME",
                            description = "only changes of this administrator, or of an API key as key:NAME")
                    @Nullable
                    String administrator,
            @Option(
                            names = "--action",
                            paramLabel = "ACTION",
                            description = "only changes of this kind, such as remove_credentials")
                    @Nullable
                    String action,
            @Option(names = "--target", paramLabel = "TEXT", description = "only changes of this object") @Nullable
                    String target,
            @Option(
                            names = "--outcome",
                            paramLabel = "OUTCOME",
                            description =
                                    "only changes that were attempted, done or failed, or whose outcome is unknown")
                    @Nullable
                    String outcome,
            @Option(
                            names = "--from",
                            paramLabel = "TIME",
                            description = "only changes at this time or later, such as 2026-11-01T10:00:00Z")
                    @Nullable
                    String from,
            @Option(names = "--until", paramLabel = "TIME", description = "only changes before this time") @Nullable
                    String until,
            @Option(names = "--ascending", description = "the oldest first") boolean isAscending) {
        list.print(
                ApiPath.of("audit")
                        .with("administrator", administrator)
                        .with("action", action)
                        .with("target", target)
                        .with("outcome", outcome)
                        .with("from", from)
                        .with("until", until)
                        .with("sort", isAscending ? "time" : null),
                AUDIT_ENTRIES);
    }

    @Command(
            name = "settings",
            description =
                    "Lists the settings in effect on the node that is asked, and where each was set. Passwords are masked.")
    void settings(
            @Mixin ListOptions list,
            @Mixin OrderOption order,
            @Parameters(
                            arity = "0..1",
                            paramLabel = "PREFIX",
                            description = "only keys that begin with this text, such as heddle.mqtt")
                    @Nullable
                    String prefix) {
        list.print(
                ApiPath.of("settings").with("keyPrefix", prefix).with("sort", order.ofDefault("key")),
                SETTINGS,
                prefix == null
                        ? "There are no settings"
                        : "No setting begins with " + ControlCharacters.escaped(prefix)
                                + ": leave it out to list all settings");
    }
}
