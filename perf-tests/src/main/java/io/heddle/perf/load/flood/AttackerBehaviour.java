package io.heddle.perf.load.flood;

import java.nio.ByteBuffer;

/** How the attackers of a crowd behave. */
interface Conduct {
    /** Ordinary clients that acknowledge each message. */
    Conduct ORDINARY = new Conduct() {};

    /** The attacker's connection came up. */
    default void ready(Attacker attacker) {}

    /** A message came, whose payload is valid during the call. */
    default void delivered(Attacker attacker, ByteBuffer in, int payloadAt, int payloadLength) {}

    /** SUBACK or UNSUBACK came. */
    default void answered(Attacker attacker) {}

    /** Whether messages are acknowledged. */
    default boolean acknowledges() {
        return true;
    }
}
