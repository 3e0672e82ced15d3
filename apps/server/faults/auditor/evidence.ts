import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nameOfLive, readText } from '../clients/editor.ts';
import type { Load } from '../clients/index.ts';
import type { Ledger } from '../clients/ledger.ts';
import { patientGit as git, remoteOf } from '../clients/pusher.ts';
import type { Site } from '../cluster/index.ts';
import { commandsBelow } from '../cluster/left-behind.ts';
import type { Arrival } from '../cluster/receiver.ts';
import { findRows } from './tables.sql.ts';

export type Told = {
  id: string;
  event: string;
  data: { project?: { id: string; name: string }; file?: { path: string } };
};

/** A project as a clone of it shows it. */
export type Clone = { projectId: string; files: Map<string, string>; commits: Set<string>; fsck: string };

/** Everything that the rules are checked against, collected once nothing is under way. */
export type Evidence = {
  ledger: Ledger;
  events: Told[];
  arrivals: readonly Arrival[];
  projects: { id: string; name: string }[];
  clones: Clone[];
  /** Live texts, as a client that opens them now gets them. */
  texts: { projectId: string; path: string; text: string }[];
  deployments: { id: string; status: string; error: { type: string; message: string } | null }[];
  rows: { sentence: string; found: string[] }[];
  /** Commands of processes that still run for a build that has ended. */
  processes: string[];
  /** Errors in the logs of nodes and workers. */
  logged: string[];
};

export async function gather(cluster: Site, { api, ledger, ground, liveFiles }: Load): Promise<Evidence> {
  const read = async (path: string) => {
    const answer = await api.ask('GET', path);
    if (!answer) throw new Error(`the auditor could not read ${path}: ${JSON.stringify(ledger.wrongAnswers.at(-1))}`);
    return answer.body;
  };
  const texts = await Promise.all(
    liveFiles.map(async (file) => {
      const where = { projectId: ground.typed, path: nameOfLive(file) };
      const sessionId = ground.sessions[file.branch];
      return { ...where, text: await readText({ api, ledger, projectId: ground.typed, file, sessionId }) };
    }),
  );
  const deployed = ledger.attempts.filter(({ kind, id }) => kind === 'deployment' && id !== null);
  const clones: Clone[] = [];
  for (const projectId of [ground.written, ground.pushed, ground.typed]) {
    clones.push(await cloneOf(await mkdtemp(join(cluster.dir, 'audit-')), remoteOf(api, projectId), projectId));
  }
  const deployments: Evidence['deployments'] = [];
  for (const { projectId, id } of deployed) {
    deployments.push((await read(`/v1/projects/${projectId}/deployments/${id}`)) as Evidence['deployments'][number]);
  }
  return {
    ledger,
    texts,
    clones,
    deployments,
    projects: await allProjects(read),
    events: await allEvents(read),
    arrivals: [...cluster.receiver.arrivals],
    rows: await findRows(cluster),
    processes: [...cluster.nodes, ...cluster.workers].flatMap(({ builds }) => commandsBelow(builds)),
    logged: (await Promise.all([...cluster.nodes, ...cluster.workers].map(({ log }) => errorsIn(log)))).flat(),
  };
}

type Read = (path: string) => Promise<Record<string, unknown>>;

async function allProjects(read: Read): Promise<Evidence['projects']> {
  const all: Evidence['projects'] = [];
  for (let page = 1; ; page++) {
    const { data } = (await read(`/v1/projects?limit=100&page=${page}`)) as { data: Evidence['projects'] };
    all.push(...data);
    if (data.length < 100) return all;
  }
}

async function allEvents(read: Read): Promise<Told[]> {
  const all: Told[] = [];
  for (let after = ''; ; ) {
    const page = (await read(`/v1/events?limit=1000${after && `&after=${after}`}`)) as {
      data: Told[];
      pagination: { has_more: boolean; next: string };
    };
    all.push(...page.data);
    if (!page.pagination.has_more) return all;
    after = page.pagination.next;
  }
}

async function cloneOf(dir: string, remote: string, projectId: string): Promise<Clone> {
  await git(dir, 'clone', '--quiet', remote, 'copy');
  const copy = join(dir, 'copy');
  const fsck = await git(copy, 'fsck', '--full', '--strict').catch((error: Error) => String(error));
  const commits = (await git(copy, 'log', '--format=%H', 'origin/main')).split('\n');
  const entries = await readdir(copy, { recursive: true, withFileTypes: true });
  const files = new Map<string, string>();
  for (const entry of entries) {
    const full = join(entry.parentPath, entry.name);
    if (!entry.isFile() || full.startsWith(join(copy, '.git'))) continue;
    files.set(full.slice(copy.length), await readFile(full, 'utf8'));
  }
  const onBranch = await git(copy, 'show', 'origin/work:live/one.txt').catch(() => null);
  // The line break at the end is not part of what `git` returns here.
  if (onBranch !== null) files.set('work:/live/one.txt', `${onBranch}\n`);
  return { projectId, files, commits: new Set(commits), fsck };
}

/** A refusal with 503, and a push that it ends, are logged as errors too; the clients judge those answers. */
async function errorsIn(log: string): Promise<string[]> {
  return (await readFile(log, 'utf8'))
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line) && !/temporarily unavailable|process a push/.test(line));
}
