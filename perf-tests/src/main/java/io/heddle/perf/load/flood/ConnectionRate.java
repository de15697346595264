package io.heddle.perf.load.flood;

/**
 * The limits for connections that attackers open.
 *
 * @param maximumHandshakes concurrent handshakes
 * @param perSecond reopened connections per second during the flood
 */
public record ConnectionRate(int maximumHandshakes, double perSecond) {}
