package io.heddle.core.operator.store;

/** A partition of a topic. */
public record LogPartition(String topic, int partition) {
    @Override
    public String toString() {
        return topic + "-" + partition;
    }
}
