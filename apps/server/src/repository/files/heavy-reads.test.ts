import { expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { inProject, listFiles, newPlace, writeFile } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ role: 'api' });

test('many slow reads of one account at once do not block the database for other accounts', async () => {
  const busy = await newPlace(service);
  const { commit_sha: sha } = await writeFile(busy, '/a.txt');
  const other = await newPlace(service);
  const client = await service.pool.connect();
  const waiting = async () => {
    const { rows } = await client.query(
      `select count(*)::int as waiting from pg_locks where relation = 'git_commits'::regclass and not granted`,
    );
    return rows[0].waiting as number;
  };
  try {
    await client.query('begin');
    await client.query('lock table git_commits in access exclusive mode');
    const kinds = ['/commits', '/commits?path=/a.txt', `/commits/${sha}`, '/files?ref=main'];
    const answers = Array.from({ length: 20 }, (_, n) => inProject(busy, 'GET', kinds[n % kinds.length] ?? ''));
    await waitFor('two reads to wait', async () => (await waiting()) >= 2);
    for (let n = 0; n < 5; n++) expect(await listFiles(other)).toEqual([]);
    expect(await waiting()).toBe(2);
    await client.query('rollback');
    expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
  } finally {
    client.release(true);
  }
});
