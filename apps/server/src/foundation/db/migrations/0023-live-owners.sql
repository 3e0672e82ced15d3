-- A write holds the owner's row `for key share`: whoever takes over changes the epoch, which is a key by this index, and waits
-- for the write; the owner's own renewal changes no key, and does not.
create unique index live_owners_epoch on live_owners (epoch);

-- Texts that a node has left unsaved when it died are looked for every few seconds.
create index live_texts_unsaved on live_texts (project_id) where unsaved_by <> '{}' and removed_at is null;
