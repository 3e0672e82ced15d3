import { join } from 'node:path';
import type { Site } from '../cluster/index.ts';
import type { Random } from '../random.ts';
import { type Api, openApi } from './api.ts';
import { edit, type LiveFile } from './editor.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { pack } from './packer.ts';
import { push } from './pusher.ts';
import { commitFiles, createProjects, deploy, putFiles } from './writers.ts';

/** The projects that the clients work in, and the sessions of the one that is typed in, by branch. */
export type Ground = {
  written: string;
  pushed: string;
  typed: string;
  deployed: string;
  sessions: Record<LiveFile['branch'], string>;
};

export type Load = {
  api: Api;
  ledger: Ledger;
  ground: Ground;
  /** Files that are edited live. */
  liveFiles: readonly LiveFile[];
  /** Ends each client after its current request. */
  finish(): Promise<void>;
  /** Ends the clients at once. */
  abandon(): void;
};

/** The same path is typed in on two branches at once. */
const liveFiles = [
  { branch: 'main', path: '/live/one.txt' },
  { branch: 'main', path: '/live/two.txt' },
  { branch: 'work', path: '/live/one.txt' },
] as const satisfies LiveFile[];
export const hooks = { any: '/any', ordered: '/ordered' };
/** Enough retries for every fault: a delivery that does not arrive then is lost, not given up. */
const patient = { max_attempts: 25, backoff_strategy: 'fixed', initial_delay: 3_000, max_delay: 3_000 };

/** Prepares the ground, and runs all clients on it until they finish. */
export async function startLoad(cluster: Site, random: Random): Promise<Load> {
  const ledger = openLedger();
  const api = openApi(cluster, ledger, random);
  const must = async (method: string, path: string, json: unknown) => {
    const answer = await api.ask(method, path, json);
    if (!answer) throw new Error(`${method} ${path} failed: ${JSON.stringify(ledger.wrongAnswers)}`);
    return answer.body;
  };
  for (const [path, ordered] of [
    [hooks.any, false],
    [hooks.ordered, true],
  ] as const) {
    const url = cluster.receiver.url(path);
    await must('POST', '/v1/webhooks', { name: path, url, events: ['*'], ordered, timeout: 5, retry_policy: patient });
  }
  const project = async (name: string) => {
    const attempt = ledger.begin('create', null, [name]);
    const id = String((await must('POST', '/v1/projects', { name })).id);
    ledger.acknowledge(attempt, id);
    return id;
  };
  const [written, pushed, typed, deployed] = [
    await project('Written'),
    await project('Pushed'),
    await project('Typed'),
    await project('Deployed'),
  ];
  const onMain = liveFiles.filter(({ branch }) => branch === 'main');
  const first = [...onMain.map(({ path }) => [typed, path] as const), [deployed, '/page.txt'] as const];
  for (const [id, path] of first) await must('PUT', `/v1/projects/${id}/files`, { path, content: 'end\n' });
  await must('POST', `/v1/projects/${typed}/branches`, { name: 'work' });
  const session = async (branch: string) => {
    const input = { name: 'Typed', workspace_id: typed, branch };
    return String((await must('POST', '/v1/collaboration/sessions', input)).session_id);
  };
  const sessions = { main: await session('main'), work: await session('work') };
  const ground = { written, pushed, typed, deployed, sessions };
  let isOver = false;
  const working = startClients({ api, ledger, ground, cluster, isOver: () => isOver });
  return {
    api,
    ledger,
    ground,
    liveFiles,
    async finish() {
      isOver = true;
      await working;
    },
    abandon() {
      isOver = true;
      working.catch(() => undefined);
      api.stop();
    },
  };
}

type Working = { api: Api; ledger: Ledger; ground: Ground; cluster: Site; isOver: () => boolean };

function startClients({ api, ledger, ground, cluster, isOver }: Working): Promise<unknown> {
  const client = (projectId: string) => ({ api, ledger, projectId, isOver });
  const editor = (file: LiveFile) => ({ ...client(ground.typed), file, sessionId: ground.sessions[file.branch] });
  return Promise.all([
    ...['Ada', 'Ben', 'Cleo'].map((name) => putFiles(client(ground.written), name)),
    commitFiles(client(ground.written), 'Dora'),
    createProjects(client(''), 'Emil'),
    createProjects(client(''), 'Fay'),
    push({ ...client(ground.pushed), dir: join(cluster.dir, 'clone') }),
    edit(editor(liveFiles[0]), 'Gil'),
    edit(editor(liveFiles[0]), 'Hana'),
    edit(editor(liveFiles[1]), 'Ines'),
    edit(editor(liveFiles[2]), 'Jon'),
    edit(editor(liveFiles[2]), 'Kim'),
    deploy(client(ground.deployed)),
    pack(cluster, [ground.written, ground.pushed, ground.typed], isOver),
  ]);
}
