set local lock_timeout = '500ms';
lock table deployment_logs, audit_log in access exclusive mode;
-- By the time of the deployment: all lines of one are in one place.
select partition_by_time('deployment_logs', 'deployment_id');
select partition_by_time('audit_log', 'id');
drop function partition_by_time;
