import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { openPool } from '../../../apps/server/src/foundation/db/pool.ts';
import { type MailServer, startMailServer } from '../../../apps/server/src/testing/parts/mail-server.ts';
import { startNameServer } from '../../../apps/server/src/testing/parts/name-server.ts';
import { addUser, type SeededUser } from '../seed.ts';
import type { Connection } from '../start-server.ts';
import { type Attack, newAttacker } from './attacker.ts';
import { buildAttacks, deploy, ended, projectWithFile } from './build-attacks.ts';
import { gitAttacks } from './git-attacks.ts';
import { liveAttacks } from './live-attacks.ts';
import { otherAttacks } from './other-attacks.ts';
import { type Attacked, startAttacked } from './service.ts';
import { textAttacks } from './text-attacks.ts';
import { type Watched, watch } from './victim.ts';

type Context = {
  connection: Connection;
  dataDir: string;
  reader: SeededUser;
  project: string;
  say(line: string): void;
  /** A prefix of the attacks' names; empty for all. */
  only: string;
  /** How often each attack is repeated. A pause of the machine itself weighs less among more answers. */
  rounds: number;
};
type Abused = { attack: Attack; quiet: Watched; under: Watched; peakMiB: number; deaths: number; got: string };
/** The answers of all rounds, and the 99th percentile of the worst of them. */
type AllRounds = Abused & { worst: number };

const quietMs = 5_000;
const attackMs = 10_000;
const leastMs = 1_000;
/** Longest attack, in milliseconds. After this it is abandoned; its resources end with the service. */
const maxMs = 60_000;

const goal =
  '99th percentile at most 3 times as high as in the quiet service, less than 1,024 MiB of memory, no restarts and no 5xx';

/**
 * One ordinary account attacks, while another reads its own project all the time. Each attack gets a newly started
 * service with the default limits.
 */
export async function measureAbuse(context: Context): Promise<string> {
  const dataDir = join(context.dataDir, 'abuse');
  await mkdir(dataDir);
  // Not below the data directory: as root, builds run as other users, who need access.
  const buildDir = await mkdtemp('/var/tmp/bottega-abuse-');
  await chmod(buildDir, 0o711);
  const { connection } = context;
  const mail = await startMailServer();
  const { names, close: closeNames } = await startNameServer();
  names.silence('.silent.example');
  const own = { dataDir, buildDir, port: await freePort(), smtpUrl: mail.url, nameServer: names.address };
  const service = await startAttacked({ connection, ...own });
  const pool = openPool(connection, { max: 2, onIdleError: () => undefined });
  const client = new pg.Client(connection);
  await client.connect();
  const rows: string[][] = [];
  try {
    const problem = await whyNoSandbox(service.url);
    const all = [...buildAttacks, ...gitAttacks, ...textAttacks, ...otherAttacks, ...liveAttacks];
    for (const attack of all.filter(({ name }) => name.startsWith(context.only))) {
      const isPossible = problem === null || !attack.needsSandbox;
      const row = isPossible
        ? cells(await attackedOften(context, { service, pool, client, mail }, attack))
        : notTried(attack, problem);
      context.say(`  ${row.join(' | ')}`);
      rows.push(row);
    }
  } finally {
    await service.stop();
    await mail.close();
    closeNames();
    await client.end();
    await pool.end();
    // Uses the system's own program: builds may leave files nested deeper than the longest path.
    await promisify(execFile)('rm', ['-rf', buildDir, dataDir]);
  }
  return table(rows, context.rounds);
}

type Parts = { service: Attacked; pool: pg.Pool; client: pg.Client; mail: MailServer };

