import type { Workspace } from '@bottega/contract';
import { expect, test } from 'vitest';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import {
  inWorkspace,
  newWorkspace,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';

describeWith(workspacePrograms, 'the disk of a workspace', () => {
  const service = useTestService({ settings: { ...workspaceSettings, BOTTEGA_WORKSPACE_DISK: String(4 * 2 ** 20) } });

  test('is measured while the workspace runs, and using too much of it ends the workspace with the reason', async () => {
    const at = await newWorkspace(await projectOf(service, { '/.gitignore': 'big\n' }));
    const filled = { command: 'head -c 16777216 /dev/zero > big; sleep 300', background: true };
    expect((await inWorkspace(at, 'POST', '/commands', filled)).status).toBe(201);
    const failed = await waitFor('it fails', async () => {
      const { body } = await inWorkspace<Workspace>(at, 'GET', '');
      return body.status === 'failed' && body;
    });
    expect(failed.reason).toBe('The workspace used too much disk space');
  });
});
