package io.heddle.perf.load.flood;

import java.nio.ByteBuffer;

/** The behaviour of the attackers in a pool. */
interface AttackerBehaviour {
    /** Acknowledges each message. */
    AttackerBehaviour ORDINARY = new AttackerBehaviour() {};

    /** The attacker is connected. */
    default void onReady(Attacker attacker) {}

    /** A message was delivered. Its payload is valid during the call. */
    default void onDelivered(Attacker attacker, ByteBuffer in, int payloadAt, int payloadLength) {}

    /** SUBACK or UNSUBACK was received. */
    default void onSubscriptionChanged(Attacker attacker) {}

    /** Whether messages are acknowledged. */
    default boolean acknowledges() {
        return true;
    }
}
