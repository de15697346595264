package io.heddle.perf.load.command;

import io.heddle.perf.load.traffic.Brokers.Spread;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code random}, {@code together} or {@code apart}. */
final class SpreadOption implements ITypeConverter<Spread> {
    @Override
    public Spread convert(String value) {
        return switch (value) {
            case "random" -> Spread.RANDOM;
            case "together" -> Spread.TOGETHER;
            case "apart" -> Spread.APART;
            default -> throw new TypeConversionException("'" + value + "' is not one of random, together, apart");
        };
    }
}
