package io.heddle.perf.load.command;

/**
 * What a {@link SmallBroker} does wrong.
 *
 * @param deliveryEvery which deliveries are treated wrongly: each so-manieth; 0 for none
 * @param delivery how
 * @param connectCode the code in CONNACK
 * @param grantedQos the highest QoS in SUBACK
 * @param acknowledgementReason the reason code in PUBACK, or {@link #SILENT}
 * @param closeAfter messages of one publisher after which its connection is closed; 0 for never
 * @param answersPings whether PINGRESP is sent
 */
record Mischief(
        int deliveryEvery,
        Delivery delivery,
        int connectCode,
        int grantedQos,
        int acknowledgementReason,
        int closeAfter,
        boolean answersPings) {
    static final int SILENT = -1;
    static final Mischief NONE = new Mischief(0, Delivery.ONCE, 0, 2, 0, 0, true);

    /** How a message reaches its subscriber. */
    enum Delivery {
        ONCE,
        NEVER,
        TWICE,
        /** Behind the next one. */
        LATE,
        /** With a payload that was cut. */
        CUT,
        /** With the number of another publisher. */
        FORGED
    }

    static Mischief delivering(int every, Delivery delivery) {
        return new Mischief(every, delivery, 0, 2, 0, 0, true);
    }

    static Mischief refusing(int connectCode) {
        return new Mischief(0, Delivery.ONCE, connectCode, 2, 0, 0, true);
    }

    static Mischief granting(int qos) {
        return new Mischief(0, Delivery.ONCE, 0, qos, 0, 0, true);
    }

    static Mischief acknowledging(int reason) {
        return new Mischief(0, Delivery.ONCE, 0, 2, reason, 0, true);
    }

    static Mischief closingAfter(int messages) {
        return new Mischief(0, Delivery.ONCE, 0, 2, 0, messages, true);
    }

    static Mischief ignoringPings() {
        return new Mischief(0, Delivery.ONCE, 0, 2, 0, 0, false);
    }
}
