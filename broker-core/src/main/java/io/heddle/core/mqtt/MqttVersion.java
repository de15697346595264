package io.heddle.core.mqtt;

import org.jspecify.annotations.Nullable;

/** A version of the protocol, as CONNECT names it: by protocol name and protocol level. */
public enum MqttVersion {
    V3_1("MQIsdp", 3),
    V3_1_1("MQTT", 4),
    V5("MQTT", 5);

    private final String protocolName;
    private final int protocolLevel;

    MqttVersion(String protocolName, int protocolLevel) {
        this.protocolName = protocolName;
        this.protocolLevel = protocolLevel;
    }

    /** The protocol name in CONNECT. */
    public String protocolName() {
        return protocolName;
    }

    /** The protocol level (MQTT 5.0: protocol version) in CONNECT. */
    public int protocolLevel() {
        return protocolLevel;
    }

    /** Whether packets carry properties and answers carry MQTT 5.0 reason codes. */
    public boolean hasProperties() {
        return this == V5;
    }

    /** The version that CONNECT names, or null when no supported version has this name and level. */
    public static @Nullable MqttVersion of(String protocolName, int protocolLevel) {
        for (MqttVersion version : values()) {
            if (version.protocolLevel == protocolLevel && version.protocolName.equals(protocolName)) {
                return version;
            }
        }
        return null;
    }
}
