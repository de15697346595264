package io.heddle.perf.load.flood;

/**
 * How fast attackers open connections.
 *
 * @param atOnce handshakes under way at a time
 * @param perSecond connections opened again, once the flood has begun
 */
public record OpeningPace(int atOnce, double perSecond) {}
