-- What nobody needs any more is purged by these, and counts as stored while it is there.
create index collaboration_sessions_over on collaboration_sessions (least(ended_at, expires_at));
create index deployments_artifact on deployments (artifact_id) where artifact_id is not null;

-- Of live texts and comments. They change with every key that is pressed, so it is counted anew every hour.
alter table project_stats add column live_bytes bigint not null default 0;

alter table templates add column stored_bytes bigint not null default 0;
update templates t set stored_bytes = kept.bytes
from (select template_id, sum(octet_length(deflated)) as bytes from template_files group by template_id) as kept
where kept.template_id = t.id;

-- A text is looked for by its file too, which may have moved while nobody had it open.
create index live_texts_file on live_texts (project_id, file_id);
