import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { describeWith } from '../testing/parts/programs.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { newWorkspace, run, workspacePrograms, workspaceSettings } from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';

const mebibyte = 2 ** 20;

/** Ends when half of the memory of former work has been given back. */
const program = `
  import { getHeapStatistics } from 'node:v8';
  import { giveBackWhenIdle } from ${JSON.stringify(new URL('agent/idle-memory.mjs', import.meta.url))};
  const heldBytes = () => getHeapStatistics().total_physical_size;
  let work = Array.from({ length: 1_000_000 }, (_, number) => ({ number }));
  gc();
  const before = heldBytes();
  work = null;
  giveBackWhenIdle();
  setInterval(() => {
    if (heldBytes() > before / 2) return;
    console.log(before);
    process.exit();
  }, 100);
`;

test('an idle agent releases the memory that it used before', async () => {
  const arguments_ = ['--expose-gc', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, arguments_, { timeout: 60_000 });
  expect(Number(stdout)).toBeGreaterThan(20 * mebibyte);
});

describeWith(workspacePrograms, 'the agent of a workspace', () => {
  const service = useTestService({ settings: workspaceSettings });

  test('is started with the flag that lets it collect its own garbage', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    const { stdout } = await run(at, "tr '\\0' ' ' < /proc/$PPID/cmdline");
    expect(stdout).toContain('--expose-gc');
    expect(stdout).toContain('main.mjs');
  });
});
