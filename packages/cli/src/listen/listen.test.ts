import { Bottega } from '@bottega/sdk';
import { beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../../apps/server/src/testing/parts/wait-for.ts';
import { useTestService } from '../../../../apps/server/src/testing/service/test-service.ts';
import { useBtg } from '../testing/btg.fixture.ts';
import { idsOfEvents, makeEvents } from './listen.fixture.ts';
import { useReceiver } from './receiver.fixture.ts';

const service = useTestService();
const btg = useBtg();
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const receiver = useReceiver(secret);
let env: Record<string, string>;
let client: Bottega;

beforeAll(async () => {
  const { key } = await service.createUser();
  env = { BOTTEGA_URL: service.url, BOTTEGA_TOKEN: key };
  client = new Bottega({ baseUrl: service.url, token: key });
});

function listen(...args: string[]) {
  const forward = ['--forward', receiver.url, '--secret', secret, '--events', 'user.updated'];
  return btg.start(['listen', ...forward, ...args], 'Forwarding events', { env });
}

const arrived = (count: number) => waitFor(`${count} arrived`, () => receiver.accepted.length >= count);

test('events arrive once, in order and with valid signatures, even those from while nobody listened', async () => {
  let running = await listen();
  await makeEvents(client, 3);
  await arrived(3);
  // Stopped during the delivery: it is reported, and its position is stored.
  receiver.whenReceived = running.stop;
  await makeEvents(client, 2);
  expect((await running.ended).code).toBe(130);
  receiver.whenReceived = undefined;
  await makeEvents(client, 3);
  running = await listen();
  await arrived(8);
  running.stop();
  await running.ended;
  expect(receiver.accepted).toEqual(await idsOfEvents(client, 'user.updated'));
  expect(receiver.refused).toEqual([]);
});

test('an event that the receiver does not accept is posted again before any other event', async () => {
  receiver.accepted.length = 0;
  receiver.statuses = [500, 503];
  const running = await listen('--json');
  await makeEvents(client, 2);
  await arrived(2);
  running.stop();
  const lines = (await running.ended).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ attempt, status }) => [attempt, status])).toEqual([
    [1, 500],
    [2, 503],
    [3, 204],
    [1, 204],
  ]);
});

test('a second listener for the same events and the same receiver is refused while the first runs', async () => {
  const running = await listen();
  expect(await (await listen()).ended).toMatchObject({ code: 7, stderr: expect.stringContaining('already') });
  running.stop();
  await running.ended;
});
