package io.heddle.app.nodes;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.standalone.process.GuardedProcess;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command lines of the nodes: that of this process, with the options of a supervised node and the settings of the node. */
public final class NodeCommand {
    /** Percentage of the memory of the machine that all heaps together may take. */
    private static final int SHARE_OF_MEMORY = 50;

    private final List<String> prefix;

    private NodeCommand(List<String> prefix) {
        this.prefix = prefix;
    }

    /**
     * @param arguments the number of arguments of the main method
     * @param nodes the number of nodes that share the memory of the machine
     */
    public static NodeCommand ofThisProcess(int arguments, int nodes) {
        try {
            // The encoding in which Java passes words to other processes, too.
            Charset encoding = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
            String line = new String(Files.readAllBytes(Path.of("/proc/self/cmdline")), encoding);
            return of(List.of(line.split("\0", -1)), arguments, nodes);
        } catch (IOException e) {
            throw new StartupException(
                    "--nodes needs /proc of Linux, which cannot be read (" + e.getMessage() + ")", e);
        }
    }

    static NodeCommand of(List<String> words, int arguments, int nodes) {
        // Each word ends with a zero, so the last part is empty.
        List<String> java = words.subList(0, words.size() - 1 - arguments);
        List<String> prefix = new ArrayList<>();
        if (GuardedProcess.isOnPath("setsid")) {
            // A session of its own: Ctrl-C at the terminal reaches only the supervisor, which stops the nodes before
            // the servers.
            prefix.add("setsid");
        }
        prefix.add(java.getFirst());
        // First, so that an option of HEDDLE_JAVA_OPTS overrides it.
        prefix.add("-XX:MaxRAMPercentage=" + (double) SHARE_OF_MEMORY / nodes);
        // The nodes share the part of the start cache that is only read, 70 MB, if Java does not move it.
        prefix.add("-XX:+UnlockDiagnosticVMOptions");
        prefix.add("-XX:ArchiveRelocationMode=0");
        prefix.add(SupervisedNode.option());
        prefix.addAll(java.subList(1, java.size()));
        return new NodeCommand(prefix);
    }

    /** @param settings each as {@code --key=value} */
    public List<String> with(List<String> settings) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(settings);
        return command;
    }
}
