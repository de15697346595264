package io.heddle.app.nodes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether this process is a node that {@code ./heddle --nodes} has started, and its end with the process that supervises it. */
public final class SupervisedNode {
    private static final Logger log = LoggerFactory.getLogger(SupervisedNode.class);
    private static final String PROPERTY = "heddle.standalone.supervised";

    private SupervisedNode() {}

    /** The option of the JVM that makes a process such a node. */
    static String option() {
        return "-D" + PROPERTY + "=true";
    }

    /** Returns whether another process supervises this one, and runs the servers of the data directory. */
    public static boolean isThisProcess() {
        return Boolean.getBoolean(PROPERTY);
    }

    /**
     * Calls the action when standard input ends: it is a pipe that the supervising process holds, so it also ends when that process is
     * killed. Without that process the servers stop, and the lock of the data directory no longer covers this node.
     */
    public static void onEndOfSupervisor(InputStream input, Runnable action) {
        Thread.ofPlatform().daemon().name("heddle-supervisor").start(() -> {
            awaitEnd(input);
            log.warn("The process that supervises this node has ended; stopping");
            action.run();
        });
    }

    private static void awaitEnd(InputStream input) {
        try {
            input.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            log.debug("Standard input cannot be read", e);
        }
    }
}
