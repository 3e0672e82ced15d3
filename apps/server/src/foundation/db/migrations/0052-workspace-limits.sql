-- What the owner's plan gave a workspace at its last start. Null before its first start.
alter table workspaces
  add column network text check (network in ('public', 'off')),
  add column language_servers boolean;
