import type { Api } from './api.ts';
import type { Ledger } from './ledger.ts';

/** Every file that a client writes contains its own path, so that its content can be checked without storing it. */
export const contentOf = (path: string): string => `This is ${path}.\n`;

/** A directory that only grew would make every commit slower than the last. */
const hundred = (number: number): number => Math.floor(number / 100);

type Client = { api: Api; ledger: Ledger; projectId: string; isOver: () => boolean };

/** Writes one file after the other, each in a commit of its own. */
export async function putFiles({ api, ledger, projectId, isOver }: Client, name: string): Promise<void> {
  for (let number = 1; !isOver(); number++) {
    const path = `/put/${hundred(number)}/${name}-${number}.txt`;
    const attempt = ledger.begin('put', projectId, [path]);
    const answer = await api.ask('PUT', `/v1/projects/${projectId}/files`, { path, content: contentOf(path) });
    if (answer) ledger.acknowledge(attempt, String(answer.body.commit_sha));
    await pause(answer ? 120 : 200);
  }
}

/** Commits three files at once: all of them, or none. */
export async function commitFiles({ api, ledger, projectId, isOver }: Client, name: string): Promise<void> {
  for (let number = 1; !isOver(); number++) {
    const paths = ['a', 'b', 'c'].map((one) => `/commit/${hundred(number)}/${name}-${number}/${one}.txt`);
    const attempt = ledger.begin('commit', projectId, paths);
    const changes = paths.map((path) => ({ action: 'create', path, content: contentOf(path) }));
    const answer = await api.ask('POST', `/v1/projects/${projectId}/commits`, { message: `Commit ${number}`, changes });
    if (answer) ledger.acknowledge(attempt, String(answer.body.sha));
    await pause(answer ? 500 : 300);
  }
}

/** Creates projects, each requested under an idempotency key until it exists: it must exist once. */
export async function createProjects({ api, ledger, isOver }: Client, name: string): Promise<void> {
  for (let number = 1; !isOver(); number++) {
    const wanted = `${name} ${number}`;
    const attempt = ledger.begin('create', null, [wanted]);
    while (attempt.acknowledgedAt === null && !isOver()) {
      const headers = { 'idempotency-key': `${name}-${number}` };
      const answer = await api.ask('POST', '/v1/projects', { name: wanted }, headers);
      if (answer) ledger.acknowledge(attempt, String(answer.body.id));
      else await pause(200);
    }
    await pause(300);
  }
}

const build = `mkdir -p dist && for line in 1 2 3; do echo "line $line"; sleep 1; done && echo built > dist/index.html`;

/** Creates deployments with a build that takes some seconds and prints meanwhile. */
export async function deploy({ api, ledger, projectId, isOver }: Client): Promise<void> {
  for (let number = 1; !isOver(); number++) {
    const environment = `try-${number % 3}`;
    const attempt = ledger.begin('deployment', projectId, []);
    const asked = { environment, build_command: build, output_directory: 'dist' };
    const answer = await api.ask('POST', `/v1/projects/${projectId}/deployments`, asked);
    if (answer) ledger.acknowledge(attempt, String(answer.body.id));
    await pause(4_000, isOver);
  }
}

/** The pause of clients between two requests. */
export async function pause(ms: number, isOver: () => boolean = () => false): Promise<void> {
  const until = performance.now() + ms;
  for (let left = ms; left > 0 && !isOver(); left = until - performance.now()) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(100, left)));
  }
}
