package io.heddle.app.wiring;

import io.heddle.app.settings.ClusterSettings;
import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.PortRange;
import io.heddle.core.cluster.NodeDescription.LinkEndpoint;
import io.heddle.core.cluster.View;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.core.link.NoLinks;
import io.heddle.core.link.NodeLinks;
import io.heddle.transport.link.LinkIdentity;
import io.heddle.transport.link.LinkSettings;
import io.heddle.transport.link.Links;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for the links of other nodes before this node joins the cluster, because its record names the address; closes them after it has
 * left. A node that is alone on its stores has no links, and creates no key. Started and stopped by one thread at a time; any thread may
 * use it.
 */
final class ClusterLinks implements StartupPhase {
    private static final Logger log = LoggerFactory.getLogger(ClusterLinks.class);

    private final HeddleSettings settings;
    private final EventLoopThreads eventLoops;
    private final BooleanSupplier isAlone;
    private final MeterRegistry metrics;
    private volatile @Nullable Started started;

    private record Started(Links links, LinkEndpoint endpoint) {}

    /** @param isAlone whether no other process can use the stores */
    ClusterLinks(HeddleSettings settings, EventLoopThreads eventLoops, BooleanSupplier isAlone, MeterRegistry metrics) {
        this.settings = settings;
        this.eventLoops = eventLoops;
        this.isAlone = isAlone;
        this.metrics = metrics;
    }

    @Override
    public String name() {
        return "the links between nodes";
    }

    @Override
    public void start() {
        if (isAlone.getAsBoolean()) {
            return;
        }
        ClusterSettings cluster = settings.cluster();
        AdvertisedAddress advertised =
                AdvertisedAddress.of(cluster, settings.kafka().bootstrapServers());
        InetAddress bind = advertised.bind(cluster);
        Links links = new Links(
                eventLoops.loops(),
                LinkSettings.of(cluster.unacknowledgedLimit().toBytes(), cluster.lease()),
                LinkIdentity.create(new SecureRandom()),
                metrics);
        boolean complete = false;
        try {
            PortRange ports = cluster.ports();
            int port = links.start(bind, ports.first(), ports.last());
            LinkEndpoint endpoint = links.endpoint(advertised.address(), advertised.portOr(port));
            started = new Started(links, endpoint);
            log.info(
                    "Listening for links of other nodes: bind={}, port={}, advertised={}",
                    bind.getHostAddress(),
                    port,
                    endpoint.address());
            complete = true;
        } finally {
            if (!complete) {
                links.stop();
            }
        }
    }

    /** Returns where the other nodes connect to this one. */
    LinkEndpoint endpoint() {
        Started current = started;
        return current == null ? LinkEndpoint.NONE : current.endpoint();
    }

    /** Returns the links; none before the start, after the stop, and for a node that is alone. */
    NodeLinks links() {
        Started current = started;
        return current == null ? new NoLinks() : current.links();
    }

    /** Passes a view of the log of nodes on. On the thread of the log; does not block. */
    void onView(View view) {
        Started current = started;
        if (current != null) {
            current.links().onView(view);
        }
    }

    @Override
    public void stop() {
        Started stopped = started;
        started = null;
        if (stopped != null) {
            stopped.links().stop();
        }
    }
}
