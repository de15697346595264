package io.heddle.transport.link;

import io.heddle.core.LogRateLimit;
import io.heddle.core.RemoteNetwork;
import io.heddle.transport.admission.Place;
import io.heddle.transport.admission.Places;
import io.heddle.transport.link.LinkAdmission.Cause;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections to the port for links that have not said who they are. Thread-safe. Bound: {@value #STRANGERS} connections, and
 * {@value #MEMBERS} from addresses of members, so that no other machine takes a place that a member needs. At the bound, the oldest silent
 * connection is closed for a new one. All of these closed connections are counted and share one line a minute in the log.
 */
final class LinkPlaces {
    private static final int STRANGERS = 64;
    private static final int MEMBERS = 256;

    private final Logger log;
    private final LinkAdmission admission;
    private final LinkMetrics metrics;
    private final Duration timeout;
    private final Places strangers = new Places(STRANGERS);
    private final Places members = new Places(MEMBERS);
    private final LogRateLimit lines = new LogRateLimit(1, Duration.ofMinutes(1), System::nanoTime);

    /** @param timeout of the time before a connection says who it is */
    LinkPlaces(LinkAdmission admission, LinkMetrics metrics, Duration timeout) {
        this(LoggerFactory.getLogger(LinkPlaces.class), admission, metrics, timeout);
    }

    /** Creates places whose lines are written to this logger. */
    LinkPlaces(Logger log, LinkAdmission admission, LinkMetrics metrics, Duration timeout) {
        this.log = log;
        this.admission = admission;
        this.metrics = metrics;
        this.timeout = timeout;
    }

    /** Returns the place of a new connection, or null after closing it if there is none. On its event loop. */
    @Nullable
    Place enter(Channel channel) {
        InetSocketAddress address = (InetSocketAddress) channel.remoteAddress();
        Places places = address != null && admission.isAddressOfMember(address.getAddress()) ? members : strangers;
        Place place = new Place(places, channel.eventLoop(), timeout, () -> close(channel, Cause.CROWDED));
        if (place.enter(RemoteNetwork.of(address)) == Places.Answer.TAKEN) {
            return place;
        }
        close(channel, Cause.CROWDED);
        return null;
    }

    /** Closes a connection that has not said who it is. On its event loop. */
    void close(Channel channel, Cause cause) {
        metrics.refused(cause);
        SocketAddress address = channel.remoteAddress();
        long suppressed = lines.acquire();
        if (suppressed == LogRateLimit.SUPPRESSED) {
            log.debug("Closed a connection that did not say who it is: cause={}, address={}", cause, address);
        } else {
            log.warn(
                    "Closed connections to the port for links between nodes that did not say who they are (let only nodes"
                            + " reach heddle.cluster.port): address={}, suppressed={}",
                    address,
                    suppressed);
        }
        var _ = channel.close();
    }
}
