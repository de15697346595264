package io.heddle.perf.load.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Named loads for comparisons between brokers. Each stands for a command with options. */
enum Preset {
    A("fan-out --publishers 10 --subscribers 100 --payload 66 --qos 0 --window 4"),
    A_PACED("fan-out --publishers 10 --subscribers 100 --payload 66 --qos 0 --rate 100"),
    B("point-to-point --pairs 500 --payload 62 --qos 1 --persistent all --window 4"),
    B_PACED("point-to-point --pairs 500 --payload 62 --qos 1 --persistent all --rate 1000"),
    C("fan-in --publishers 2000 --subscribers 4 --payload 400 --qos 1 --persistent subscribers --window 1"),
    C_PACED("fan-in --publishers 2000 --subscribers 4 --payload 400 --qos 1 --persistent subscribers --rate 1000"),
    D("idle --connections 10000");

    private final String command;

    Preset(String command) {
        this.command = command;
    }

    /** The command with its options. */
    String command() {
        return command;
    }

    /** The name on the command line. */
    String word() {
        return name().replace("_PACED", "-paced");
    }

    /** Replaces the name of a preset by its command. Options after the name are added, and replace those of the preset. */
    static String[] expand(String[] arguments) {
        if (arguments.length > 0) {
            for (Preset preset : values()) {
                if (preset.word().equals(arguments[0])) {
                    List<String> expanded = new ArrayList<>(Arrays.asList(preset.command.split(" ", -1)));
                    expanded.addAll(Arrays.asList(arguments).subList(1, arguments.length));
                    return expanded.toArray(String[]::new);
                }
            }
        }
        return arguments;
    }
}
