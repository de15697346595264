-- The changes that administrators make, the latest million. Times are those of this database.
CREATE TABLE audit_entry (
    id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    happened_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    administrator text        COLLATE "C" NOT NULL,
    address       text        NOT NULL,
    action        text        NOT NULL,
    target        text        COLLATE "C" NOT NULL,
    -- JSON without secrets; text, because a long one is cut.
    before_change text,
    after_change  text,
    outcome       text        NOT NULL DEFAULT 'ATTEMPTED',
    detail        text,
    CONSTRAINT audit_entry_outcome CHECK (outcome IN ('ATTEMPTED', 'DONE', 'FAILED'))
);

CREATE INDEX audit_entry_time ON audit_entry (happened_at, id);
CREATE INDEX audit_entry_administrator ON audit_entry (administrator, happened_at, id);
CREATE INDEX audit_entry_target ON audit_entry (target, happened_at, id);
