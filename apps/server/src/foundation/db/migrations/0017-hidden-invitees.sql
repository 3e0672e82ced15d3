-- Whom somebody invited is shown to those who manage the project, until it is accepted. The event that tells of it is written
-- once for them and once, without the address, for the others. Null: for everyone who may read the project.
alter table events add column for_managers boolean;

-- The address that the owner gave for the new owner; null where they gave the id. Until it is accepted they are told no more.
alter table project_transfers add column address text;
