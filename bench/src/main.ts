import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEmbeddedDatabase } from '../../apps/server/src/foundation/db/embedded/index.ts';
import { measureAbuse } from './abuse/index.ts';
import { measureBackups } from './backups.ts';
import { measureBranches } from './branches.ts';
import { measureDeployments } from './deployments.ts';
import { measureEvents } from './events.ts';
import { measureFiles } from './files.ts';
import { measureGrowth } from './growth.ts';
import { measureLive } from './live.ts';
import { measureMergeRequests } from './merge-requests.ts';
import { measureHistory } from './packs.ts';
import { measurePages } from './pages.ts';
import { measureProcesses } from './processes.ts';
import { measureProjects } from './projects.ts';
import { type Part, tableOf, writeResults } from './report.ts';
import { measureSdk } from './sdk.ts';
import { seed } from './seed.ts';
import { measureShapes } from './shapes.ts';
import { measureSignIn } from './sign-in.ts';
import { type Server, startServer } from './start-server.ts';
import { measureStarts } from './starts.ts';
import { measureWebhooks } from './webhooks.ts';
import { measureWorkspaces } from './workspaces.ts';

// `npm run bench`; `-- --quick` seeds less and measures shorter, `-- --only files` runs one part, to try a change; `--
// --only abuse --attack H6` runs one attack, and `--rounds 3` repeats each; `-- --only growth --large` has a history of 10,000,000 deliveries and
// events (20 GB). All but the last write their results to bench/results.md.
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
    only: { type: 'string' },
    attack: { type: 'string' },
    rounds: { type: 'string' },
  },
});
const sizes = values.quick ? { large: 10_000, total: 20_000 } : { large: 100_000, total: 1_000_000 };
const seconds = values.quick ? 2 : 5;
const wants = (part: string): boolean => values.only === undefined || values.only === part;
const say = (line: string) => process.stdout.write(`${line}\n`);

const dataDir = await mkdtemp(join(tmpdir(), 'bottega-bench-'));
const log = { info() {}, warn: (_details: object, message: string) => say(message) };
const database = await openEmbeddedDatabase({ dataDir, holder: 'service', description: 'bench', log });
const servers: Server[] = [];
let ended: Promise<void> | undefined;
const end = (): Promise<void> => {
  ended ??= (async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await database.close();
    await rm(dataDir, { recursive: true });
  })();
  return ended;
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void end().finally(() => process.exit(130)));
}
try {
  say(`seeding ${sizes.total.toLocaleString('en')} projects …`);
  const seeded = await seed(database.connection, sizes);
  const bottega = await startServer('bottega-server.ts', database.connection, { BENCH_DIR: dataDir });
  servers.push(bottega);
  const bare = await startServer('bare-server.ts', database.connection, {
    BENCH_DIR: dataDir,
    BENCH_PROJECT: seeded.project,
    BENCH_SMALL_USER: seeded.small.id,
  });
  servers.push(bare);
  const { connection } = database;
  const { small, project } = seeded;
  const both = { bottega: bottega.url, bare: bare.url, seconds, connection };
  const measures = {
    projects: () => measureProjects({ ...both, seeded, large: sizes.large }),
    files: () => measureFiles({ ...both, key: small.key }),
    branches: () => measureBranches({ ...both, key: small.key }),
    'merge-requests': () => measureMergeRequests({ ...both, key: small.key }),
    processes: () => measureProcesses({ ...both, bottega, key: small.key }),
    'sign-in': () => measureSignIn({ ...both, seeded }),
    webhooks: () => measureWebhooks({ ...both, user: small, quick: values.quick }),
    events: () => measureEvents({ bottega, connection, quick: values.quick }),
    deployments: () => measureDeployments({ ...both, key: small.key }),
    history: () => measureHistory({ ...both, key: small.key, quick: values.quick, cache: join(dataDir, 'cache/git') }),
    growth: () => measureGrowth({ ...both, user: small, key: small.key, quick: values.quick, large: values.large }),
    backups: () => measureBackups({ ...both, key: small.key, quick: values.quick }),
    sdk: () => measureSdk({ ...both, key: small.key, project }),
    pages: () => measurePages({ bottega: bottega.url, user: small }),
    starts: () => measureStarts({ dataDir }),
    shapes: () => measureShapes({ dataDir, seconds, quick: values.quick }),
    workspaces: () => measureWorkspaces({ ...both, pid: bottega.pid, key: small.key }),
    live: () => measureLive({ ...both, key: small.key, memory: bottega.memory }),
  };
  const parts: Part[] = [];
  for (const [name, measure] of Object.entries(measures)) {
    if (wants(name)) parts.push({ name, table: tableOf(await measure()) });
  }
  if (wants('abuse')) {
    // Another service on this database would take half of the builds and jobs.
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    const wanted = { only: values.attack ?? '', rounds: Number(values.rounds ?? (values.quick ? 1 : 3)) };
    const table = await measureAbuse({ connection, dataDir, reader: small, project, say, ...wanted });
    parts.push({ name: 'abuse', table });
  }
  for (const { name, table } of parts) say(`${name}\n\n${table}\n`);
  if (values.attack === undefined) await writeResults(parts, sizes.total);
} finally {
  await end();
}
