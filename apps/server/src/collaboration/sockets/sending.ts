import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';

/**
 * The number of buffered bytes from which a reader counts as slow. A slow reader gets only the last position of each
 * cursor.
 */
const lowMark = 65_536;
const flushMs = 20;

export type Sender = {
  /** Sends a text. Of several texts with the same `lastOf`, only the last one has to arrive. */
  text(text: string, lastOf?: string): void;
  binary(frame: Uint8Array): void;
  /** Resolves once the reader has received nearly everything, or has disconnected. */
  drained(): Promise<void>;
};

type Options = { wire: Writable; maxBuffered: number; tooSlow(): void; sent(kind: 'text' | 'binary'): void };

/**
 * Sends the frames of one socket. It leaves out nothing except cursors. A client that does not read is disconnected.
 */
export function createSender(ws: WebSocket, { wire, maxBuffered, tooSlow, sent }: Options): Sender {
  const latest = new Map<string, string>();
  let willFlush = false;

  function write(data: Uint8Array, kind: 'text' | 'binary'): void {
    if (ws.readyState !== ws.OPEN) return;
    gather(wire);
    ws.send(data, { binary: kind === 'binary' });
    sent(kind);
    if (ws.bufferedAmount > maxBuffered) tooSlow();
  }

  function flush(): void {
    willFlush = false;
    if (ws.readyState !== ws.OPEN) latest.clear();
    for (const [key, text] of latest) {
      if (ws.bufferedAmount > lowMark) break;
      latest.delete(key);
      write(encodedOnce(text), 'text');
    }
    if (latest.size > 0) flushSoon();
  }

  function flushSoon(): void {
    if (!willFlush) setTimeout(flush, flushMs);
    willFlush = true;
  }

  return {
    text(text, lastOf) {
      if (lastOf === undefined || (ws.bufferedAmount <= lowMark && !latest.has(lastOf))) {
        write(encodedOnce(text), 'text');
        return;
      }
      latest.set(lastOf, text);
      flushSoon();
    },
    binary: (frame) => write(frame, 'binary'),
    async drained() {
      while (ws.readyState === ws.OPEN && ws.bufferedAmount > lowMark) await sleep(flushMs);
    },
  };
}

const gathering = new Set<Writable>();

/**
 * Joins everything that is sent to a socket within one turn of the event loop into one write. In a busy room, writes
 * are most of the work.
 */
function gather(wire: Writable): void {
  if (gathering.has(wire)) return;
  if (gathering.size === 0) setImmediate(uncorkAll);
  gathering.add(wire);
  wire.cork();
}

function uncorkAll(): void {
  for (const wire of gathering) wire.uncork();
  gathering.clear();
}

let encoded = { text: '', bytes: Buffer.alloc(0) };

/** The same text is sent to all sockets of a session in a row, so the last encoding is cached. */
function encodedOnce(text: string): Buffer {
  if (encoded.text !== text) encoded = { text, bytes: Buffer.from(text) };
  return encoded.bytes;
}
