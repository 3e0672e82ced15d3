-- A link that an administrator hands over says nothing of the mailbox: it is told from the mailed one.
alter table account_tokens drop constraint account_tokens_purpose_check;
alter table account_tokens add constraint account_tokens_purpose_check
  check (purpose in ('verify_email', 'reset_password', 'handed_reset'));

-- The projects that everybody may find.
create index projects_public on projects (id) where public and deleted_at is null;
