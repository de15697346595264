package io.heddle.perf.load.command;

import io.heddle.perf.load.traffic.MessagePlan.Persistence;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code none}, {@code subscribers} or {@code all}. */
final class PersistenceOption implements ITypeConverter<Persistence> {
    @Override
    public Persistence convert(String value) {
        return switch (value) {
            case "none" -> Persistence.NONE;
            case "subscribers" -> Persistence.SUBSCRIBERS;
            case "all" -> Persistence.ALL;
            default -> throw new TypeConversionException("'" + value + "' is not one of none, subscribers, all");
        };
    }
}
