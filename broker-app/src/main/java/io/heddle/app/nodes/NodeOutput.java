package io.heddle.app.nodes;

import io.heddle.app.console.Announced;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The output of one run of a node: passes the lines on with the node's name, and reads the announcements. Two threads write, any thread
 * reads.
 */
final class NodeOutput {
    private static final Pattern LABEL = Pattern.compile("  ([a-z0-9-]+): (.*)");

    private static final Pattern LISTENER = Pattern.compile("(tcp|tls|ws|wss)://.*");

    private final String prefix;
    private final Consumer<String> output;
    private final Consumer<String> errors;
    private final List<String> listeners = new CopyOnWriteArrayList<>();
    private final Map<String, String> labels = new ConcurrentHashMap<>();
    private final CountDownLatch upOrEnded = new CountDownLatch(1);
    private volatile boolean up;
    private volatile @Nullable String refusal;

    /**
     * @param output receives lines of standard output
     * @param errors receives lines of standard error
     */
    NodeOutput(String node, Consumer<String> output, Consumer<String> errors) {
        this.prefix = node + " | ";
        this.output = output;
        this.errors = errors;
    }

    void onOutput(String line) {
        output.accept(prefix + line);
        Matcher label = LABEL.matcher(line);
        if (label.matches()) {
            labels.put(label.group(1), label.group(2));
            if (LISTENER.matcher(label.group(2)).matches()) {
                listeners.add(label.group(2));
            }
        } else if (line.equals(Announced.READY)) {
            up = true;
            upOrEnded.countDown();
        }
    }

    void onError(String line) {
        if (line.startsWith(Announced.CANNOT_START)) {
            // Part of what the supervisor says about the end of the process.
            refusal = line.substring(Announced.CANNOT_START.length());
        } else {
            errors.accept(prefix + line);
        }
    }

    void onEnd() {
        upOrEnded.countDown();
    }

    /** Waits until the node serves or has ended. Returns whether it has served. */
    boolean awaitUp() throws InterruptedException {
        upOrEnded.await();
        return up;
    }

    boolean isUp() {
        return up;
    }

    /** Returns the reason why the node could not start; null if it has not given one. */
    @Nullable
    String refusal() {
        return refusal;
    }

    /** Returns the URLs of the listeners for MQTT, in the order of the announcement. */
    List<String> listeners() {
        return List.copyOf(listeners);
    }

    /** Returns the announced value of a label, such as {@code http}; null if there is none. */
    @Nullable
    String label(String name) {
        return labels.get(name);
    }
}
