package io.heddle.perf.load.command;

/**
 * The faults of a {@link SmallBroker}.
 *
 * @param deliveryEvery the interval of faulty deliveries; 0 for none
 * @param delivery the fault of these deliveries
 * @param connectCode the code in CONNACK
 * @param grantedQos the highest QoS in SUBACK
 * @param acknowledgementReason the reason code in PUBACK, or {@link #SILENT}
 * @param closeAfter messages of one publisher after which its connection is closed; 0 for never
 * @param answersPings whether PINGRESP is sent
 */
record BrokerMisbehaviour(
        int deliveryEvery,
        Delivery delivery,
        int connectCode,
        int grantedQos,
        int acknowledgementReason,
        int closeAfter,
        boolean answersPings) {
    static final int SILENT = -1;
    static final BrokerMisbehaviour NONE = new BrokerMisbehaviour(0, Delivery.ONCE, 0, 2, 0, 0, true);

    /** The delivery of a message to its subscriber. */
    enum Delivery {
        ONCE,
        NEVER,
        TWICE,
        /** After the next message. */
        LATE,
        /** With a truncated payload. */
        CUT,
        /** With the number of another publisher. */
        FORGED
    }

    static BrokerMisbehaviour delivering(int every, Delivery delivery) {
        return new BrokerMisbehaviour(every, delivery, 0, 2, 0, 0, true);
    }

    static BrokerMisbehaviour refusing(int connectCode) {
        return new BrokerMisbehaviour(0, Delivery.ONCE, connectCode, 2, 0, 0, true);
    }

    static BrokerMisbehaviour granting(int qos) {
        return new BrokerMisbehaviour(0, Delivery.ONCE, 0, qos, 0, 0, true);
    }

    static BrokerMisbehaviour acknowledging(int reason) {
        return new BrokerMisbehaviour(0, Delivery.ONCE, 0, 2, reason, 0, true);
    }

    static BrokerMisbehaviour closingAfter(int messages) {
        return new BrokerMisbehaviour(0, Delivery.ONCE, 0, 2, 0, messages, true);
    }

    static BrokerMisbehaviour ignoringPings() {
        return new BrokerMisbehaviour(0, Delivery.ONCE, 0, 2, 0, 0, false);
    }
}
