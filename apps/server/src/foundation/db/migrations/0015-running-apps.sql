-- When a server app was last asked for: where its account runs too many, the one that nobody asked for longest sleeps.
alter table deployments add column wanted_at timestamptz;
-- Not given up on, but never begun: its account runs as many as its plan allows.
alter table app_instances add column refused boolean not null default false;
