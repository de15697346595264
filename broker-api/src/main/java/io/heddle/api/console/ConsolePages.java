package io.heddle.api.console;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The pages of the console, and the requests to the REST interface that feed them. */
final class ConsolePages {
    static final String OVERVIEW = "overview";

    /** The page whose script connects to the listeners for WebSocket. */
    static final String MQTT_CLIENT = "mqtt-client";

    /** The name of the feed of a page that shows one object. */
    static final String OBJECT = "main";

    static final String LIST = "list";

    /** The feeds of the frame of every page. */
    static final List<Feed> FRAME = Stream.of("node /api/v1/node", "cluster /api/v1/cluster")
            .map(Feed::of)
            .toList();

    private static final Map<String, ConsolePage> PAGES = Stream.of(
                    page(
                            OVERVIEW,
                            "Overview",
                            "nodes /api/v1/nodes limit=200",
                            "health /actuator/health/readiness",
                            "alerts /api/v1/alerts",
                            "refusals /api/v1/refusals limit=8",
                            "audit /api/v1/audit limit=8"),
                    page("alerts", "Alerts", "list /api/v1/alerts"),
                    page(
                            "clients",
                            "Clients",
                            "list /api/v1/clients q>clientIdPrefix|clientId userName address node state type sort after limit=50"),
                    part(
                            "client",
                            "Client",
                            "clients",
                            "main /api/v1/client clientId!",
                            "subscriptions /api/v1/client/subscriptions clientId! after limit=50",
                            "explanation /api/v1/explain clientId! topic! qos",
                            "queue /api/v1/queues/messages clientId! peek!> queueAfter>after limit=20",
                            "refusals /api/v1/refusals clientId! limit=50"),
                    page("trace", "Trace", "running /api/v1/traces"),
                    page("top", "Top", "list /api/v1/top limit=10"),
                    page("slow-clients", "Slow clients", "list /api/v1/slow-clients limit=100"),
                    page("explain", "Explain", "explanation /api/v1/explain clientId! topic! qos since"),
                    page(
                            "topics",
                            "Topics",
                            "list /api/v1/filters q>topicFilterPrefix after limit=100",
                            "recipients /api/v1/explain/recipients topic! limit=10",
                            "byTopic /api/v1/subscriptions topic! after limit=100",
                            "byFilter /api/v1/subscriptions topicFilter! after limit=100"),
                    part("topic-tree", "Topic tree", "topics", "tree /api/v1/top/topics limit=200"),
                    page(
                            "shared-groups",
                            "Shared groups",
                            "list /api/v1/shared-groups q>shareNamePrefix after limit=100",
                            "members /api/v1/shared-groups/members topicFilter! after limit=20"),
                    page("retained", "Retained messages", "list /api/v1/retained filter after limit=50"),
                    part("retained-message", "Retained message", "retained", "main /api/v1/retained/message topic!"),
                    page("publish", "Publish"),
                    page(MQTT_CLIENT, "MQTT client"),
                    page("refusals", "Refused", "list /api/v1/refusals kind clientId q>clientIdPrefix after limit=100"),
                    page(
                            "credentials",
                            "Credentials",
                            "list /api/v1/credentials userNamePrefix clientIdPrefix type sort after limit=50"),
                    part("credential", "Credentials", "credentials", "main /api/v1/credentials/{id} id!"),
                    page("rules", "Rules for topics", "main /api/v1/rules"),
                    page(
                            "blocked",
                            "Blocked clients",
                            "list /api/v1/blocked-clients kind q>valuePrefix createdBy after limit=50"),
                    page("lockouts", "Locked out", "list /api/v1/lockouts"),
                    page("nodes", "Nodes", "list /api/v1/nodes limit=200"),
                    page("buckets", "Buckets", "list /api/v1/buckets holder lagging sort after limit=100"),
                    page(
                            "stores",
                            "Stores",
                            "health /actuator/health/readiness",
                            "topics /api/v1/stores/kafka/topics limit=200",
                            "redis /api/v1/stores/redis/servers limit=200",
                            "transactions /api/v1/stores/kafka/transactions limit=50"),
                    page("ledger", "Ledger", "list /api/v1/ledger"),
                    page(
                            "applications",
                            "Application logs",
                            "list /api/v1/applications q>clientIdPrefix sort after limit=50"),
                    part("application", "Application log", "applications", "main /api/v1/applications/log clientId!"),
                    page(
                            "audit",
                            "Audit log",
                            "list /api/v1/audit administrator action target outcome from until after limit=50"),
                    page("administrators", "Administrators", "list /api/v1/administrators role after limit=100"),
                    page("api-keys", "API keys", "list /api/v1/api-keys role after limit=100"),
                    page("settings", "Settings", "list /api/v1/settings q>keyPrefix after limit=1000"),
                    page("account", "Your account", "main /api/v1/account", "sessions /api/v1/account/sessions"))
            .collect(Collectors.toMap(ConsolePage::name, Function.identity()));

    private ConsolePages() {}

    static @Nullable ConsolePage find(String name) {
        return PAGES.get(name);
    }

    static List<String> names() {
        return PAGES.keySet().stream().sorted().toList();
    }

    private static ConsolePage page(String name, String title, String... feeds) {
        return part(name, title, name, feeds);
    }

    /** A page below another one. */
    private static ConsolePage part(String name, String title, String section, String... feeds) {
        return ConsolePage.of(name, title, section, feeds);
    }
}
