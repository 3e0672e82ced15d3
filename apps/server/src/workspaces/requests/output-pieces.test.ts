import { duplexPair } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { type Channel, createChannels } from '../agent/channels.mjs';
import { piecesOf } from './output-pieces.ts';

/** A piece as the agent sends it. The announced length may be a lie. */
function piece(at: number, text: string, { name = 1, length = text.length } = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeBigUInt64BE(BigInt(at), 0);
  head.writeUInt8(name, 8);
  head.writeUInt32BE(length, 9);
  return Buffer.concat([head, Buffer.from(text)]);
}

async function readFrom(agent: (channel: Channel) => void) {
  const [ours, its] = duplexPair();
  const onError = () => undefined;
  createChannels(its, { onError, onOpen: agent });
  const channels = createChannels(ours, { onError });
  onTestFinished(() => channels.close());
  const channel = channels.open({ kind: 'output' });
  const pieces = (await Array.fromAsync(piecesOf(channel))).map(({ bytes, ...rest }) => ({
    ...rest,
    text: `${bytes}`,
  }));
  return { pieces, channel };
}

test('consecutive pieces of the same stream are joined, so that single characters cost little', async () => {
  const { pieces } = await readFrom((channel) => {
    channel.write(
      Buffer.concat([piece(0, 'a'), piece(1, 'b'), piece(2, 'c', { name: 2 }), piece(9, 'd', { name: 2 })]),
    );
    channel.finish({});
  });
  expect(pieces).toEqual([
    { position: 2, stream: 'stdout', text: 'ab' },
    { position: 3, stream: 'stderr', text: 'c' },
    { position: 10, stream: 'stderr', text: 'd' },
  ]);
});

test.each([
  ['announces more than a piece can have', piece(0, 'x', { length: 0xffff_ffff })],
  ['sends empty pieces', piece(0, '')],
  ['names a place that no output has', piece(Number.MAX_SAFE_INTEGER, 'x')],
])('an agent that %s is cut off', async (_, bytes) => {
  let sent = 0;
  const { pieces, channel } = await readFrom((its) => {
    // It would go on for ever.
    const more = () => {
      while (!its.destroyed && its.write(sent++ === 0 ? bytes : Buffer.alloc(32_768))) if (sent > 10_000) return;
      its.once('drain', more);
    };
    more();
  });
  expect(pieces).toEqual([]);
  expect(channel.destroyed).toBe(true);
});
