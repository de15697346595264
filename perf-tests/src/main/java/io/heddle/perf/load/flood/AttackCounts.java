package io.heddle.perf.load.flood;

import io.heddle.perf.load.accounting.CodeCounts;
import io.heddle.perf.load.accounting.Tally;
import java.util.Map;

/** Counts of the packets that the attackers have sent and received. Owner: the attack's thread. */
final class AttackCounts {
    private final CodeCounts connAcks = new CodeCounts("CONNACK");
    private final CodeCounts pubAcks = new CodeCounts("PUBACK");
    private final CodeCounts subAcks = new CodeCounts("SUBACK");
    private final Tally breaks = new Tally();
    private long packets;
    private long bytes;
    private long connected;
    private long messages;

    void sent(long packetCount, long byteCount) {
        packets += packetCount;
        bytes += byteCount;
    }

    void connected() {
        connected++;
    }

    void received() {
        messages++;
    }

    CodeCounts connAcks() {
        return connAcks;
    }

    CodeCounts pubAcks() {
        return pubAcks;
    }

    CodeCounts subAcks() {
        return subAcks;
    }

    Tally breaks() {
        return breaks;
    }

    void addTo(Map<String, Long> totals) {
        totals.put("flood: packets sent", packets);
        totals.put("flood: bytes sent", bytes);
        totals.put("flood: messages received", messages);
        totals.put("flood: PUBACKs", pubAcks.accepted());
        totals.put("flood: filters granted", subAcks.accepted());
        totals.put("flood: connections", connected);
        connAcks.addTo(totals, "flood: ");
        pubAcks.addTo(totals, "flood: ");
        subAcks.addTo(totals, "flood: ");
        breaks.addTo(totals, "flood: broken: ");
    }
}
