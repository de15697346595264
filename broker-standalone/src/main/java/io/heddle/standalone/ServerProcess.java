package io.heddle.standalone;

import java.io.IOException;
import java.time.Duration;

/** What is particular to one server's process: its files, its command, and the question that shows it is ready. */
sealed interface ServerProcess permits KafkaProcess, RedisProcess, PostgresProcess {
    Server server();

    /** Counts from 0 among the nodes of the same server. */
    int index();

    default String name() {
        return server().label() + "-" + index();
    }

    /** For a person's eye: the node's number only where there are several. */
    default String displayName() {
        return index() == 0 ? server().displayName() : server().displayName() + " node " + index();
    }

    /** Writes the settings and lays out data that is not there yet. Called before every start. */
    GuardedProcess.Launch prepare() throws IOException, InterruptedException;

    /** Asks the server in its own protocol. False as long as it does not answer, or answers that it is not ready. */
    boolean answers(Duration timeout);

    /** Whether it answers, and says that it refuses writes because an earlier one failed. */
    default boolean refusesWrites(Duration timeout) {
        return false;
    }
}