async function attackedOften(context: Context, parts: Parts, attack: Attack): Promise<AllRounds> {
  const rounds: Abused[] = [];
  for (let round = 1; round <= context.rounds; round++) rounds.push(await attacked(context, parts, attack, round));
  return {
    attack,
    quiet: together(rounds.map(({ quiet }) => quiet)),
    under: together(rounds.map(({ under }) => under)),
    worst: Math.max(...rounds.map(({ under }) => p99(under))),
    peakMiB: Math.max(...rounds.map(({ peakMiB }) => peakMiB)),
    deaths: sum(rounds.map(({ deaths }) => deaths)),
    got: rounds.at(-1)?.got ?? '',
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const together = (all: readonly Watched[]): Watched => ({
  latencies: all.flatMap(({ latencies }) => latencies),
  serverErrors: sum(all.map(({ serverErrors }) => serverErrors)),
  unanswered: sum(all.map(({ unanswered }) => unanswered)),
});

async function attacked({ reader, project }: Context, parts: Parts, attack: Attack, round: number): Promise<Abused> {
  const { service, pool, client, mail } = parts;
  const [attacker, other, first] = await Promise.all(
    ['attacker', 'other', 'first'].map(async (role) => {
      const { key } = await addUser(
        pool,
        `${role}-${round}-${attack.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`,
        'free',
      );
      return newAttacker(service.url, key);
    }),
  );
  if (!attacker || !other || !first) throw new Error('there is nobody');
  const target = { url: `${service.url}/v1/projects/${project}`, headers: { authorization: `Bearer ${reader.key}` } };
  const scene = { attacker, other, service, mail };
  const begin = await attack.prepare(scene);
  // A service that has just started still tries its sandbox, which is no quiet. With its first commit and deployment a
  // process compiles what it answers them with, some 70 ms once, which is no attack.
  const problem = await whyNoSandbox(service.url);
  const warmed = await projectWithFile(first);
  if (problem === null) await ended(first, await deploy(first, warmed, 'true'), AbortSignal.timeout(maxMs));
  const quiet = await during(await watch(target), pause(quietMs));
  service.figures();
  const watching = await watch(target);
  const limit = pause(maxMs, 'it did not end');
  const attacking = begin(AbortSignal.timeout(attackMs)).catch((error) => `it failed: ${error}`);
  const got = await Promise.race([attacking, limit]);
  // Without this wait, an attack that is refused at once would show nothing.
  await pause(leastMs);
  const under = await watching.end();
  const figures = service.figures();
  const later = await attack.afterwards?.(scene).catch(String);
  const row = { attack, quiet, under, ...figures, got: [got, later].filter(Boolean).join('; ') };
  await client.query(`delete from deployments where status in ('pending', 'building')`);
  await service.restart();
  await Promise.all([attacker, other, first].map(({ directory }) => rm(directory, { recursive: true, force: true })));
  return row;
}

async function during(watching: { end(): Promise<Watched> }, time: Promise<unknown>): Promise<Watched> {
  await time;
  return watching.end();
}

/** Null if builds can run. The service tests its sandbox on first use, which takes a moment. */
async function whyNoSandbox(url: string): Promise<string | null> {
  type Ready = { details?: { builds?: { problem: string | null } | null } };
  for (let attempt = 0; attempt < 60; attempt++) {
    const { details } = (await (await fetch(`${url}/readyz`)).json()) as Ready;
    if (details?.builds) return details.builds.problem;
    await pause(1000);
  }
  return 'the sandbox did not say whether it works';
}

const notTried = ({ name }: Attack, why: string): string[] => [
  name,
  ...Array<string>(6).fill('–'),
  `not tried: ${why.replaceAll('\n', ' ')}`,
];

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function cells({ attack, quiet, under, worst, peakMiB, deaths, got }: AllRounds): string[] {
  const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
  const failures = `${deaths} / ${under.serverErrors}${under.unanswered > 0 ? `, ${under.unanswered} unanswered` : ''}`;
  const [before, after] = [p99(quiet), p99(under)];
  const ratios = [after, worst].map((value) => (value / before).toFixed(1));
  return [attack.name, ms(before), ms(after), ...ratios, String(peakMiB), failures, got.replaceAll(/[|\n]+/g, ' ')];
}

const p99 = ({ latencies }: Watched): number =>
  latencies.toSorted((one, other) => one - other)[Math.floor(latencies.length * 0.99)] ?? 0;

function table(rows: string[][], rounds: number): string {
  const columns = [
    'attack',
    'quiet p99',
    'p99 under attack',
    'ratio',
    'of the worst round',
    'peak RSS, MiB',
    'restarts / 5xx',
    'what the attacker got',
  ];
  const lines = [columns, columns.map(() => '---'), ...rows].map((line) => `| ${line.join(' | ')} |`);
  const about = `GET /projects/{id} by one account while another attacks ${rounds} times for ${attackMs / 1000} s. Goal: ${goal}.`;
  return [about, '', ...lines].join('\n');
}
