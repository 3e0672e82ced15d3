-- Codes of devices (RFC 8628) are found by the device, as all records are, and by the short code that its user types in.
alter table oauth_records add column user_code bytea;
alter table oauth_records add column polled_at timestamptz;
create index oauth_records_user_code on oauth_records (user_code) where user_code is not null;

-- The service's own command line is an app of nobody's, in every installation. It asks by devices only, and is never sent back to.
alter table oauth_apps drop constraint oauth_apps_redirect_uris_check;
alter table oauth_apps add constraint oauth_apps_redirect_uris_check check (id = 'btg' or cardinality(redirect_uris) > 0);
insert into oauth_apps (id, name, type, redirect_uris) values ('btg', 'Bottega CLI (btg)', 'public', '{}');
