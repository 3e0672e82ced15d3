import { expect, test } from 'vitest';
import { type Attempt, deliver } from './forward.ts';
import { useReceiver } from './receiver.fixture.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const receiver = useReceiver(secret);
const event = {
  id: 'evt_1',
  event: 'file.updated',
  timestamp: '2026-01-01T00:00:00.000Z',
  data: {},
  delivery_attempt: 1,
};
const never = new AbortController().signal;

test('an event is signed like a delivery and posted until it is accepted, and each attempt has its number', async () => {
  receiver.statuses = [500, 302];
  const attempts: Attempt[] = [];
  const onAttempt = (attempt: Attempt) => {
    attempts.push(attempt);
    return 'again' as const;
  };
  expect(await deliver(event, { address: receiver.url, secret }, { signal: never, onAttempt })).toBe(true);
  expect(attempts.map(({ attempt, status }) => [attempt, status])).toEqual([
    [1, 500],
    [2, 302],
    [3, 204],
  ]);
  expect(receiver.bodies.map(({ delivery_attempt }) => delivery_attempt)).toEqual([1, 2, 3]);
  expect([receiver.accepted, receiver.refused]).toEqual([['evt_1'], []]);
});

test('stopping while an event is on its way still tells whether it arrived', async () => {
  const stopping = new AbortController();
  receiver.whenReceived = () => stopping.abort();
  const options = { signal: stopping.signal, onAttempt: () => 'again' as const };
  expect(await deliver(event, { address: receiver.url, secret }, options)).toBe(true);
  receiver.whenReceived = undefined;
});

test('a receiver that is not there is reported, and waiting for it ends with the signal', async () => {
  const attempts: Attempt[] = [];
  const options = {
    signal: AbortSignal.abort(),
    onAttempt: (attempt: Attempt) => {
      attempts.push(attempt);
      return 'again' as const;
    },
  };
  await expect(deliver(event, { address: 'http://localhost:9/', secret }, options)).rejects.toThrow();
  expect(attempts).toMatchObject([{ status: null, error: expect.stringMatching(/./) }]);
});
