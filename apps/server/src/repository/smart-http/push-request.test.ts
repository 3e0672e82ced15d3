import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createSlots } from '../../foundation/concurrency/slots.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { flushPkt, pktLine } from '../objects/pkt-line.ts';
import { keepsComing } from './git-body.ts';
import { readPushRequest } from './push-request.ts';

/** Repeats the same chunk and counts how often it was read. */
function dripping(chunk: Buffer, max: number) {
  const seen = { chunks: 0 };
  async function* body(): AsyncGenerator<Buffer> {
    for (; seen.chunks < max; seen.chunks++) yield chunk;
  }
  return { seen, body: body() };
}

const zero = '0'.repeat(40);

describe('the commands of a push', () => {
  test('are limited: empty packets are refused at the first one', async () => {
    const { seen, body } = dripping(Buffer.from('0004'.repeat(64)), 64);
    await expect(readPushRequest(body)).rejects.toMatchObject({ status: 400 });
    expect(seen.chunks).toBeLessThanOrEqual(1);
  });

  test('are at most 10,000, including other lines between them', async () => {
    const lines = Buffer.concat(Array.from({ length: 100 }, () => pktLine(`shallow ${'1'.repeat(40)}\n`)));
    const { seen, body } = dripping(lines, 500);
    await expect(readPushRequest(body)).rejects.toMatchObject({ status: 422 });
    expect(seen.chunks).toBeLessThanOrEqual(100);
  });

  test('are read in whatever pieces they arrive, together with the pack after them', async () => {
    const line = pktLine(`${zero} ${'1'.repeat(40)} refs/heads/é\0 report-status atomic\n`);
    const whole = Buffer.concat([line, flushPkt, Buffer.from('PACK and more')]);
    async function* byteByByte(): AsyncGenerator<Buffer> {
      for (const byte of whole) yield Buffer.of(byte);
    }
    const { commands, capabilities, pack } = await readPushRequest(byteByByte());
    expect(commands).toEqual([{ name: 'refs/heads/é', from: null, to: Buffer.alloc(20, 0x11) }]);
    expect([...capabilities]).toEqual(['report-status', 'atomic']);
    const parts: Buffer[] = [];
    for await (const part of pack) parts.push(part);
    expect(Buffer.concat(parts).toString()).toBe('PACK and more');
  });
});

describe('reading a body ends with 408 if', () => {
  test('the client stops sending', async () => {
    const body = new PassThrough();
    body.write('0004');
    const chunks = keepsComing(body, { bytes: 1_000, withinMs: 10 });
    expect((await chunks.next()).value?.toString()).toBe('0004');
    await expect(chunks.next()).rejects.toMatchObject({ status: 408 });
  });

  test('the client only sends a byte from time to time', async () => {
    const body = new PassThrough();
    const drip = setInterval(() => body.write('.'), 5);
    const read = async () => {
      let bytes = 0;
      for await (const chunk of keepsComing(body, { bytes: 1_000, withinMs: 100 })) {
        bytes += chunk.length;
        if (bytes > 500) return;
      }
    };
    await expect(read().finally(() => clearInterval(drip))).rejects.toMatchObject({ status: 408 });
  });

  test('the client is slow and others wait for its place, but not before', async () => {
    const slots = createSlots({ total: 1, perAccount: 1, maxWaiting: 1 });
    const isCrowded = () => slots.figures().waiting > 0;
    const body = new PassThrough();
    const drip = setInterval(() => body.write('.'.repeat(10)), 5);
    let received = 0;
    const slow = slots.run('slow', async () => {
      const paces = [
        { bytes: 1, withinMs: 60_000 },
        { ...{ bytes: 100_000, withinMs: 50 }, isDemanded: isCrowded },
      ];
      for await (const chunk of keepsComing(body, ...paces)) received += chunk.length;
    });
    const ended = expect(slow.finally(() => clearInterval(drip))).rejects.toMatchObject({ status: 408 });
    // Ten times as long as it could if others were waiting.
    await waitFor('it is let go on', () => received > 1_000);
    expect(await slots.run('other', async () => 'served')).toBe('served');
    await ended;
  });
});
