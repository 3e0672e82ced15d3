import { Bottega } from '@bottega/sdk';
import { expect, test } from 'vitest';
import { waitFor } from '../../../../apps/server/src/testing/parts/wait-for.ts';
import { useTestService } from '../../../../apps/server/src/testing/service/test-service.ts';
import { useBtg } from '../testing/btg.fixture.ts';
import { idsOfEvents, makeEvents, startListening } from './listen.fixture.ts';
import { useReceiver } from './receiver.fixture.ts';

const service = useTestService();
const btg = useBtg();
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const receiver = useReceiver(secret);
const rounds = 10;
const count = 1000;

test('none of 1,000 events is lost through ten stops and starts, and only the last before a kill may come twice', async () => {
  const { key } = await service.createUser();
  const client = new Bottega({ baseUrl: service.url, token: key });
  const env = { BOTTEGA_URL: service.url, BOTTEGA_TOKEN: key, HOME: await btg.newFolder() };
  const args = ['--forward', receiver.url, '--secret', secret, '--events', 'user.updated'];

  let killed = 0;
  let listener = await startListening(args, env);
  const making = makeEvents(client, count);
  for (let round = 0; round < rounds; round += 1) {
    const before = receiver.accepted.length;
    await waitFor('some arrive', () => receiver.accepted.length > before + 20 || receiver.accepted.length >= count);
    const signal = round % 2 === 0 ? 'SIGINT' : 'SIGKILL';
    killed += Number(signal === 'SIGKILL');
    listener.child.kill(signal);
    expect(await listener.ended).toBe(signal === 'SIGINT' ? 130 : null);
    listener = await startListening(args, env);
  }
  await making;
  const made = await idsOfEvents(client, 'user.updated');
  await waitFor('all arrive', () => new Set(receiver.accepted).size === made.length);
  listener.child.kill('SIGINT');
  await listener.ended;

  expect(made).toHaveLength(count);
  expect(receiver.refused).toEqual([]);
  const inOrder = receiver.accepted.filter((id, at, all) => all.indexOf(id) === at);
  expect(inOrder).toEqual(made);
  // Killed between the answer and the file, it posts the last event again under its id: at most one for each kill.
  expect(receiver.accepted.length - made.length).toBeLessThanOrEqual(killed);
});
