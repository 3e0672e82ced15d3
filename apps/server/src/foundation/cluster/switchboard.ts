import { type Channel, type Message, silenceTopic } from './siblings.ts';

export type Switchboard = {
  connect(channel: Channel): void;
  disconnect(channel: Channel): void;
};

/** Questions that the primary answers itself, immediately. */
export type PrimaryAnswers = Record<string, (question: never) => unknown>;

type Question = Extract<Message, { kind: 'question' }>;

/**
 * How long to wait for answers, in milliseconds. A dying or very busy process must not delay a question to all
 * processes.
 */
const patienceMs = 1_000;

/** Runs in the primary. It passes news on, answers questions to the primary, and collects the answers of the others. */
export function createSwitchboard(answers: PrimaryAnswers): Switchboard {
  const channels = new Set<Channel>();
  /** When each process last reported. A process that is starting has no entry yet. */
  const beats = new Map<Channel, number>();
  const longestSilence = () => Math.max(0, ...[...beats.values()].map((heard) => performance.now() - heard));
  const asked = new Map<number, (answer: unknown) => void>();
  let lastId = 0;

  function ask(channel: Channel, topic: string, question: unknown): Promise<unknown> {
    const id = ++lastId;
    return new Promise((resolve) => {
      const settle = (answer: unknown) => {
        clearTimeout(late);
        asked.delete(id);
        resolve(answer);
      };
      const late = setTimeout(settle, patienceMs, undefined);
      asked.set(id, settle);
      channel.send({ kind: 'question', id, topic, question, to: 'others' });
    });
  }

  async function answer(from: Channel, { id, topic, question, to }: Question): Promise<void> {
    if (to === 'primary') {
      const given = topic === silenceTopic ? longestSilence() : answers[topic]?.(question as never);
      from.send({ kind: 'answer', id, answer: given });
      return;
    }
    const others = [...channels].filter((one) => one !== from);
    const given = await Promise.all(others.map((one) => ask(one, topic, question)));
    from.send({ kind: 'answer', id, answer: given.filter((one) => one !== undefined && one !== null) });
  }

  return {
    connect(channel) {
      channels.add(channel);
      channel.onMessage((message) => {
        if (message.kind === 'beat') beats.set(channel, performance.now());
        else if (message.kind === 'news') for (const other of channels) other !== channel && other.send(message);
        else if (message.kind === 'question') void answer(channel, message);
        else if (message.kind === 'answer') asked.get(message.id)?.(message.answer);
      });
    },
    disconnect(channel) {
      channels.delete(channel);
      beats.delete(channel);
    },
  };
}
