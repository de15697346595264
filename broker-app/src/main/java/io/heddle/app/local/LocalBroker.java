package io.heddle.app.local;

/**
 * A broker that has left its HTTP address in a data directory.
 *
 * @param url for programs on the same machine
 * @param isRunning whether its process still runs; false after a crash
 */
public record LocalBroker(String nodeId, String url, boolean isRunning) {}
