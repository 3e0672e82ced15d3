import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { frameSender, readFrames } from './frames.ts';
import { type Introduction, linkProtocol, nonceHeader, type Reply } from './protocol.ts';

export type Answering = {
  /** A connection by which another node, which has proven to be one, asks for a link, and the key for the nonce that it is told. */
  take(socket: Duplex, keyWith: Introduction['keyWith']): void;
  /** Tells the others to ask no more. What was asked is answered, then the links are closed. */
  drain(): Promise<void>;
};

/** `answer` throws where it is not known what became of the question. */
export function answerNodes(answer: (question: unknown) => Promise<unknown>): Answering {
  const open = new Map<Duplex, Speaker>();
  const underWay = new Set<Promise<void>>();
  let isLeaving = false;

  async function reply(socket: Duplex, id: number, question: unknown): Promise<void> {
    const known = (value: unknown): Reply => ({ kind: 'answer', answer: value });
    const outcome = isLeaving ? ({ kind: 'unsent' } as const) : await answer(question).then(known, notKnown);
    open.get(socket)?.reply([id, outcome]);
  }

  function take(socket: Duplex, keyWith: Introduction['keyWith']): void {
    const nonce = randomBytes(16).toString('base64url');
    const key = keyWith(nonce);
    const head = { connection: 'upgrade', upgrade: linkProtocol, [nonceHeader]: nonce };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
    const speaker = speakingTo(socket, key);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    open.set(socket, speaker);
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
    readFrames(socket, { key, by: 'asking' }, (frame) => {
      const questions = frame as [number, unknown][];
      if (questions.length === 0) speaker.say([]);
      for (const [id, question] of questions) {
        const replied = reply(socket, id, question).finally(() => underWay.delete(replied));
        underWay.add(replied);
      }
    });
  }

  return {
    take,
    async drain() {
      isLeaving = true;
      for (const { say } of open.values()) say(null);
      await Promise.all(underWay);
      // After the last answers, which go out in the next turn.
      setImmediate(() => {
        for (const socket of open.keys()) {
          socket.end();
          // A node that is paused does not close its end.
          setTimeout(() => socket.destroy(), closingMs).unref();
        }
      });
    },
  };
}

const closingMs = 2_000;

const notKnown = (): Reply => ({ kind: 'unsure' });

type Speaker = { say(frame: unknown): void; reply(reply: [number, Reply]): void };

/** Replies of one turn of the loop go out in one frame. */
function speakingTo(socket: Duplex, key: Buffer): Speaker {
  const send = frameSender(socket, { key, by: 'answering' });
  let gathered: [number, Reply][] = [];
  const say = (frame: unknown) => {
    if (socket.writable) send(frame);
  };
  return {
    say,
    reply(reply) {
      gathered.push(reply);
      if (gathered.length > 1) return;
      setImmediate(() => {
        say(gathered);
        gathered = [];
      });
    },
  };
}
