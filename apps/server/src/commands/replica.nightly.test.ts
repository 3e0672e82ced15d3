import { beforeAll, expect, test } from 'vitest';
import { type Running, useCli } from '../testing/clients/cli.ts';
import { call } from '../testing/clients/http-client.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { useReplicatedPostgres } from '../testing/parts/replicated-postgres.ts';
import { waitFor } from '../testing/parts/wait-for.ts';

describeWith(['unshare'], 'a replica for heavy reads', () => {
  const servers = useReplicatedPostgres();
  const cli = useCli();
  let settings: Record<string, string>;
  let running: Running;
  let token: string;
  let project: string;

  const ask = <Body = Record<string, unknown>>(method: string, path: string, json?: unknown) =>
    call<Body>(method, `${running.url}${path}`, { token, ...(json !== undefined && { json }) });
  const write = (content: string) => ask('PUT', `/v1/projects/${project}/files`, { path: '/a.txt', content });
  const search = async (word: string) => {
    const found = await ask<{ data: unknown[] }>('GET', `/v1/projects/${project}/search?q=${word}`);
    expect(found.status, found.text).toBe(200);
    return found.body.data.length;
  };
  const problem = async () =>
    (await call<{ details: { replica: { problem: string | null } } }>('GET', `${running.url}/readyz`)).body.details
      .replica.problem;
  const isUsed = () => waitFor('the standby is used', async () => (await problem()) === null);
  const scans = async () =>
    Number(
      (
        await servers.standby.ask<{ scans: string }>(
          "select sum(seq_scan + coalesce(idx_scan, 0)) as scans from pg_stat_user_tables where relname = 'files'",
        )
      )[0]?.scans,
    );

  beforeAll(async () => {
    settings = {
      BOTTEGA_DATA_DIR: await cli.newDataDir(),
      DATABASE_URL: servers.primary.url,
      DATABASE_READ_URL: servers.standby.url,
    };
    running = await cli.start(settings);
    token = /btg_live_\w+/.exec(running.stdout())?.[0] ?? '';
    project = (await ask<{ id: string }>('POST', '/v1/projects', { name: 'Read' })).body.id;
  });

  test('does not answer users who have just written, but answers them a while later', async () => {
    await isUsed();
    await write('first word\n');
    expect(await search('first')).toBe(1);
    const before = await scans();
    await waitFor('the replica was asked', async () => (await search('first')) === 1 && (await scans()) > before);
  });

  test('is not used while it lags behind, until it has caught up', async () => {
    await servers.standby.ask('select pg_wal_replay_pause()');
    await write('second word\n');
    await waitFor('it is behind', async () => /more than 2 s behind/.test((await problem()) ?? ''));
    expect(await search('second')).toBe(1);
    await servers.standby.ask('select pg_wal_replay_resume()');
    await isUsed();
    expect(await search('second')).toBe(1);
  });

  test('is checked by doctor, which reports on both addresses', async () => {
    const { stdout } = await cli.run(['doctor'], settings);
    expect(stdout).toMatch(/replica\s.*lag is acceptable/);
    const wrong = await cli.run(['doctor'], { ...settings, DATABASE_READ_URL: servers.primary.url });
    expect(wrong.stdout).toMatch(/replica\s.*not a standby/);
  });

  test('can go away without any failed request', async () => {
    await isUsed();
    await servers.standby.stop();
    for (let count = 0; count < 10; count++) expect(await search('second')).toBe(1);
    await waitFor('it is told', async () => (await problem()) !== null);
    expect(await search('second')).toBe(1);
    expect((await call('GET', `${running.url}/readyz`)).status).toBe(200);
  });
});
