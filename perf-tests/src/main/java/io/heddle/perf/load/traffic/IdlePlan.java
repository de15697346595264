package io.heddle.perf.load.traffic;

import java.time.Duration;

/**
 * A load of idle connections.
 *
 * @param name the name in the report
 * @param hold the time for which connections are held
 */
public record IdlePlan(String name, int connections, boolean persistent, Duration hold) {}
