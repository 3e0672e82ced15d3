import { expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { openSocket, refusalOf, startSession } from '../../testing/samples/sample-sessions.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ role: 'api', settings: { BOTTEGA_LIVE_NODE_SOCKETS: '2' } });

test('a node accepts only its maximum of sockets, whoever opens them, and accepts another once one is closed', async () => {
  const owner = await service.createUser();
  const { id } = await createProject(service, owner);
  const session = await startSession(service, owner, { workspace_id: id });
  const open = () => openSocket(service, session, { key: owner.key });
  const first = await open();
  await open();
  expectError(await refusalOf(open()), { status: 503, code: 'SERVICE_UNAVAILABLE' });
  first.ws.close();
  await waitFor('there is room', () =>
    open().then(
      () => true,
      () => false,
    ),
  );
  expect((await refusalOf(open())).status).toBe(503);
});
