package io.heddle.persistence.kafka.append;

/** A lane of commits with its own thread and transactional ids. Commits of one lane keep their order; no lane waits for another. */
enum CommitLane {
    /** QoS 2 messages with their markers, retained messages, and wills with the records of their sessions. */
    PUBLISHES(
            "publishes",
            "heddle-transactions",
            0,
            3,
            "PUBREC is delayed for publishers with persistent sessions, PUBACK for retained messages, and stored wills"),
    /** Sessions, subscriptions and released markers. */
    STATE(
            "state",
            "heddle-state-transactions",
            3,
            2,
            "CONNACK, SUBACK, UNSUBACK and PUBCOMP are delayed for clients with persistent sessions");

    private final String tag;
    private final String threadName;
    private final int firstId;
    private final int ids;
    private final String delay;

    CommitLane(String tag, String threadName, int firstId, int ids, String delay) {
        this.tag = tag;
        this.threadName = threadName;
        this.firstId = firstId;
        this.ids = ids;
        this.delay = delay;
    }

    /** Returns the value of the metric tag {@code lane}. */
    String tag() {
        return tag;
    }

    String threadName() {
        return threadName;
    }

    /** Returns the number of the lane's first transactional id; the ids of all lanes are numbered from 0. */
    int firstId() {
        return firstId;
    }

    /**
     * Returns the number of the lane's transactional ids, which take turns. Kafka writes the commit markers of a transaction after it has
     * answered, and until then it starts no other transaction of the same id: a single id would wait some 20 ms in every transaction.
     */
    int ids() {
        return ids;
    }

    static int transactionalIds() {
        int all = 0;
        for (CommitLane lane : values()) {
            all += lane.ids;
        }
        return all;
    }

    /** Describes what clients notice while Kafka starts no transactions. */
    String delay() {
        return delay;
    }
}
