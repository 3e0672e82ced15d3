set local lock_timeout = '500ms';
lock table webhook_deliveries, webhook_attempts in access exclusive mode;
select partition_by_time('webhook_deliveries', 'id');
-- With their deliveries.
select partition_by_time('webhook_attempts', 'delivery_id');
