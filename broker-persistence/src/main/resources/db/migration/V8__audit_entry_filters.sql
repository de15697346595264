-- Lists of one kind of change, and of one outcome, such as all that failed.
CREATE INDEX audit_entry_action ON audit_entry (action, happened_at, id);
CREATE INDEX audit_entry_outcome ON audit_entry (outcome, happened_at, id);
