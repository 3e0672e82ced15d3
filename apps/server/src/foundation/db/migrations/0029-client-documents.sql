-- An app that nobody registered: its maker keeps a document about it, whose address is its client id. It is here as long as somebody allows it something.
alter table oauth_apps alter column user_id drop not null;
alter table oauth_apps add column document_url text unique;
alter table oauth_apps add constraint oauth_apps_are_somebodys check ((user_id is null) = (document_url is not null) or id = 'btg') not valid;
alter table oauth_apps validate constraint oauth_apps_are_somebodys;
