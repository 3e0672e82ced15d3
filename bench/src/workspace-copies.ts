import { setTimeout as delay } from 'node:timers/promises';
import { type Caller, send } from './send.ts';

const packages = 3_000;
const setup = `mkdir -p node_modules && cd node_modules && for i in $(seq ${packages}); do echo "module.exports = $i" > $i.js; done`;

type Command = { status: string; command: string };

/**
 * How long it takes to fork a workspace, and to start a second one whose project has a setup of 3,000 files, up to the
 * result of a command that needs them. In milliseconds.
 */
export async function timeCopies(caller: Caller, rounds: number): Promise<{ forks: number[]; starts: number[] }> {
  const { id: project } = await send<{ id: string }>(caller, 'POST', '/projects', { name: 'Setup' });
  const json = JSON.stringify({ workspace: { setup, start: 'true' } });
  await send(caller, 'PUT', `/projects/${project}/files`, { path: '/bottega.json', content: json });
  const all = `/projects/${project}/workspaces`;
  const create = async (path = '', body = {}): Promise<string> =>
    `${all}/${(await send<{ id: string }>(caller, 'POST', `${all}${path}`, body)).id}`;
  const needs = (at: string) => send(caller, 'POST', `${at}/commands`, { command: `cat node_modules/${packages}.js` });
  const origin = await create();
  for (;;) {
    const { data } = await send<{ data: Command[] }>(caller, 'GET', `${origin}/commands`);
    if (data.some(({ command, status }) => command === 'true' && status === 'exited')) break;
    await delay(100);
  }
  const [forks, starts]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    const at = await create();
    await needs(at);
    starts.push(performance.now() - begun);
    await send(caller, 'DELETE', at);
    const forking = performance.now();
    const fork = await create(`/${origin.slice(all.length + 1)}/fork`);
    forks.push(performance.now() - forking);
    await needs(fork);
    await send(caller, 'DELETE', fork);
  }
  return { forks, starts };
}
