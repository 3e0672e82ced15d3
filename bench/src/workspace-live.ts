import { WebSocket } from 'ws';
import { send } from './send.ts';

type Context = { bottega: string; bare: string; key: string };

const path = '/live.txt';

/** From a program's write to the open editor, and from a key in the editor to the disk. */
export async function timeLive(context: Context, rounds: number): Promise<{ written: number[]; typed: number[] }> {
  const { id: project } = await send<{ id: string }>(context, 'POST', '/projects', { name: 'Live' });
  await send(context, 'PUT', `/projects/${project}/files`, { path, content: 'a line\n'.repeat(100) });
  const { id } = await send<{ id: string }>(context, 'POST', `/projects/${project}/workspaces`, {});
  const run = (command: string) => send(context, 'POST', `/projects/${project}/workspaces/${id}/commands`, { command });
  await run('true');
  const editor = await openEditor(context, project);
  const written: number[] = [];
  const typed: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const told = editor.next('code_change');
    const begun = performance.now();
    await Promise.all([run(`echo written ${round} >> .${path}`), told.then(() => written.push(since(begun)))]);
    const token = `typed${round}x`;
    const seen = run(`until grep -q ${token} .${path}; do sleep 0.01; done`);
    // The command waits by now.
    await new Promise((resolve) => setTimeout(resolve, 200));
    const typedAt = performance.now();
    editor.type(`${token}\n`);
    await seen.then(() => typed.push(since(typedAt)));
  }
  editor.close();
  return { written, typed };
}

const since = (begun: number): number => performance.now() - begun;

async function openEditor({ bottega, key, ...rest }: Context, project: string) {
  const input = { name: 'Bench', workspace_id: project };
  const address = '/collaboration/sessions';
  const { session_id } = await send<{ session_id: string }>({ bottega, key, ...rest }, 'POST', address, input);
  const ws = new WebSocket(`${bottega.replace('http', 'ws')}/v1${address}/${session_id}/ws`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const next = (type: string) =>
    new Promise<void>((resolve) => {
      const look = (data: Buffer) => {
        if ((JSON.parse(data.toString()) as { type: string }).type !== type) return;
        ws.off('message', look);
        resolve();
      };
      ws.on('message', look);
    });
  await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject));
  const state = next('file_state');
  ws.send(JSON.stringify({ type: 'open_file', file_path: path }));
  await state;
  return {
    next,
    type(text: string) {
      const change = { type: 'insert', position: { line: 1, column: 1 }, text };
      ws.send(JSON.stringify({ type: 'code_change', file_path: path, changes: [change] }));
    },
    close: () => ws.terminate(),
  };
}
