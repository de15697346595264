-- The rules for topics, of which there is one set. Its version rises with each change, and a record of the log of nodes announces it.
CREATE TABLE topic_rules (
    id         boolean     PRIMARY KEY DEFAULT true CHECK (id),
    version    bigint      NOT NULL,
    text       text        NOT NULL,
    changed_by text        NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
);
