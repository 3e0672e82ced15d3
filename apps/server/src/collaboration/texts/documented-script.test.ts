import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { contentAt, newPlace, writeFile } from '../../testing/samples/sample-files.ts';
import { openSocket, socketUrl, startSession } from '../../testing/samples/sample-sessions.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ role: 'api', settings: { BOTTEGA_LIVE_SAVE_PAUSE: '50' } });

test('the script of docs/live.md works as written', async () => {
  const page = readFileSync(new URL('../../../../../docs/live.md', import.meta.url), 'utf8');
  const script = /```js\n(\/\/ node follow\.mjs[\s\S]*?)```/.exec(page)?.[1] ?? '';
  const place = await newPlace(service);
  await writeFile(place, '/hello.txt', 'héllo\r\n🐙\n');
  const session = await startSession(service, place.user, { workspace_id: place.projectId });
  const url = socketUrl(service, session.session_id);
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, 'follow.mjs', url, '/hello.txt'], {
    // The directory from which its package resolves.
    cwd: new URL('../../..', import.meta.url),
    env: { PATH: process.env.PATH, KEY: place.user.key },
  });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (output += data));
  try {
    const written = '// a script was here\nhéllo\r\n🐙\n';
    await waitFor('it has written its line', async () => (await contentAt(place, '/hello.txt')) === written);
    const socket = await openSocket(service, session, { key: place.user.key });
    const position = { line: 3, column: 3 };
    socket.send({ type: 'code_change', file_path: '/hello.txt', changes: [{ type: 'insert', position, text: '!' }] });
    await waitFor('it follows', () => output.includes(`code_change ${JSON.stringify(`${written.trimEnd()}!\n`)}`));
    socket.ws.close();
  } catch (error) {
    expect.fail(`${error}\n${output}`);
  } finally {
    child.kill();
  }
});
