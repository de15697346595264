package io.heddle.perf.load.traffic;

import java.time.Duration;

/**
 * A load of retained messages.
 *
 * @param name the name in the report
 * @param topics the number of topics, which are divided among the publishers
 * @param payloadBytes payload size of each message
 * @param unacknowledged messages of a publisher that may be without PUBACK
 * @param giveUp the time without any PUBACK after which the load ends
 */
public record RetainedPlan(
        String name, int topics, int publishers, int payloadBytes, int unacknowledged, Duration giveUp) {}
