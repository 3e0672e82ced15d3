-- Writes that were passed on to another node, which did not answer, and then made or refused where they had come in. Whoever
-- they were passed on to looks here once it holds the project's row, and leaves them alone.
create table given_up_writes (
  id text collate "C" primary key,
  given_up_at timestamptz not null default now()
);
