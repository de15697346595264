package io.heddle.core.operator.top;

import io.heddle.core.client.ClientType;
import org.jspecify.annotations.Nullable;

/**
 * A connected client for which messages of QoS 1 or 2 wait.
 *
 * @param userName null if it has none
 * @param sinceMillis the time since which a message has always waited, in milliseconds since 1970
 * @param waiting messages that were sent and are not acknowledged, or are known to wait
 * @param growth of the waiting messages, a second; NaN before the second look at them
 * @param maximumInFlight the send quota
 * @param isReading false while the client does not read what it is sent
 * @param isLimited whether a limit of the rules delays messages
 * @param maximumWaiting above which messages are dropped; 0 for an APPLICATION client, whose log is bounded by bytes
 */
public record SlowClient(
        String clientId,
        ClientType type,
        @Nullable String userName,
        long sinceMillis,
        long waiting,
        double growth,
        int inFlight,
        int maximumInFlight,
        boolean isReading,
        boolean isLimited,
        int maximumWaiting) {
    SlowClient withGrowth(double perSecond) {
        return new SlowClient(
                clientId,
                type,
                userName,
                sinceMillis,
                waiting,
                perSecond,
                inFlight,
                maximumInFlight,
                isReading,
                isLimited,
                maximumWaiting);
    }

    /** Returns the seconds after which messages are dropped if the growth lasts; NaN if none are. */
    public double secondsUntilFull() {
        return maximumWaiting > 0 && growth > 0 ? Math.max(0, maximumWaiting - waiting) / growth : Double.NaN;
    }

    /** Returns the cause, and what to do, in a sentence. */
    public String advice() {
        if (isLimited) {
            return "A limit of the rules delays its messages: raise the limit, or send it less.";
        }
        if (!isReading) {
            return "It does not read from its connection: look at its network, and whether its program hangs.";
        }
        if (inFlight >= maximumInFlight) {
            return "It has not acknowledged " + inFlight + (inFlight == 1 ? " message" : " messages")
                    + ", as many as it may have in flight: look at why its"
                    + " program is slow, raise its Receive Maximum, or divide its load by a shared subscription.";
        }
        return "It reads and acknowledges, and catches up with what has waited.";
    }
}
