package io.heddle.perf.load.client;

import io.heddle.perf.load.wire.BrokerFaultException;

/** What a client subscribes to. */
public record Subscribe(String filter, int qos) {
    private static final int FIRST_ERROR_CODE = 0x80;

    /** Another QoS than asked for would measure something else than what the report says. */
    void check(int code) {
        if (code >= FIRST_ERROR_CODE) {
            throw new BrokerFaultException(
                    "SUBSCRIBE to " + filter + " is refused with reason code " + ClientPlan.hex(code));
        }
        if (code != qos) {
            throw new BrokerFaultException("SUBSCRIBE to " + filter + " with QoS " + qos + " is granted QoS " + code);
        }
    }
}
