import { join } from 'node:path';
import type { Site } from '../cluster/index.ts';
import type { Random } from '../random.ts';
import { type Api, openApi } from './api.ts';
import { edit } from './editor.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { push } from './pusher.ts';
import { commitFiles, createProjects, deploy, putFiles } from './writers.ts';

/** The projects and the session that the clients work in. */
export type Ground = { written: string; pushed: string; typed: string; deployed: string; sessionId: string };

export type Load = {
  api: Api;
  ledger: Ledger;
  ground: Ground;
  /** Files that are edited live. */
  livePaths: readonly string[];
  /** Ends each client after its current request. */
  finish(): Promise<void>;
  /** Ends the clients at once. */
  abandon(): void;
};

const livePaths = ['/live/one.txt', '/live/two.txt'] as const;
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
  const first = [...livePaths.map((path) => [typed, path] as const), [deployed, '/page.txt'] as const];
  for (const [id, path] of first) await must('PUT', `/v1/projects/${id}/files`, { path, content: 'end\n' });
  const session = await must('POST', '/v1/collaboration/sessions', { name: 'Typed', workspace_id: typed });
  const ground = { written, pushed, typed, deployed, sessionId: String(session.session_id) };
  let isOver = false;
  const working = startClients({ api, ledger, ground, dir: cluster.dir, isOver: () => isOver });
  return {
    api,
    ledger,
    ground,
    livePaths,
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

type Working = { api: Api; ledger: Ledger; ground: Ground; dir: string; isOver: () => boolean };

function startClients({ api, ledger, ground, dir, isOver }: Working): Promise<unknown> {
  const client = (projectId: string) => ({ api, ledger, projectId, isOver });
  const editor = { ...client(ground.typed), sessionId: ground.sessionId };
  return Promise.all([
    ...['Ada', 'Ben', 'Cleo'].map((name) => putFiles(client(ground.written), name)),
    commitFiles(client(ground.written), 'Dora'),
    createProjects(client(''), 'Emil'),
    createProjects(client(''), 'Fay'),
    push({ ...client(ground.pushed), dir: join(dir, 'clone') }),
    edit({ ...editor, path: livePaths[0] }, 'Gil'),
    edit({ ...editor, path: livePaths[0] }, 'Hana'),
    edit({ ...editor, path: livePaths[1] }, 'Ines'),
    deploy(client(ground.deployed)),
  ]);
}
