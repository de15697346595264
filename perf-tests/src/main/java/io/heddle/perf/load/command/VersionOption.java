package io.heddle.perf.load.command;

import io.heddle.perf.load.wire.MqttVersion;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code 3.1.1} or {@code 5.0}. */
final class VersionOption implements ITypeConverter<MqttVersion> {
    @Override
    public MqttVersion convert(String value) {
        return switch (value) {
            case "3.1.1" -> MqttVersion.V3_1_1;
            case "5", "5.0" -> MqttVersion.V5;
            default -> throw new TypeConversionException("'" + value + "' is not supported: use 3.1.1 or 5.0");
        };
    }
}
