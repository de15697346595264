package io.heddle.perf.load.client;

import io.heddle.perf.load.wire.BrokerFaultException;

/** The subscription of a client. */
public record Subscribe(String filter, int qos) {
    private static final int FIRST_ERROR_CODE = 0x80;

    /** Requires the requested QoS, since the report names it. */
    void check(int code) {
        if (code >= FIRST_ERROR_CODE) {
            throw new BrokerFaultException(
                    "SUBSCRIBE to " + filter + " was refused with reason code " + ClientPlan.hex(code));
        }
        if (code != qos) {
            throw new BrokerFaultException("SUBSCRIBE to " + filter + " with QoS " + qos + " was granted QoS " + code);
        }
    }
}
