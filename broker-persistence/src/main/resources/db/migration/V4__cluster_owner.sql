-- The node that took the buckets last: one row. Read by a node that Kafka does not answer; the truth is in Kafka.
CREATE TABLE cluster_owner (
    only_row    boolean     NOT NULL PRIMARY KEY DEFAULT true,
    incarnation text        COLLATE "C" NOT NULL,
    updated_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT cluster_owner_only_row CHECK (only_row)
);
