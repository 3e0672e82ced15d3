import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { buildSettings, deployed, logsOf, projectOf, textOf, visit } from '../../testing/samples/sample-deployments.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });

/** The next `times` writes of this kind fail as if the database shut down. */
async function awayFor(times: number, event: string, when = 'true'): Promise<void> {
  await service.pool.query(`
    create sequence refusals;
    create function go_away() returns trigger language plpgsql as $$ begin
      if nextval('refusals') <= ${times} then
        raise exception 'terminating connection' using errcode = 'admin_shutdown';
      end if;
      return new;
    end $$;
    create trigger go_away before ${event} for each row when (${when}) execute function go_away()`);
}
afterEach(() => service.pool.query('drop function if exists go_away cascade; drop sequence if exists refusals'));

const command = { build_command: 'mkdir dist && echo built > dist/index.html && echo printed' };

test('a build whose result could not be stored at once succeeds when the database is back', async () => {
  const place = await projectOf(service, { '/page.txt': 'x' });
  await awayFor(3, 'update on deployments', `new.status = 'success'`);
  const done = await deployed(place, command);
  expect(done).toMatchObject({ status: 'success', is_live: true, error: null });
  expect(textOf(await logsOf(place, done.id))).not.toContain('starts again');
});

test('a build that failed while the database was away is reported as failed when it is back', async () => {
  const place = await projectOf(service, { '/page.txt': 'x' });
  await awayFor(3, 'update on deployments', `new.status = 'failed'`);
  expect(await deployed(place, { build_command: 'exit 3' })).toMatchObject({ error: { type: 'build_failed' } });
});

test('a build whose output could not be stored starts again, once', async () => {
  const place = await projectOf(service, { '/page.txt': 'x' });
  await awayFor(1, 'insert on artifacts');
  const done = await deployed(place, command);
  expect(done).toMatchObject({ status: 'success', error: null });
  expect(textOf(await logsOf(place, done.id))).toContain('The database was unavailable during the build');
});

test('a build that is interrupted a second time, as in a failover, starts a third time', async () => {
  const place = await projectOf(service, { '/page.txt': 'x' });
  await awayFor(2, 'insert on artifacts');
  expect(await deployed(place, command)).toMatchObject({ status: 'success', error: null });
});

test('a build that is interrupted again and again does not restart forever', async () => {
  const place = await projectOf(service, { '/page.txt': 'x' });
  await awayFor(1_000, 'insert on artifacts');
  expect(await deployed(place, command)).toMatchObject({ status: 'failed', error: { type: 'internal' } });
});

test('a visited site is still served while the database is away', async () => {
  const place = await projectOf(service, { '/index.html': 'here', '/other.html': 'not visited' });
  const { url } = await deployed(place);
  expect((await visit(`${url}/`)).text).toBe('here');
  const { host } = service.pool.options;
  const cutter = new pg.Client(service.database.connection);
  await cutter.connect();
  Object.assign(service.pool.options, { host: '/nowhere' });
  await cutter.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await cutter.end();
  try {
    expect((await visit(`${url}/other.html`)).status).toBe(503);
    const begun = Date.now();
    await waitFor('what is remembered without asking is over', async () => {
      expect((await visit(`${url}/`)).text).toBe('here');
      return Date.now() - begun > 2_000;
    });
  } finally {
    Object.assign(service.pool.options, { host });
  }
  await waitFor('all of it is there again', async () => (await visit(`${url}/other.html`)).status === 200);
});
