-- An environment is any name; the API says of what form.
alter table deployments drop constraint deployments_environment_check;

-- Whoever joined or asked for something a moment ago is there, also without a socket. Null: they had one, and it is gone.
alter table session_participants add column active_until timestamptz;
