-- Events that happened before this moment may have been deleted: whoever goes on from an earlier one has missed some.
create table event_retention (
  single boolean primary key default true check (single),
  deleted_until timestamptz not null
);
insert into event_retention (deleted_until) values ('epoch');
