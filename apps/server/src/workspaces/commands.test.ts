import { expect, test } from 'vitest';
import { describeWith } from '../testing/parts/programs.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { inProject, writeFile } from '../testing/samples/sample-files.ts';
import { newWorkspace, run, workspacePrograms, workspaceSettings } from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';

describeWith(workspacePrograms, 'commands in a workspace', () => {
  const service = useTestService({ settings: workspaceSettings });

  test('see the files of the branch, and end with their exit code', async () => {
    const place = await projectOf(service, { '/src/a.txt': 'hello\n' });
    const at = await newWorkspace(place);
    const done = await run(at, 'cat src/a.txt; echo oops >&2; exit 3');
    expect(done).toMatchObject({ exit_code: 3, stdout: 'hello\n', stderr: 'oops\n', truncated: false });
  });

  test('see what was written through the API before them, and their changes are on the branch after them', async () => {
    const place = await projectOf(service, { '/a.txt': 'one\n' });
    const at = await newWorkspace(place);
    await writeFile(place, '/b.txt', 'two\n');
    expect(
      (await run(at, 'cat b.txt; echo three >> b.txt; mkdir -p deep/er; echo new > deep/er/c.txt; rm a.txt')).stdout,
    ).toBe('two\n');
    const files = await inProject<{ data: { path: string }[] }>(place, 'GET', '/files?recursive=true');
    expect(files.text).toContain('/deep/er/c.txt');
    expect(files.text).not.toContain('/a.txt');
  });
});
