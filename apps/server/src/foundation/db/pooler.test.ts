import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { urlOf } from '../../commands/database-url.fixture.ts';
import { useCli } from '../../testing/clients/cli.ts';
import { call } from '../../testing/clients/http-client.ts';
import { useReceiver } from '../../testing/clients/webhook-receiver.ts';
import { usePgBouncer } from '../../testing/parts/pgbouncer.ts';
import { describeWith } from '../../testing/parts/programs.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { listFiles, newPlace, putFile } from '../../testing/samples/sample-files.ts';
import { createWebhook } from '../../testing/samples/sample-webhooks.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { transaction } from './index.ts';

describeWith(['pgbouncer', 'unshare'], 'behind a pooler in transaction mode', () => {
  const pooler = usePgBouncer();
  const service = useTestService({ pooler });
  const receiver = useReceiver();

  test('many requests write at once over few sessions, and every file is there', async () => {
    const place = await newPlace(service);
    const paths = Array.from({ length: 40 }, (_, index) => `/${index}.txt`);
    const written = await Promise.all(paths.map((path) => putFile(place, { path, content: path })));
    expect(written.map(({ status }) => status)).toEqual(paths.map(() => 201));
    expect((await listFiles(place)).map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
  });

  test('a deleted key is refused at once, since notifications come through a session', async () => {
    const user = await service.createUser();
    const { id, key } = await service.createKey(user.id);
    const me = () => call('GET', `${service.url}/v1/user`, { token: key });
    expect((await me()).status).toBe(200);
    await call('DELETE', `${service.url}/v1/user/api-keys/${id}`, { token: user.key });
    await waitFor('it is refused', async () => (await me()).status === 401);
  });

  test('events reach their webhooks', async () => {
    const user = await service.createUser();
    const hook = receiver.at('/told');
    await createWebhook(service, user, { url: hook.url, events: ['project.created'] });
    await call('POST', `${service.url}/v1/projects`, { token: user.key, json: { name: 'Told' } });
    expect((await hook.nth(0)).body).toContain('Told');
  });

  test('every transaction has its limits, and leaves nothing in the session for the next user of it', async () => {
    const limits = sql<Record<string, string>>`
      select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle, current_setting('jit') as jit`;
    const within = await transaction(service.db, async (trx) => (await limits.execute(trx)).rows[0]);
    expect(within).toEqual({ statement: '30s', lock: '10s', idle: '15s', jit: 'off' });
    const client = new pg.Client({ ...service.database.connection, ...pooler() });
    await client.connect();
    const { rows } = await client.query(
      `select name from pg_settings where source = 'session' and name !~ '^(client_encoding|DateStyle|TimeZone|application_name|standard_conforming_strings)$'`,
    );
    const prepared = await client.query('select from pg_prepared_statements');
    await client.end();
    expect([rows, prepared.rowCount]).toEqual([[], 0]);
  });

  describe('the addresses of the database', () => {
    const cli = useCli();
    let [direct, pooled, elsewhere] = ['', '', ''];
    beforeAll(() => {
      const { connection } = service.database;
      [direct, pooled] = [urlOf(connection), urlOf({ ...connection, ...pooler() })];
      elsewhere = urlOf({ ...connection, ...pooler(), database: 'template_bottega' });
    });

    test.each([
      [
        'no address for sessions',
        () => ({ DATABASE_URL: pooled }),
        'DATABASE_URL points to a pooler. Set DATABASE_SESSION_URL to the PostgreSQL server behind it.',
      ],
      [
        'the pooler for both',
        () => ({ DATABASE_URL: pooled, DATABASE_SESSION_URL: pooled }),
        'DATABASE_SESSION_URL points to a pooler. It must point to the PostgreSQL server itself.',
      ],
      [
        'another database',
        () => ({ DATABASE_URL: elsewhere, DATABASE_SESSION_URL: direct }),
        'DATABASE_URL and DATABASE_SESSION_URL point to different databases.',
      ],
    ])('are refused at the start, in one line, with %s', async (_name, settings, message) => {
      const outcome = await cli.run(['migrate'], settings());
      expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: `bottega: ${message}\n` });
    });

    test('are accepted if both are right', async () => {
      const outcome = await cli.run(['migrate'], { DATABASE_URL: pooled, DATABASE_SESSION_URL: direct });
      expect(outcome).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' });
    });
  });
});
