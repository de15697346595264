package io.heddle.app.e2e;

import io.netty.handler.codec.mqtt.MqttConnectReturnCode;

/** The broker has refused a CONNECT, which fails a test that does not expect it. */
final class RefusedConnect extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final MqttConnectReturnCode code;

    RefusedConnect(MqttConnectReturnCode code) {
        super("refused: " + code);
        this.code = code;
    }

    /** Returns the return code or reason code of CONNACK. */
    MqttConnectReturnCode code() {
        return code;
    }
}
