package io.heddle.app.settings;

import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.SettingRule;
import io.heddle.persistence.kafka.append.KafkaProducers;
import java.time.Duration;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Membership of this node in the cluster.
 *
 * @param lease how long a node must be silent before the others declare it dead and take over; silence while Kafka is slow does not count. The
 *     same in all nodes
 * @param heartbeatInterval how often a node tells the others that it is alive; at most a third of the lease. The same in all nodes
 * @param address where operators find this node, for messages of other nodes and for /api/v1/nodes; empty for none
 */
public record ClusterSettings(
        @DefaultValue("10s") Duration lease,
        @DefaultValue("1s") Duration heartbeatInterval,
        @DefaultValue("") String address) {
    private static final int HEARTBEATS_OF_A_LEASE = 3;
    private static final Pattern ADDRESS = Pattern.compile("[!-~]{0,255}");

    public ClusterSettings {
        SettingRule.between("heddle.cluster.lease", lease, Duration.ofSeconds(1), Duration.ofMinutes(10));
        SettingRule.between(
                "heddle.cluster.heartbeat-interval",
                heartbeatInterval,
                Duration.ofMillis(50),
                lease.dividedBy(HEARTBEATS_OF_A_LEASE));
        if (!ADDRESS.matcher(address).matches()) {
            throw new StartupException(
                    "heddle.cluster.address is not an address: set it to at most 255 ASCII characters without spaces,"
                            + " such as 10.0.0.5",
                    null);
        }
    }

    /**
     * Returns the settings of the membership.
     *
     * @param process the name of this process, or empty
     * @param isAlone whether no other process can use the stores
     */
    public MembershipSettings toMembershipSettings(
            NodeSettings node, String process, boolean isAlone, Duration timeout) {
        NodeDescription description = new NodeDescription(
                new NodeId(node.id()),
                address,
                process,
                NodeDescription.FEATURE_LEVEL,
                KafkaProducers.TRANSACTIONAL_IDS);
        return new MembershipSettings(description, isAlone, lease, heartbeatInterval, timeout);
    }
}
