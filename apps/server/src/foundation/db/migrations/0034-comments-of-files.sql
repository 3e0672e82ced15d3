-- Comments belong to the file: they are made without a session too, and one that ends, or is deleted, leaves them behind.
-- Nodes of the former version find comments by their session, and do not see those without.
alter table session_comments alter column session_id drop not null;
alter table session_comments drop constraint session_comments_session_id_fkey;
alter table session_comments add constraint session_comments_session_id_fkey
  foreign key (session_id) references collaboration_sessions on delete set null not valid;
alter table session_comments validate constraint session_comments_session_id_fkey;
drop index session_comments_project;
create index session_comments_project on session_comments (project_id, file_path);
