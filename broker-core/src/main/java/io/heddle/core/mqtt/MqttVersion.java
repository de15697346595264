package io.heddle.core.mqtt;

import org.jspecify.annotations.Nullable;

/** A protocol version, identified in CONNECT by protocol name and protocol level. */
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

    public String protocolName() {
        return protocolName;
    }

    /** Returns the protocol level, which MQTT 5.0 calls protocol version. */
    public int protocolLevel() {
        return protocolLevel;
    }

    /** Returns the number of the version, such as 5.0. */
    public String text() {
        return switch (this) {
            case V3_1 -> "3.1";
            case V3_1_1 -> "3.1.1";
            case V5 -> "5.0";
        };
    }

    /** Returns whether packets carry properties and answers carry MQTT 5.0 reason codes. */
    public boolean hasProperties() {
        return this == V5;
    }

    /** Returns the version with this name and level, or null if it is not supported. */
    public static @Nullable MqttVersion of(String protocolName, int protocolLevel) {
        for (MqttVersion version : values()) {
            if (version.protocolLevel == protocolLevel && version.protocolName.equals(protocolName)) {
                return version;
            }
        }
        return null;
    }
}
