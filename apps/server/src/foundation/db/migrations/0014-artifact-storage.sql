-- What deployments keep of a project counts as stored, each piece once: kept here as it is written.
alter table project_stats add column artifact_bytes bigint not null default 0;
update project_stats s set artifact_bytes = kept.bytes
from (select project_id, sum(octet_length(content)) as bytes from artifact_chunks group by project_id) as kept
where kept.project_id = s.project_id;
