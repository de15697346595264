package io.heddle.core.operator.store;

import io.heddle.core.Port;
import java.util.List;

/** The servers of the queues. Thread-safe; blocks its callers for some seconds at most, so not on an event loop. */
@Port
public interface QueueServers {
    /**
     * Returns the servers: one, or the primaries of a cluster in the order of their addresses.
     *
     * @throws io.heddle.core.StoreUnavailableException if the servers do not answer
     */
    List<QueueServerState> servers();
}
