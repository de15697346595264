package io.heddle.core.authorization.decision;

import io.heddle.core.authorization.Action;
import io.heddle.core.authorization.RuleSubject;
import io.heddle.core.mqtt.QoS;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The samples of one client in a {@link DecisionTable}, in no order. Never empty, except before the first one. */
final class ClientDecisions {
    private final ArrayList<SampledDecision> samples = new ArrayList<>(1);
    private long bytes;

    @Nullable
    SampledDecision find(RuleSubject subject, Action action, String topic, QoS qos, boolean retain) {
        for (int i = 0; i < samples.size(); i++) {
            if (samples.get(i).isSame(subject, action, topic, qos, retain)) {
                return samples.get(i);
            }
        }
        return null;
    }

    /** Adds a sample, and forgets the oldest ones of this client that have expired or exceed its share. */
    void add(SampledDecision added, long now, int maximum, long maximumBytes) {
        for (int oldest = oldest();
                oldest >= 0
                        && (samples.size() >= maximum
                                || bytes + added.bytes() > maximumBytes
                                || samples.get(oldest).isExpired(now));
                oldest = oldest()) {
            bytes -= samples.get(oldest).bytes();
            samples.set(oldest, samples.getLast());
            samples.removeLast();
        }
        samples.add(added);
        bytes += added.bytes();
    }

    /** Returns the position of the sample that was repeated least recently, or -1. */
    private int oldest() {
        int oldest = samples.size() - 1;
        for (int i = oldest - 1; i >= 0; i--) {
            if (samples.get(i).lastNanos() - samples.get(oldest).lastNanos() < 0) {
                oldest = i;
            }
        }
        return oldest;
    }

    boolean isExpired(long now) {
        for (int i = 0; i < samples.size(); i++) {
            if (!samples.get(i).isExpired(now)) {
                return false;
            }
        }
        return true;
    }

    void addTo(List<SampledDecision> all, long now) {
        for (SampledDecision each : samples) {
            if (!each.isExpired(now)) {
                all.add(each);
            }
        }
    }

    int size() {
        return samples.size();
    }

    long bytes() {
        return bytes;
    }
}
