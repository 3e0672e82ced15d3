import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Variable } from '@bottega/sdk';
import { expect, test } from 'vitest';
import { useBtg } from '../testing/btg.fixture.ts';
import { asEnvFile } from './env-file.ts';

const btg = useBtg();
const run = promisify(execFile);

/** The values that two shells and Node read from a file, and the contents of its folder afterwards. */
async function readBack(values: string[]) {
  const cwd = await btg.newFolder();
  await writeFile(join(cwd, '.env'), asEnvFile(values.map((value, at) => ({ name: `V${at}`, value }) as Variable)));
  const options = { cwd, env: { PATH: process.env.PATH ?? '' } };
  const print = `process.stdout.write(JSON.stringify(Array.from({ length: ${values.length} }, (_, at) => process.env["V" + at])))`;
  const inShell = (shell: string) =>
    run(shell, ['-c', `set -a; . ./.env; "$0" -e '${print}'`, process.execPath], options);
  const node = run(process.execPath, ['--env-file=.env', '-e', print], options);
  const read = await Promise.all([inShell('sh'), inShell('bash'), node]);
  const [sh, bash, byNode] = read.map(({ stdout }) => JSON.parse(stdout) as string[]);
  return { sh, bash, byNode, files: await readdir(cwd) };
}

test('shells and Node read values back unchanged, and nothing in the values runs', async () => {
  const values = [
    ...['plain', '', 'a b', '$(touch ran)', '`touch ran`', '$' + '{HOME}', '$HOME', 'a; touch ran', 'a & touch ran'],
    ...['~', 'a "b" #c', '# no comment', 'back\\slash\\n', 'two\nlines\ntouch ran', '!!', "it's", "it's two\nlines"],
    ...['*', '"', 'ends with a space ', '\ttab', 'ünï'],
  ];
  expect(await readBack(values)).toEqual({ sh: values, bash: values, byNode: values, files: ['.env'] });
});

test('shells read back a value with every kind of quote, and nothing in the value runs', async () => {
  const values = [`'"$(touch ran)\`touch ran\`\\'`, "it's $(touch ran)"];
  expect(await readBack(values)).toMatchObject({ sh: values, bash: values, files: ['.env'] });
});

test('a name that no variable may have is left out, and named in one line', () => {
  const names = ['A B', 'a;touch ran', 'X\ntouch ran', '1A', ''];
  const lines = asEnvFile(names.map((name) => ({ name, value: 'v' }) as Variable)).split('\n');
  expect(lines.slice(0, -1).every((line) => line.startsWith('# omitted'))).toBe(true);
  expect(lines).toHaveLength(6);
});
