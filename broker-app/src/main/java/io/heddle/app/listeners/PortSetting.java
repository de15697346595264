package io.heddle.app.listeners;

import io.heddle.core.lifecycle.StartupException;

/** The port of a listener: a number, 0 for a free one, "auto" for the standard one, or "off" for no listener. Immutable. */
public final class PortSetting {
    /** The standard port, or a free one if heddle.mqtt.port is 0. */
    public static final PortSetting AUTO = new PortSetting(-1);

    public static final PortSetting OFF = new PortSetting(-2);

    private static final int LAST_PORT = 65_535;

    private final int number;

    private PortSetting(int number) {
        this.number = number;
    }

    /**
     * Reads the text of a setting; the configuration calls this.
     *
     * @throws IllegalArgumentException if the text is neither a number nor one of the words
     */
    public static PortSetting of(String text) {
        return switch (text.strip()) {
            case "auto" -> AUTO;
            case "off" -> OFF;
            default -> of(Integer.valueOf(text.strip()));
        };
    }

    /** Reads a number of a YAML file. */
    public static PortSetting of(Integer number) {
        return new PortSetting(number < 0 ? Integer.MAX_VALUE : number);
    }

    /** Reads the word "off" of a YAML file, where it is the same as false. Throws IllegalArgumentException for true. */
    public static PortSetting of(Boolean isOn) {
        if (isOn) {
            throw new IllegalArgumentException("on is not a port");
        }
        return OFF;
    }

    /** Returns whether there is no listener. */
    public boolean isOff() {
        return number == OFF.number;
    }

    boolean isAuto() {
        return number == AUTO.number;
    }

    /** Returns whether each start picks a free port. */
    boolean isFree() {
        return number == 0;
    }

    /** Returns the number; the standard one for auto. Throws StartupException if there is no such port. */
    public int number(String setting, int standard) {
        if (isAuto()) {
            return standard;
        }
        if (number < 0 || number > LAST_PORT) {
            throw new StartupException(
                    setting + " is " + (number == Integer.MAX_VALUE ? "negative" : number)
                            + ": set it to 1 to 65535, or 0 for a free one",
                    null);
        }
        return number;
    }

    @Override
    public String toString() {
        return isAuto() ? "auto" : isOff() ? "off" : Integer.toString(number);
    }
}
