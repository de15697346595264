package io.heddle.core.session.registrar.remote;

import io.heddle.core.cluster.BucketLoops;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.View;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.session.registrar.ConnectedClients;
import io.heddle.core.session.registrar.Registrar;
import io.heddle.core.session.registrar.settlement.CommittedOffsets;
import io.heddle.core.session.registrar.settlement.LinkSettlement;
import io.heddle.core.session.registrar.settlement.Settlement;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connects the registrar of a node with the other nodes over their links. Constructed before the node joins, because it receives frames. Those
 * that arrive before the registrar exists are dropped: nobody asks a node that holds no bucket. Thread-safe.
 */
public final class ClusterRouting implements RegistrarRouting {
    private final Supplier<Incarnation> self;
    private final Buckets buckets;
    private final BucketLoops loops;
    private final NodeLinks links;
    private final CommittedOffsets committed;
    private final LinkSettlement settlement;
    private final MeterRegistry registry;
    private volatile @Nullable ConnectedClients connections;
    private volatile @Nullable ClusterRegistrar registrar;
    private volatile @Nullable View latest;

    /**
     * @param self this node, once it has joined
     * @param committed through which this node commits
     */
    public ClusterRouting(
            Supplier<Incarnation> self,
            Buckets buckets,
            BucketLoops loops,
            NodeLinks links,
            CommittedOffsets committed,
            LinkSettlement settlement,
            MeterRegistry registry) {
        this.self = self;
        this.buckets = buckets;
        this.loops = loops;
        this.links = links;
        this.committed = committed;
        this.settlement = settlement;
        this.registry = registry;
        links.receive(RegistrarLanes.KIND, RegistrarLanes.KIND, (from, _, _, frame) -> {
            ClusterRegistrar receiver = registrar;
            if (receiver != null) {
                receiver.onFrame(from, frame);
            }
        });
    }

    @Override
    public ConnectedClients connections(ConnectedClients own) {
        connections = own;
        return (node, clientId, epoch) -> registrar().close(node, clientId, epoch);
    }

    @Override
    public Settlement settlement() {
        return settlement;
    }

    @Override
    public synchronized Registrar registrar(Registrar own) {
        ClusterRegistrar created = new ClusterRegistrar(
                self.get(),
                buckets,
                loops,
                links,
                own,
                Objects.requireNonNull(connections, "the connections are set first"),
                new Followed(),
                registry);
        View known = latest;
        if (known != null) {
            created.onView(known);
        }
        registrar = created;
        return created;
    }

    /** Returns the registrar of all clients, which takes and releases buckets. After the node was constructed. */
    public ClusterRegistrar registrar() {
        return Objects.requireNonNull(registrar, "the registrar is created with the node");
    }

    /** The log of nodes was read further. Called for each view in its order, before anything else acts upon the view. Does not block. */
    public synchronized void onView(View view) {
        latest = view;
        ClusterRegistrar receiver = registrar;
        if (receiver != null) {
            receiver.onView(view);
        }
    }

    private final class Followed implements FollowedClients {
        @Override
        public long committed(int bucket) {
            return committed.highest(bucket);
        }

        @Override
        public CompletionStage<Void> whenApplied(int bucket, long offset) {
            return settlement.whenApplied(bucket, offset);
        }
    }
}
