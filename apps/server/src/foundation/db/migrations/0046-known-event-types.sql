-- How many types of events a worker knows. Types are only ever added, so the greater number belongs to the newer version. While a newer
-- worker lives, older ones leave the fan-out to it: they would pass over events that they cannot name.
alter table webhook_workers add column known_types integer not null default 0;
