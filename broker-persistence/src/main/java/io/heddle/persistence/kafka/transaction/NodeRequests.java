package io.heddle.persistence.kafka.transaction;

import io.heddle.core.StoreUnavailableException;
import io.heddle.persistence.kafka.KafkaSettings;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.MetadataRecoveryStrategy;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.NetworkClientUtils;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.Selector;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;

/**
 * Sends single requests to a node of Kafka that no client of Kafka offers: its admin client writes only the markers of aborts. Each request has a
 * connection of its own, because they are rare. Stateless; blocks for some seconds.
 */
final class NodeRequests {
    private static final String NAME = "heddle-markers";
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final long BACKOFF_MILLIS = 50;
    private static final long IDLE_MILLIS = 30_000;
    private static final int SYSTEM_DEFAULT = -1;

    private final KafkaSettings settings;

    NodeRequests(KafkaSettings settings) {
        this.settings = settings;
    }

    /** @throws StoreUnavailableException if the node does not answer */
    AbstractResponse send(Node node, AbstractRequest.Builder<?> request) {
        AdminClientConfig config = new AdminClientConfig(settings.clientProperties(NAME));
        LogContext context = new LogContext("[" + NAME + "] ");
        try (Metrics metrics = new Metrics();
                Selector selector = new Selector(
                        IDLE_MILLIS,
                        metrics,
                        Time.SYSTEM,
                        NAME,
                        ClientUtils.createChannelBuilder(config, Time.SYSTEM, context),
                        context);
                NetworkClient client = new NetworkClient(
                        selector,
                        new ManualMetadataUpdater(List.of(node)),
                        NAME,
                        1,
                        BACKOFF_MILLIS,
                        BACKOFF_MILLIS,
                        SYSTEM_DEFAULT,
                        SYSTEM_DEFAULT,
                        TIMEOUT_MILLIS,
                        TIMEOUT_MILLIS,
                        TIMEOUT_MILLIS,
                        Time.SYSTEM,
                        true,
                        new ApiVersions(),
                        context,
                        MetadataRecoveryStrategy.NONE)) {
            if (!NetworkClientUtils.awaitReady(client, node, Time.SYSTEM, TIMEOUT_MILLIS)) {
                throw StoreUnavailableException.kafka("Kafka's node " + node + " did not answer", null);
            }
            ClientRequest call = client.newClientRequest(node.idString(), request, Time.SYSTEM.milliseconds(), true);
            return NetworkClientUtils.sendAndReceive(client, call, Time.SYSTEM).responseBody();
        } catch (IOException | KafkaException e) {
            throw StoreUnavailableException.kafka("Kafka's node " + node + " did not answer", e);
        }
    }
}
