-- Changes whose outcome a node does not know, because a store or another node has not answered.
ALTER TABLE audit_entry DROP CONSTRAINT audit_entry_outcome;
ALTER TABLE audit_entry ADD CONSTRAINT audit_entry_outcome CHECK (outcome IN ('ATTEMPTED', 'DONE', 'FAILED', 'UNKNOWN'));
