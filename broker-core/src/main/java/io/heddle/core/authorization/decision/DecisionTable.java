package io.heddle.core.authorization.decision;

import io.heddle.core.authorization.Action;
import io.heddle.core.authorization.RuleSubject;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Samples with one outcome. Owned by an event loop. Bounds: a number of samples and their bytes, and for each client an eighth of both and
 * {@value #MAXIMUM_OF_CLIENT} samples.
 */
final class DecisionTable {
    static final int MAXIMUM_OF_CLIENT = 128;

    private static final int CLIENT_SHARE = 8;
    private static final int INITIAL_CAPACITY = 16;
    private static final float LOAD_FACTOR = 0.75f;

    private final boolean isAllowed;
    private final int maximum;
    private final long maximumBytes;
    private final int maximumOfClient;
    private final long maximumBytesOfClient;
    // The client that was sampled least recently is the first one.
    private final LinkedHashMap<ClientId, ClientDecisions> clients =
            new LinkedHashMap<>(INITIAL_CAPACITY, LOAD_FACTOR, true);
    private int size;
    private long bytes;

    /** @param isAllowed the outcome */
    DecisionTable(boolean isAllowed, int maximum, long maximumBytes) {
        this.isAllowed = isAllowed;
        this.maximum = maximum;
        this.maximumBytes = maximumBytes;
        this.maximumOfClient = Math.clamp(maximum / CLIENT_SHARE, 1, MAXIMUM_OF_CLIENT);
        this.maximumBytesOfClient = maximumBytes / CLIENT_SHARE;
    }

    /** Counts a decision. Allocates nothing if an equal one is known. One that is larger than the share of a client is not kept. */
    void add(RuleSubject subject, Action action, String topic, QoS qos, boolean retain, long now) {
        ClientDecisions known = clients.get(subject.clientId());
        SampledDecision equal = known == null ? null : known.find(subject, action, topic, qos, retain);
        if (equal != null) {
            equal.repeat(now);
            return;
        }
        SampledDecision added = new SampledDecision(subject, action, topic, qos, retain, isAllowed, now);
        if (added.bytes() > maximumBytesOfClient) {
            return;
        }
        ClientDecisions ofClient = known == null ? new ClientDecisions() : known;
        if (known == null) {
            clients.put(subject.clientId(), ofClient);
        }
        size -= ofClient.size();
        bytes -= ofClient.bytes();
        ofClient.add(added, now, maximumOfClient, maximumBytesOfClient);
        size += ofClient.size();
        bytes += ofClient.bytes();
        forget(now);
    }

    /** Forgets clients in the order in which they were sampled, as far as samples have expired or exceed a bound. */
    private void forget(long now) {
        Iterator<ClientDecisions> leastRecent = clients.values().iterator();
        while (leastRecent.hasNext()) {
            ClientDecisions next = leastRecent.next();
            if (size <= maximum && bytes <= maximumBytes && !next.isExpired(now)) {
                return;
            }
            leastRecent.remove();
            size -= next.size();
            bytes -= next.bytes();
        }
    }

    /** Adds the samples that have not expired. */
    void addTo(List<SampledDecision> samples, long now) {
        for (ClientDecisions each : clients.values()) {
            each.addTo(samples, now);
        }
    }
}
