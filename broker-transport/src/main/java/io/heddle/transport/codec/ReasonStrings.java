package io.heddle.transport.codec;

import io.heddle.core.mqtt.UserProperty;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The diagnostic properties (Reason String and User Properties) to include in a response. They are omitted if the packet would be
 * too large for the client [MQTT-3.2.2-19] [MQTT-3.2.2-20] or the client did not request them [MQTT-3.1.2-29].
 */
enum ReasonStrings {
    ALL,
    REASON_STRING,
    NONE;

    /** Returns the next smaller selection, or null if there is none. */
    @Nullable
    ReasonStrings fewer() {
        return switch (this) {
            case ALL -> REASON_STRING;
            case REASON_STRING -> NONE;
            case NONE -> null;
        };
    }

    @Nullable
    String of(@Nullable String reasonString) {
        return this == NONE ? null : reasonString;
    }

    List<UserProperty> of(List<UserProperty> userProperties) {
        return this == ALL ? userProperties : List.of();
    }

    int sizeOf(@Nullable String reasonString, List<UserProperty> userProperties) {
        return PropertiesCodec.sizeOf(of(reasonString)) + PropertiesCodec.sizeOf(of(userProperties));
    }

    void write(@Nullable String reasonString, List<UserProperty> userProperties, ByteBuf out) {
        PropertiesCodec.write(Property.REASON_STRING, of(reasonString), out);
        PropertiesCodec.write(of(userProperties), out);
    }
}
