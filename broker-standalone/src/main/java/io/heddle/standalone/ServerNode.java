package io.heddle.standalone;

import io.heddle.standalone.process.ServerProcess;

sealed interface ServerNode extends ServerProcess permits KafkaProcess, RedisProcess, PostgresProcess {
    Server server();

    /** Counts from 0 among the nodes of the same server. */
    int index();

    static String name(Server server, int index) {
        return server.label() + "-" + index;
    }

    @Override
    default String name() {
        return name(server(), index());
    }

    /** With the number of the node, except for the first one. */
    @Override
    default String displayName() {
        return index() == 0 ? server().displayName() : server().displayName() + " node " + index();
    }
}
