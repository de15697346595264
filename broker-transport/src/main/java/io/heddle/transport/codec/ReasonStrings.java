package io.heddle.transport.codec;

import io.heddle.core.mqtt.UserProperty;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much of what is only meant for people goes into an answer: it is left out rather than the answer when the packet would
 * be too large for the client [MQTT-3.2.2-19] [MQTT-3.2.2-20] or when the client did not ask for it [MQTT-3.1.2-29].
 */
enum ReasonStrings {
    ALL,
    REASON_STRING,
    NONE;

    /** The next smaller choice, or null when there is none. */
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

    /** The size of the properties that most answers have. */
    int sizeOf(@Nullable String reasonString, List<UserProperty> userProperties) {
        return PropertiesCodec.sizeOf(of(reasonString)) + PropertiesCodec.sizeOf(of(userProperties));
    }

    void write(@Nullable String reasonString, List<UserProperty> userProperties, ByteBuf out) {
        PropertiesCodec.write(Property.REASON_STRING, of(reasonString), out);
        PropertiesCodec.write(of(userProperties), out);
    }
}
