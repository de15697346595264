-- The runs of nodes that have ended and are fenced, the latest thousand. Read by a node that Kafka does not answer; the truth is in Kafka.
CREATE TABLE ended_node (
    incarnation text        COLLATE "C" NOT NULL PRIMARY KEY,
    noted_at    timestamptz NOT NULL DEFAULT now()
);
