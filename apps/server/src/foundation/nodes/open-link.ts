import { request as httpRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { frameSender, readFrames } from './frames.ts';
import { type Introduction, linkProtocol, nonceHeader, type Reply } from './protocol.ts';

const connectMs = 2_000;
/** While something is asked, the other node says a word every second. One that is silent for so long is given up. */
const silenceMs = 3_000;
/** Of all questions under way. Beyond it the other node is too slow to be asked for more. */
const mostBytes = 8 * 1024 * 1024;

type Asked = { bytes: number; resolve(reply: Reply): void };

/** Questions of one turn of the loop travel in one frame, and so do answers. An empty frame only says that one is there. */
export function openLink(url: URL, introduction: Introduction, onEnd: () => void) {
  const asked = new Map<number, Asked>();
  let gathered: [number, unknown][] = [];
  let socket: Duplex | null = null;
  let send: (frame: unknown) => void = () => undefined;
  let isLeaving = false;
  let lastId = 0;
  let bytesAsked = 0;
  let heardAt = 0;
  let watching: NodeJS.Timeout | undefined;

  const headers = { ...introduction.headers, connection: 'upgrade', upgrade: linkProtocol };
  const opening = httpRequest(url, { agent: false, headers, timeout: connectMs });
  opening.on('timeout', () => opening.destroy());
  opening.on('error', () => undefined);
  // It knows no links.
  opening.on('response', (answer) => answer.destroy());
  opening.on('close', () => socket ?? onEnd());
  opening.on('upgrade', (answer, opened, first) => {
    const key = introduction.keyWith(String(answer.headers[nonceHeader]));
    socket = opened;
    send = frameSender(opened, { key, by: 'asking' });
    opened.setTimeout(0);
    opened.setNoDelay(true);
    opened.on('error', () => undefined);
    opened.on('close', end);
    if (first.length > 0) opened.unshift(first);
    readFrames(opened, { key, by: 'answering' }, hear);
  });
  opening.end();

  function hear(frame: unknown): void {
    heardAt = Date.now();
    if (frame === null) isLeaving = true;
    else for (const [id, reply] of frame as [number, Reply][]) settle(id, reply);
  }

  function settle(id: number, reply: Reply): void {
    const one = asked.get(id);
    if (!one) return;
    asked.delete(id);
    bytesAsked -= one.bytes;
    one.resolve(reply);
  }

  function sendGathered(): void {
    const questions = gathered;
    gathered = [];
    if (socket?.writable) send(questions);
  }

  function watch(): void {
    if (asked.size === 0) {
      clearInterval(watching);
      watching = undefined;
    } else if (Date.now() - heardAt > silenceMs) socket?.destroy();
    else if (socket?.writable) send([]);
  }

  function end(): void {
    isLeaving = true;
    clearInterval(watching);
    for (const [id] of gathered) settle(id, { kind: 'unsent' });
    for (const id of asked.keys()) settle(id, { kind: 'unsure' });
    onEnd();
  }

  return {
    /** Nothing: it cannot be asked now. */
    ask(question: unknown, bytes: number): Promise<Reply> | undefined {
      if (!socket || isLeaving || bytesAsked + bytes > mostBytes) return undefined;
      if (asked.size === 0) heardAt = Date.now();
      watching ??= setInterval(watch, 1_000);
      if (gathered.length === 0) setImmediate(sendGathered);
      const id = ++lastId;
      gathered.push([id, question]);
      bytesAsked += bytes;
      return new Promise((resolve) => asked.set(id, { bytes, resolve }));
    },
    close() {
      opening.destroy();
      socket?.destroy();
    },
  };
}
