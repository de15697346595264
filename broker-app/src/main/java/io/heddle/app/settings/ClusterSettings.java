package io.heddle.app.settings;

import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeDescription.LinkEndpoint;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.SettingRule;
import io.heddle.persistence.kafka.append.KafkaProducers;
import java.time.Duration;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Membership of this node in the cluster.
 *
 * @param lease how long a node must be silent before the others declare it dead and take over; silence while Kafka is slow does not count. The
 *     same in all nodes
 * @param heartbeatInterval how often a node tells the others that it is alive; at most a third of the lease. The same in all nodes
 * @param address where operators find this node, for messages of other nodes and for /api/v1/nodes; empty for none
 * @param port port for the links between nodes, or a range, of which the first free one is used; 0 picks any free one. The other nodes
 *     learn it from the log of nodes. Not with a single ./heddle
 * @param bind address to listen on for links; if empty, the local address towards Kafka, or all addresses of the machine if
 *     heddle.cluster.advertise is set
 * @param advertise address or host name, with or without a port, at which the other nodes reach this one for links; needed behind NAT. A
 *     name is resolved once, at start. Empty means the local address towards Kafka
 * @param unacknowledgedLimit maximum size of the frames that another node has not acknowledged, separately for data and for control frames;
 *     above it, messages for that node are dropped or refused
 */
public record ClusterSettings(
        @DefaultValue("10s") Duration lease,
        @DefaultValue("1s") Duration heartbeatInterval,
        @DefaultValue("") String address,
        @DefaultValue("7883-7898") String port,
        @DefaultValue("") String bind,
        @DefaultValue("") String advertise,
        @DefaultValue("8MB") DataSize unacknowledgedLimit) {
    private static final String PORT = "heddle.cluster.port";

    /** Key of the address to listen on for links. */
    public static final String BIND = "heddle.cluster.bind";

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
        PortRange _ = PortRange.of(PORT, port);
        ByteLimit.between(
                "heddle.cluster.unacknowledged-limit",
                unacknowledgedLimit,
                DataSize.ofKilobytes(64),
                DataSize.ofGigabytes(1));
    }

    public PortRange ports() {
        return PortRange.of(PORT, port);
    }

    /**
     * Returns the settings of the membership.
     *
     * @param process the name of this process, or empty
     * @param isAlone whether no other process can use the stores
     * @param link where this node listens for links
     */
    public MembershipSettings toMembershipSettings(
            NodeSettings node, String process, boolean isAlone, Duration timeout, LinkEndpoint link) {
        NodeDescription description = new NodeDescription(
                new NodeId(node.id()),
                address,
                process,
                NodeDescription.FORMATS,
                KafkaProducers.TRANSACTIONAL_IDS,
                link);
        return new MembershipSettings(description, isAlone, lease, heartbeatInterval, timeout);
    }
}
