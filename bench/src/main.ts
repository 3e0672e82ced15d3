import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDatabase } from '../../apps/server/src/db/embedded/index.ts';
import { measure, type Target } from './measure.ts';
import { type Row, report } from './report.ts';
import { seed } from './seed.ts';
import { startServer } from './start-server.ts';

/** `npm run bench [-- --quick]`: quick seeds less and measures shorter, to try a change out. */
const quick = process.argv.includes('--quick');
const sizes = quick ? { large: 10_000, total: 20_000 } : { large: 100_000, total: 1_000_000 };

const dataDir = await mkdtemp(join(tmpdir(), 'bottega-bench-'));
const say = (line: string) => process.stdout.write(`${line}\n`);
const database = await openEmbeddedDatabase({
  dataDir,
  holder: 'service',
  description: 'bench',
  log: { info() {}, warn: (_details, message) => say(message) },
});
try {
  say(`seeding ${sizes.total.toLocaleString('en')} projects …`);
  const seeded = await seed(database.connection, sizes);
  const bottega = await startServer('bottega-server.ts', database.connection);
  const bare = await startServer('bare-server.ts', database.connection, {
    BENCH_PROJECT: seeded.project,
    BENCH_SMALL_USER: seeded.small.id,
  });
  const ours = (path: string, key: string, extra: Partial<Target> = {}): Target => ({
    url: `${bottega.url}/v1${path}`,
    headers: { authorization: `Bearer ${key}` },
    ...extra,
  });
  const create = {
    method: 'POST' as const,
    body: JSON.stringify({ name: 'Bench', description: 'A project made by the benchmark' }),
  };
  const seconds = quick ? 2 : 5;
  const rows: Row[] = [];

  rows.push({
    what: 'GET /projects/{id}',
    against: 'bare handler, same query',
    goal: '≥ 0.6',
    ...(await measure(ours(`/projects/${seeded.project}`, seeded.small.key), { url: `${bare.url}/project` }, seconds)),
  });
  rows.push({
    what: 'GET /projects, 20 among 1,000',
    against: 'bare handler, same page query',
    goal: '',
    ...(await measure(ours('/projects', seeded.small.key), { url: `${bare.url}/list/small` }, seconds)),
  });
  rows.push({
    what: `GET /projects, 20 among ${sizes.large.toLocaleString('en')}`,
    against: 'the same among 1,000',
    goal: '≥ 0.67',
    ...(await measure(ours('/projects', seeded.large.key), ours('/projects', seeded.small.key), seconds)),
  });
  rows.push({
    what: `GET /projects?search=, rare word among ${sizes.large.toLocaleString('en')}`,
    against: 'the same among 1,000',
    goal: '',
    ...(await measure(
      ours('/projects?search=needle', seeded.large.key),
      ours('/projects?search=needle', seeded.small.key),
      seconds,
    )),
  });
  rows.push({
    what: 'POST /projects',
    against: 'bare handler, one INSERT',
    goal: '',
    ...(await measure(
      ours('/projects', seeded.small.key, { ...create, json: true }),
      { url: `${bare.url}/project`, ...create, json: true },
      seconds,
    )),
  });

  await bottega.stop();
  await bare.stop();
  say(await report(rows, { write: !quick, sizes }));
} finally {
  await database.close();
  await rm(dataDir, { recursive: true });
}
