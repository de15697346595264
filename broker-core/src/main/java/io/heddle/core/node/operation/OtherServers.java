package io.heddle.core.node.operation;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.MemberState;
import io.heddle.core.cluster.View;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of the other serving nodes, for clients that must use another server: each client gets the node with the fewest connections,
 * counting those that were sent there before. Confined to one thread. Bound: the members.
 */
public final class OtherServers implements Supplier<@Nullable String> {
    private final List<Server> servers = new ArrayList<>();

    private static final class Server {
        private final String address;
        private long connections;

        Server(String address, long connections) {
            this.address = address;
            this.connections = connections;
        }
    }

    /** Begins with the members that serve and have told an address. */
    public OtherServers(View view, Incarnation self, NodeReports reports) {
        for (Member member : view.members()) {
            NodeReport report = reports.of(member.incarnation());
            boolean isOther = !member.incarnation().equals(self) && member.state() == MemberState.SERVING;
            if (isOther && report != null && !report.mqttAddress().isEmpty()) {
                servers.add(new Server(report.mqttAddress(), report.connections()));
            }
        }
    }

    /** Returns the address for the next client, or null if none is known. */
    @Override
    public @Nullable String get() {
        Server least = null;
        for (Server each : servers) {
            if (least == null || each.connections < least.connections) {
                least = each;
            }
        }
        if (least == null) {
            return null;
        }
        least.connections++;
        return least.address;
    }
}
