import { randomBytes } from 'node:crypto';
import { duplexPair } from 'node:stream';
import { expect, test } from 'vitest';
import { type Channel, createChannels } from '../agent/channels.mjs';
import { encodeParcel } from '../agent/parcels.mjs';
import { arrivingPieces } from './arriving-pieces.ts';

const onError = () => undefined;

/** The pieces that arrive from an agent that does this. */
async function arrivingFrom(agent: (channel: Channel) => unknown, maxBytes = 2 ** 30): Promise<Buffer[]> {
  const [ours, its] = duplexPair();
  createChannels(its, { onError, onOpen: (channel) => void agent(channel) });
  const channels = createChannels(ours, { onError });
  const channel = channels.open({ kind: 'pack' });
  channel.end();
  try {
    return await Array.fromAsync(arrivingPieces(channel, maxBytes));
  } finally {
    channel.destroy();
    channels.close();
  }
}

test('pieces arrive as they were sent, however large they are', async () => {
  const pieces = [1, 100_000, 1_500_000].map((size) => randomBytes(size));
  const arrived = await arrivingFrom((channel) => {
    for (const piece of pieces) channel.write(encodeParcel({}, piece));
    channel.finish({});
  });
  expect(arrived.map((piece) => piece.toString('hex'))).toEqual(pieces.map((piece) => piece.toString('hex')));
});

test.each([
  ['more bytes than allowed', (channel: Channel) => channel.write(encodeParcel({}, randomBytes(2_000))), 'more bytes'],
  [
    'very many small pieces',
    (channel: Channel) => channel.write(Buffer.concat(Array.from({ length: 1_500 }, () => encodeParcel({})))),
    'more bytes',
  ],
  ['a piece that is too large', (channel: Channel) => channel.write(Buffer.alloc(8, 0x7f)), 'a message has'],
  ['no end', (channel: Channel) => channel.destroy(), 'closed'],
])('an agent that sends %s is refused', async (_, agent, words) => {
  await expect(arrivingFrom(agent, 1_000)).rejects.toThrow(words);
});
