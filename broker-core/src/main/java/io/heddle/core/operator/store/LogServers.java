package io.heddle.core.operator.store;

import io.heddle.core.Port;
import java.util.List;

/** The servers of the logs. Thread-safe; blocks its callers for some seconds at most, so not on an event loop. */
@Port
public interface LogServers {
    /**
     * Returns the topics of this cluster, without those of APPLICATION clients, in the order of their names.
     *
     * @throws io.heddle.core.StoreUnavailableException if the servers do not answer
     */
    List<TopicState> topics();
}
