package io.heddle.perf.load.traffic;

import java.time.Duration;

/**
 * Connections that do nothing.
 *
 * @param name for the report
 * @param hold how long they stay before their memory is looked at
 */
public record IdlePlan(String name, int connections, boolean persistent, Duration hold) {}
