package io.heddle.perf.load.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.perf.load.LoadException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** The main class. Progress and errors go to standard error, the report to standard output. */
@Command(
        name = "load",
        description = "Puts load on an MQTT broker and reports the cost and latency of messages, and lost ones.",
        synopsisSubcommandLabel = "(COMMAND | PRESET) [OPTIONS]",
        mixinStandardHelpOptions = true,
        subcommands = {FanOut.class, PointToPoint.class, FanIn.class, Idle.class, Retained.class, FloodCommand.class})
public final class LoadGenerator {
    private static final int FAILED = 1;

    private LoadGenerator() {}

    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, true, UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, UTF_8);
        System.exit(run(out, err, arguments));
    }

    /** Runs one command and returns the exit status. */
    static int run(PrintWriter out, PrintWriter err, String... arguments) {
        CommandLine line = new CommandLine(new LoadGenerator());
        line.setOut(out);
        line.setErr(err);
        List<String> presets = new ArrayList<>(List.of("%nPresets, which can be followed by options:%n"));
        for (Preset preset : Preset.values()) {
            presets.add("  " + preset.word() + " = " + preset.command() + "%n");
        }
        line.getCommandSpec().usageMessage().footer(String.join("", presets));
        // Options after a preset replace those of the preset.
        line.setOverwrittenOptionsAllowed(true);
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            if (failure instanceof LoadException) {
                command.getErr().println("FAILED: " + failure.getMessage());
                return FAILED;
            }
            throw failure;
        });
        if (arguments.length == 0) {
            line.usage(line.getErr());
            return line.getCommandSpec().exitCodeOnInvalidInput();
        }
        return line.execute(Preset.expand(arguments));
    }

    /** Writes lines to the command's standard error. */
    static Consumer<String> progress(CommandSpec command) {
        PrintWriter err = command.commandLine().getErr();
        return text -> {
            err.println(text);
            err.flush();
        };
    }
}
